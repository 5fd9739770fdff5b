"""The tables that are made from the code, and those that are held to it."""

import ast
import inspect
import re

import pytest

from calendar_site.api import errors
from calendar_site.api.input import NamedInput
from docs._sphinx.rights import PEOPLE, rights
from docs._sphinx.tables import VIEWSETS, commands, fields_of, parameters_of
from tests.served import ROOT

PACKAGES = ("calendar_site", "events", "venues", "organizers", "taxonomy")
ERRORS = (ROOT / "docs" / "api" / "errors.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| (\d{3}) \| (.+?) \| .+ \| .+ \|$", re.MULTILINE)


def test_rights_are_those_of_the_rules():
    table = dict(rights())

    assert [person.role for person in PEOPLE] == [
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
    parameters, fields = parameters_of(collection), fields_of(collection)

    assert [name.strip("`") for name, *_rest in parameters] == list(viewset.filterset_class.base_filters)
    assert {name.strip("`") for name, *_rest in fields} == set(viewset.input_class().fields)
    assert [row for row in (*parameters, *fields) if not all(row)] == []


def test_parameters_say_type_default_and_meaning():
    rows = {name: rest for name, *rest in parameters_of("events")}

    assert rows["`page`"] == ["integer, 1 or more", "`1`", "The page of results to return."]
    assert rows["`start_date`"][:2] == ["string (date)", "moves with the day"]
    assert rows["`strict_dates`"][1] == "`false`"
    assert rows["`geoloc_lat`"][:2] == ["number, from -90 to 90", "–"]


def test_fields_begin_with_what_is_required():
    names = [name for name, *_rest in fields_of("events")]

    assert names[:3] == ["`title`", "`start_date`", "`end_date`"]
    assert dict(zip(names, fields_of("events"), strict=True))["`title`"][3].startswith("Required in a create.")


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
        "manage.py empty_trash --days N [--dry-run]",
        [
            ("`--days`", "A whole number, 0 for all of them."),
            ("`--dry-run`", "Only say what would be deleted."),
        ],
    )


def test_every_code_of_an_error_has_a_row_with_its_status():
    rows = {
        (code, int(status)) for status, codes in ROW.findall(ERRORS) for code in re.findall(r"`([a-z0-9_-]+)`", codes)
    }

    assert rows == fixed_codes() | codes_of_records() | codes_in_place()


def fixed_codes():
    """Of the classes that have a code of their own."""
    return {
        (error.default_code, error.status_code)
        for error in classes_below(errors.ContractError)
        if not issubclass(error, errors.RecordError)
    }


def codes_of_records():
    """Of the classes whose code begins with a kind of record: for the kinds whose views name them."""
    found = set()
    for error in classes_below(errors.RecordError):
        for viewset in VIEWSETS.values():
            sources = [inspect.getsource(cls) for cls in viewset.__mro__ if cls.__module__.startswith(PACKAGES)]
            if any(re.search(rf"raise {error.__name__}\(", source) for source in sources):
                found.add((error(viewset.kind).code, error.status_code))
    return found


def codes_in_place():
    """Of errors that are given their code where they are raised."""
    found = set()
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "ContractError":
                    given = {word.arg: word.value for word in call.keywords}
                    found |= {(code, errors.ContractError.status_code) for code in codes_written(given["code"])}
    return found


def codes_written(code):
    """A text, or one that ends in the kind of a venue or organizer."""
    if isinstance(code, ast.Constant):
        return {code.value}
    beginning = ast.unparse(code).partition("{")[0].removeprefix("f'")
    return {f"{beginning}{serializer.kind}" for serializer in NamedInput.__subclasses__()}


def classes_below(base):
    for cls in base.__subclasses__():
        if cls is not errors.RecordError:
            yield cls
        yield from classes_below(cls)
