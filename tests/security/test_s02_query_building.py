"""S2, query injection through keywords: no data of a request reaches an ORM method as keyword arguments.

Django's own vulnerabilities of this kind (CVE-2025-64459 and others) need `filter(**request_data)`. The tests read the
source code, because no request can prove the absence of a call. `orderby` goes through a constant table.
"""

import ast
import json
import stat
from urllib.parse import parse_qsl

import pytest

from tests.support.api_client import invalid_params, listed_ids
from tests.support.programs import ROOT, run_program

FOLDERS = ("calendar_site", "events", "venues", "organizers", "taxonomy")
MODULES = [
    path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py")) if "migrations" not in path.parts
]
ORM_METHODS = {
    "filter", "exclude", "get", "annotate", "alias", "aggregate", "order_by", "values", "values_list", "update",
    "create",
    "get_or_create", "update_or_create", "distinct", "select_related", "prefetch_related", "only", "defer", "extra",
    "raw", "Q",
}  # fmt: skip
# Names of data that a client controls.
CLIENT_DATA = {
    "request", "data", "query_params", "GET", "POST", "arguments", "cleaned_data", "validated_data", "kwargs", "params",
}  # fmt: skip
RAW_SQL = {"RawSQL", "extra", "raw"}
# These put the names of tables, columns and functions into statements, and settings; values are parameters.
BUILT_FROM_NAMES = {
    "calendar_site/content/search_words.py",
    "calendar_site/content/unused_words.py",
    "calendar_site/core/database/write_lock.py",
    "calendar_site/core/search/index.py",
    "calendar_site/derived/tables.py",
    "calendar_site/derived/triggers.py",
    "calendar_site/media/file_index.py",
    "calendar_site/transfer/backups/databases.py",
    "events/counts.py",
    "events/series/bulk_saves.py",
    "events/derived/term_counts.py",
    "events/listing/tables/sums.py",
}


def calls_in(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            function = node.func
            name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
            yield name, node


def names_in(node):
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)} | {
        part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute)
    }


def client_data_in(source):
    """Return the calls of ORM methods in the source that unpack data of a client."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        unpacked = [keyword.value for keyword in node.keywords if keyword.arg is None]
        unpacked += [argument.value for argument in node.args if isinstance(argument, ast.Starred)]
        is_of_base_class = ast.unparse(node.func).startswith("super().")
        if name in ORM_METHODS and not is_of_base_class and any(names_in(value) & CLIENT_DATA for value in unpacked):
            found.append(ast.unparse(node))
    return found


def test_no_request_data_is_unpacked_into_a_query():
    found = {str(path.relative_to(ROOT)): client_data_in(path.read_text(encoding="utf-8")) for path in MODULES}

    assert {path: calls for path, calls in found.items() if calls} == {}
    assert len(MODULES) > 200


@pytest.mark.parametrize(
    "source",
    [
        "Event.objects.filter(**request.GET.dict())",
        "rows.exclude(**self.arguments)",
        "rows.order_by(*request.query_params.getlist('orderby'))",
        "Q(**form.cleaned_data)",
    ],
)
def test_the_search_finds_such_calls(source):
    assert client_data_in(source) == [ast.unparse(ast.parse(source, mode="eval"))]


def is_built(argument):
    """Return whether the text is put together from other values than whole numbers."""
    if isinstance(argument, ast.JoinedStr):
        values = [part.value for part in argument.values if isinstance(part, ast.FormattedValue)]
        return not all(ast.unparse(value).startswith("int(") for value in values)
    return isinstance(argument, ast.BinOp)


def test_no_sql_is_built_from_text():
    found = []
    for path in MODULES:
        if str(path.relative_to(ROOT)) in BUILT_FROM_NAMES:
            continue
        for name, node in calls_in(path):
            is_raw = name in RAW_SQL and isinstance(node.func, ast.Attribute | ast.Name)
            is_formatted = name in ("execute", "executemany", "RunSQL") and any(map(is_built, node.args[:1]))
            if is_raw or is_formatted:
                found.append(f"{path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node)[:80]}")

    assert found == []


@pytest.mark.django_db
@pytest.mark.parametrize(
    "value",
    [
        "_connector", "password", "author__password", "-author__email", "?", "pk.pk", "title__length", "__class__", "0",
        "a,rand()*(SELECT(0)FROM(SELECT(SLEEP(5)))a)#,a", "date;drop table events_event", "title desc", '"title"',
    ],
)  # fmt: skip
def test_unknown_orders_are_refused_or_ignored(client, resource, value):
    rows = [resource.make(name) for name in ("Beta", "Alpha")]
    default = listed_ids(client.get(resource.list()), resource.collection)

    response = client.get(resource.path, {**dict(parse_qsl(resource.arguments)), "orderby": value})

    if response.status_code == 200:
        assert listed_ids(response, resource.collection) == default
        assert sorted(default) == sorted(row.pk for row in rows)
    else:
        assert set(invalid_params(response)) == {"orderby"}


@pytest.mark.django_db
@pytest.mark.parametrize(
    "name", ["_connector", "_negated", "author__password", "password__startswith", "pk__in", "id__gt"]
)
def test_lookups_in_parameter_names_have_no_effect(client, resource, name):
    resource.make("Fair")

    plain, asked = client.get(resource.list()), client.get(resource.list(f"{name}=x"))

    assert asked.status_code == 200
    assert asked.json()["total"] == plain.json()["total"] == 1
    assert asked["X-Ignored-Fields"] == name


# --- The dependency audit ------------------------------------------------------------------------


@pytest.fixture
def run_audit(tmp_path):
    """Return a function that audits with a program that prints this instead of pip-audit."""

    def run(output, *options):
        program = tmp_path / "pip-audit"
        program.write_text(f"#!/bin/sh\ncat <<'END'\n{output}\nEND\n")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        command = ["python3", ".ci/audit/check.py", str(program), *options]
        done = run_program(command, {"PATH": "/usr/bin:/bin:/usr/local/bin"}, ROOT)
        return done.returncode, done.stdout.splitlines()

    return run


def package(name, **more):
    return {"name": name, "version": "1.0", **more}


VULNERABLE = package("django", vulns=[{"id": "CVE-2025-64459", "fix_versions": ["5.2.8"]}])
UNKNOWN = {"name": "nh3", "skip_reason": "nh3 is not known"}


def test_audit_passes_if_nothing_is_known(run_audit):
    assert run_audit(json.dumps({"dependencies": [package("django", vulns=[])]})) == (
        0,
        ["Dependency audit: 1 packages checked, 0 vulnerable, 0 not checked."],
    )


@pytest.mark.parametrize("options", [[], ["--skip-unreachable"]])
def test_audit_fails_on_a_known_vulnerability(run_audit, options):
    assert run_audit(json.dumps({"dependencies": [VULNERABLE, UNKNOWN]}), *options) == (
        1,
        [
            "django 1.0: CVE-2025-64459, fixed in 5.2.8",
            "Dependency audit: 1 packages checked, 1 vulnerable, 1 not checked.",
        ],
    )


@pytest.mark.parametrize("output", ["", "not JSON", json.dumps({"dependencies": [UNKNOWN]})])
def test_audit_without_its_data_says_so(run_audit, output):
    code, lines = run_audit(output)
    tolerated, same_lines = run_audit(output, "--skip-unreachable")

    assert (code, tolerated) == (2, 0)
    assert lines == same_lines
    assert lines[1].startswith("The vulnerability data cannot be reached for all packages: ")
