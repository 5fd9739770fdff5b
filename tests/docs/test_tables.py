"""The tables in the documentation: those generated from the code, and those compared with it."""

import re

import pytest

from calendar_site.api.description.endpoints import endpoints_in
from calendar_site.api.description.openapi import path_template
from calendar_site.api.errors import InvalidParams
from calendar_site.api.site_urls import default_api_base
from calendar_site.core.dates.spellings import FORMS
from calendar_site.urls import API_PATTERNS
from docs._sphinx.api_entries import (
    VIEWSETS,
    error_codes,
    operations,
    query_parameters_of,
    request_fields_of,
    response_fields_of,
    response_headers,
)
from docs._sphinx.role_permissions import USERS, role_permissions
from docs._sphinx.tables import commands, date_forms, roles_by_scope
from tests.support.programs import ROOT

PACKAGES = ("calendar_site", "events", "venues", "organizers", "taxonomy")
ERRORS = (ROOT / "docs" / "api" / "errors.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| (\d{3}) (.+?) \| .+ \|$", re.MULTILINE)


def test_permissions_of_roles_are_those_of_the_code():
    table = dict(role_permissions())

    assert [user.role for user in USERS] == [
        "administrator", "editor", "author", "contributor", "subscriber", "no account"
    ]  # fmt: skip
    assert table["Read published records"] == ["all"] * 6
    assert table["Publish events, venues and organizers"] == ["yes", "yes", "yes", "becomes pending", "–", "–"]
    assert table["Change drafts and pending records"] == ["all", "all", "own", "own", "–", "–"]
    assert table["Move published, scheduled and private records to the trash"] == ["all", "all", "own", "–", "–", "–"]
    assert table["Create, change and delete tags"] == ["yes", "yes", "–", "–", "–", "–"]
    assert table["Manage accounts and roles"] == ["yes", "–", "–", "–", "–", "–"]


def test_permissions_name_the_roles_of_each_scope():
    assert (
        roles_by_scope(["all", "all", "own", "own", "–", "–"]) == "administrator, editor: all\nauthor, contributor: own"
    )
    assert roles_by_scope(["yes", "yes", "yes", "becomes pending", "–", "–"]) == (
        "administrator, editor, author\ncontributor: becomes pending"
    )
    assert roles_by_scope(["all"] * 6) == "everybody"


def test_date_formats_are_those_of_the_parser():
    rows = date_forms()

    assert len(rows) == len(FORMS)
    assert ("`2027-03`", "The first day of a month.") in rows
    assert all(meaning.endswith(".") for _examples, meaning in rows)


@pytest.mark.parametrize("collection", VIEWSETS)
def test_parameters_and_fields_are_complete_and_described(collection):
    viewset = VIEWSETS[collection]
    parameters, fields = query_parameters_of(collection), request_fields_of(collection)

    assert [entry.name for entry in parameters] == list(viewset.filterset_class.base_filters)
    assert {entry.name for entry in fields} == set(viewset.serializer_class().fields)
    assert [entry for entry in (*parameters, *fields, *response_fields_of(collection)) if not all(entry)] == []


def test_query_parameters_have_type_default_and_description():
    entries = {entry.name: entry for entry in query_parameters_of("events")}

    assert entries["page"] == ("page", "integer, 1 or more, default: `1`", "The page of results to return.")
    assert entries["start_date"].type == "string (date), default: relative to today"
    assert entries["strict_dates"].type == "boolean, default: `false`"
    assert entries["geoloc_lat"].type == "number, from -90 to 90"


def test_request_fields_begin_with_the_required_ones():
    entries = request_fields_of("events")

    assert [entry.name for entry in entries[:3]] == ["title", "start_date", "end_date"]
    assert [entry.name for entry in entries if "required" in entry.type] == ["title", "start_date", "end_date"]
    assert dict(zip([entry.name for entry in entries], entries, strict=True))["cost"].type == "any, nullable"


def test_response_fields_have_type_and_description():
    entries = {entry.name: entry for entry in response_fields_of("events")}

    assert entries["author"].type == "integer"
    assert entries["image"].type == "object or `false`"
    assert entries["start_date"].type == "string (date)"
    assert entries["featured"].type == "boolean or null"
    assert entries["venue"].type == "object or array of object"


def test_reference_has_every_endpoint_with_its_errors():
    found = operations()

    shown = {
        (method, path)
        for group in found.values()
        for operation in group
        for method in (operation.method, *operation.other_methods)
        for path in operation.paths
    }
    assert shown == {
        (method, path_template(pattern))
        for pattern, _view, methods in endpoints_in(API_PATTERNS, default_api_base())
        for method in methods
    }
    assert [operation for group in found.values() for operation in group if not operation.errors] == []
    update = next(operation for operation in found["events"] if operation.method == "POST" and operation.other_methods)
    assert sorted(update.other_methods) == ["PATCH", "PUT"]
    assert update.paths == ["/events/{id}", "/events/by-slug/{slug}"]


def test_reference_describes_the_headers_of_responses():
    assert [entry for entry in response_headers() if not all(entry)] == []


def test_commands_are_shown_with_their_arguments():
    shown = {name: (usage, arguments) for name, _purpose, usage, arguments in commands()}
    files = {
        path.stem
        for package in PACKAGES
        for path in (ROOT / package).rglob("management/commands/*.py")
        if path.stem != "__init__"
    }

    assert set(shown) == files
    assert shown["empty_trash"] == (
        ".venv/bin/python manage.py empty_trash --days N [--dry-run]",
        [
            ("`--days`", "Minimum number of days in the trash; 0 for all records."),
            ("`--dry-run`", "Only print what would be deleted."),
        ],
    )


def test_every_error_code_has_a_row_with_its_status():
    rows = {
        (code, int(status)) for status, codes in ROW.findall(ERRORS) for code in re.findall(r"`([a-z0-9_-]+)`", codes)
    }

    assert rows == {(error.code, error.status) for error in error_codes()}


def test_error_codes_are_those_of_classes_and_views():
    codes = {(error.code, error.status): error.message for error in error_codes()}

    assert codes["rest_invalid_param", 400] == str(InvalidParams.default_detail)
    assert {("rest_busy", 503), ("rest_internal_error", 500), ("term_exists", 400)} < codes.keys()
    assert codes.keys() >= {
        (error.code, error.status_code)
        for _pattern, view, methods in endpoints_in(API_PATTERNS, default_api_base())
        for method in methods
        for error in view.get_errors(method)
    }
