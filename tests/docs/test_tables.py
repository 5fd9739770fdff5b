"""The tables that are made from the code, and those that are held to it."""

import re

import pytest

from calendar_site.api import errors
from calendar_site.api.description.endpoints import endpoints_in
from calendar_site.api.site_urls import default_api_base
from calendar_site.urls import API_PATTERNS
from docs._sphinx.role_permissions import USERS, role_permissions
from docs._sphinx.tables import VIEWSETS, commands, list_parameters_of, record_keys_of, write_fields_of
from tests.support.programs import ROOT

PACKAGES = ("calendar_site", "events", "venues", "organizers", "taxonomy")
ERRORS = (ROOT / "docs" / "api" / "errors.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| (\d{3}) \| (.+?) \| .+ \| .+ \|$", re.MULTILINE)


def test_permissions_of_roles_are_those_of_the_code():
    table = dict(role_permissions())

    assert [user.role for user in USERS] == [
        "administrator", "editor", "author", "contributor", "subscriber", "no account"
    ]  # fmt: skip
    assert table["Read published records"] == ["all"] * 6
    assert table["Publish them"] == ["yes", "yes", "yes", "becomes pending", "–", "–"]
    assert table["Change drafts and pending records"] == ["all", "all", "own", "own", "–", "–"]
    assert table["Trash published, scheduled and private records"] == ["all", "all", "own", "–", "–", "–"]
    assert table["Write tags"] == ["yes", "yes", "–", "–", "–", "–"]
    assert table["Look after accounts and roles"] == ["yes", "–", "–", "–", "–", "–"]


@pytest.mark.parametrize("collection", VIEWSETS)
def test_parameters_and_fields_are_all_there_and_described(collection):
    viewset = VIEWSETS[collection]
    parameters, fields = list_parameters_of(collection), write_fields_of(collection)

    assert [name.strip("`") for name, *_rest in parameters] == list(viewset.filterset_class.base_filters)
    assert {name.strip("`") for name, *_rest in fields} == set(viewset.serializer_class().fields)
    assert [row for row in (*parameters, *fields, *record_keys_of(collection)) if not all(row)] == []


def test_parameters_say_type_default_and_meaning():
    rows = {name: rest for name, *rest in list_parameters_of("events")}

    assert rows["`page`"] == ["integer, 1 or more", "`1`", "The page of results to return."]
    assert rows["`start_date`"][:2] == ["string (date)", "moves with the day"]
    assert rows["`strict_dates`"][1] == "`false`"
    assert rows["`geoloc_lat`"][:2] == ["number, from -90 to 90", "–"]


def test_fields_begin_with_what_is_required():
    names = [name for name, *_rest in write_fields_of("events")]

    assert names[:3] == ["`title`", "`start_date`", "`end_date`"]
    assert dict(zip(names, write_fields_of("events"), strict=True))["`title`"][3].startswith("Required in a create.")


def test_answers_say_type_and_meaning():
    rows = {name: rest for name, *rest in record_keys_of("events")}

    assert rows["`author`"][0] == "integer"
    assert rows["`image`"] == ["object or `false`", "The image of the record; false for none."]
    assert rows["`start_date`"][0] == "string (date)"
    assert rows["`featured`"][0] == "boolean or null"
    assert rows["`venue`"][0] == "object or array of object"


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


def test_every_code_of_an_error_has_a_row_with_its_status():
    rows = {
        (code, int(status)) for status, codes in ROW.findall(ERRORS) for code in re.findall(r"`([a-z0-9_-]+)`", codes)
    }

    assert rows == codes_of_classes() | codes_of_views()


def codes_of_classes():
    """Of the errors whose code does not depend on a kind of record."""
    return {
        (error.default_code, error.status_code)
        for error in classes_below(errors.ContractError)
        if not issubclass(error, errors.RecordError)
    }


def codes_of_views():
    return {
        (error.code, error.status_code)
        for _pattern, view, methods in endpoints_in(API_PATTERNS, default_api_base())
        for method in methods
        for error in view.get_errors(method)
    }


def classes_below(base):
    for cls in base.__subclasses__():
        yield cls
        yield from classes_below(cls)
