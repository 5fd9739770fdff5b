"""S10, imports: which inputs take a file or a URL that the service reads.

Elsewhere, importers read files of the server and internal URLs. The tests list every input that takes a file, and every
module that reads one, so that a new one needs an entry and a test of its own.
"""

import ast

import pytest
from django import forms
from django.apps import apps
from django.contrib import admin
from django.core.management import get_commands, load_command_class
from django.db.models import FileField
from django.test import RequestFactory
from rest_framework import serializers

from tests.support.programs import ROOT

FOLDERS = ("calendar_site", "events", "venues", "organizers", "taxonomy")
OWN_APPS = ("calendar_site.", "events", "venues", "organizers", "taxonomy")
# The inputs that are tested in tests/media, tests/api/test_images.py and tests/back_office/test_image_admin.py.
FILE_COLUMNS = {"media.Image.file"}
# Files of sources are parsed by the readers: tests/transfer.
FILE_FORM_FIELDS = {"media.Image.uploads", "transfer.Source.file"}
# The commands that are tested in tests/faults/test_backups.py and test_exports.py.
COMMANDS_WITH_FILES = {
    "export": ["file"],
    "import_csv": ["source"],
    "import_ics": ["source"],
    "import_json": ["file"],
    "import_jsonld": ["source"],
    "import_tec": ["source"],
    "import_wxr": ["source"],
    "restore": ["file"],
}
# Modules that send requests to other servers.
HTTP_MODULES = {"calendar_site/core/http/http_client.py"}
CLIENT_LIBRARIES = {
    "httpcore",
    "requests",
    "urllib3",
    "httpx",
    "http.client",
    "urllib.request",
    "aiohttp",
    "ftplib",
    "smtplib",
}
# Functions that run programs or unpack archives.
DANGEROUS = {"subprocess", "os.system", "zipfile", "tarfile", "pickle", "marshal", "shelve", "yaml", "xml"}


def modules():
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield str(path.relative_to(ROOT)), ast.parse(path.read_text(encoding="utf-8"))


def imported(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_columns_with_files_are_known():
    found = {
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models()
        for field in model._meta.get_fields()
        if isinstance(field, FileField)
    }

    assert found == FILE_COLUMNS


@pytest.mark.django_db
def test_forms_of_the_admin_with_files_are_known(administrator):
    request = RequestFactory().get("/")
    request.user = administrator
    found = set()
    for model, model_admin in admin.site._registry.items():
        form = model_admin.get_form(request)
        found |= {
            f"{model._meta.label}.{name}"
            for name, field in form.base_fields.items()
            if isinstance(field, forms.FileField)
        }

    assert found <= FILE_FORM_FIELDS | FILE_COLUMNS


def test_serializers_take_no_files_of_their_own():
    found = {
        serializer.__name__
        for serializer in _subclasses(serializers.Serializer)
        if serializer.__module__.startswith(OWN_APPS)
        for field in getattr(serializer, "_declared_fields", {}).values()
        if isinstance(field, serializers.FileField)
    }

    assert found == set()


def _subclasses(base):
    for child in base.__subclasses__():
        yield child
        yield from _subclasses(child)


def test_only_the_guarded_client_sends_requests():
    found = {path for path, tree in modules() if CLIENT_LIBRARIES & set(imported(tree))}

    assert found == HTTP_MODULES


def test_nothing_unpacks_archives_or_objects():
    allowed = {
        "calendar_site/media/decoding.py",
        # The archive is a backup, of which nothing is unpacked under a name of its own: tests/faults/test_backups.py.
        "calendar_site/transfer/backups/archives.py",
        # The size of a workbook is checked before openpyxl reads it: tests/transfer/test_tables.py.
        "calendar_site/transfer/readers/table_rows.py",
        # Types only: defusedxml parses the file.
        "calendar_site/transfer/readers/wxr.py",
    }
    found = {
        (path, name)
        for path, tree in modules()
        for name in imported(tree)
        if name.split(".")[0] in DANGEROUS and name.split(".")[0] != "subprocess"
    }

    assert {pair for pair in found if pair[0] not in allowed} == set()


def test_commands_that_take_a_file_are_known():
    found = {}
    for name, app in get_commands().items():
        if app.startswith(OWN_APPS):
            parser = load_command_class(app, name).create_parser("manage.py", name)
            own = [action.dest for action in parser._actions if action.dest in ("file", "path", "url", "source")]
            found[name] = own

    assert {name: options for name, options in found.items() if options} == COMMANDS_WITH_FILES
    assert len(found) > 3
