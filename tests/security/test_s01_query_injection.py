"""S1, SQL injection: no query parameter of any endpoint reaches SQL as anything but a value.

Covers CVE-2024-8275, CVE-2025-9807 and CVE-2025-12197: `order` and search of The Events Calendar, three times in two
years. The parameters come from the OpenAPI document, so a new one is tried as well.
"""

import ast

import pytest
from django.db import connection

from events.models import Event
from tests.factories import CategoryFactory, EventFactory, OrganizerFactory, TagFactory, VenueFactory
from tests.support.api_client import api_client_for
from tests.support.api_writes import stored_rows
from tests.support.openapi_document import fetch_document, path_of
from tests.support.programs import ROOT

pytestmark = pytest.mark.django_db

PAYLOADS = (
    "a,rand()*(SELECT(0)FROM(SELECT(SLEEP(5)))a)#,a",
    "id,(SELECT pg_sleep(5))--",
    "title DESC, (CASE WHEN (1=1) THEN id ELSE title END)",
    "start_local, published_at",
    "-1 UNION SELECT password FROM accounts_user--",
    "1) OR (1=1",
    "1 OR 1=1",
    "' OR '1'='1",
    "'; DROP TABLE events_event;--",
    '"; DROP TABLE events_event;--',
    "') OR ('a'='a",
    "%' OR '%'='",
    "a%27 OR 1=1",
    "'",
    '"',
    "`",
    "''",
    "\\",
    "\\'",
    "a\\",
    "\0",
    "a\0' OR 1=1",
    "%",
    "_",
    "%s",
    "%(id)s",
    "?",
    "$1",
    ":id",
    "--",
    "/*",
    "*/",
    ";",
    "(",
    ")",
    "[",
    "(?=(a+)+$)",
    "__class__",
    "password__startswith",
    "author__password",
    "-author__password",
    "_connector=OR",
    "x" * 10_000,
    "'" * 10_000,
    "\\" * 10_000,
)
# Names that a client may invent.
INVENTED = ("unknown", "title__contains", "_connector", "_negated")
# Parts of the payloads. None of the SQL contains them, unless a payload became a part of it.
TRACES = ("sleep(", "drop table", "union select password", "rand()", "1=1", "'1'='1", "'a'='a", "x" * 100)


@pytest.fixture(scope="module")
def query_parameters(django_db_setup, django_db_blocker):
    """Return the names of the query parameters of each path that can be read."""
    with django_db_blocker.unblock():
        document = fetch_document()
    found = {}
    for path, item in document["paths"].items():
        parameters = [*item.get("parameters", ()), *item["get"].get("parameters", ())] if "get" in item else []
        resolved = [
            document["components"]["parameters"][one["$ref"].rsplit("/", 1)[1]] if "$ref" in one else one
            for one in parameters
        ]
        names = [one["name"] for one in resolved if one["in"] == "query"]
        if "get" in item:
            found[path] = names
    return found


@pytest.fixture
def listed_rows(db):
    linked = {
        "venues": [VenueFactory(title="Hall")],
        "organizers": [OrganizerFactory(title="Club")],
        "categories": [CategoryFactory(name="Music")],
        "tags": [TagFactory(name="Jazz")],
    }
    event = EventFactory(title="Open air", **linked)
    EventFactory(title="Hidden", status="draft")
    return {"events": event, **{name: rows[0] for name, rows in linked.items()}}


def refused_parameters(response):
    """Return the names of the parameters that the response calls invalid."""
    return response.json()["data"].get("params", {}) if response.status_code == 400 else {}


def test_payload_in_any_query_parameter_is_only_a_value(client, editor, query_parameters, listed_rows):
    before = stored_rows()
    visible = set(Event.objects.filter(status="publish").values_list("pk", flat=True))
    callers = (client, api_client_for(editor))
    tried = 0

    def refuse_traces(execute, sql, params, many, context):
        assert not any(trace in sql.casefold() for trace in TRACES), sql
        return execute(sql, params, many, context)

    for path, names in query_parameters.items():
        row = listed_rows.get(path.split("/")[1])
        url = path_of(path, id=row.pk if row else 1, slug=row.slug if row else "x")
        for payload in PAYLOADS:
            # One request with all parameters names each that refuses the payload; it never reaches a query.
            queries = [dict.fromkeys(names, payload), dict.fromkeys(INVENTED, payload)]
            refused = refused_parameters(client.get(url, queries[0]))
            queries += [{name: payload} for name in names if name not in refused]
            for query in queries:
                caller = callers[tried % 2]
                with connection.execute_wrapper(refuse_traces):
                    response = caller.get(url, query)
                tried += 1
                assert response.status_code in (200, 400, 401, 403, 404), (url, query)
                if caller is client and response.status_code == 200 and path == "/events":
                    assert {record["id"] for record in response.json().get("events", ())} <= visible
    assert stored_rows() == before
    assert tried > 2000


# --- The code


# Modules that run SQL written by hand. None of it contains a value of a request.
# Statements about whole tables, put together from the names of tables and columns. No request calls them with text.
DERIVED_DATA_SQL = {
    "calendar_site/content/search_words.py",
    "calendar_site/content/unused_words.py",
    "calendar_site/derived/content_version.py",
    "calendar_site/derived/tables.py",
    "calendar_site/derived/triggers.py",
    "calendar_site/media/file_index.py",
    "events/derived/linked_records_version.py",
    "events/derived/renderings.py",
    "events/derived/term_counts.py",
    "events/listing/tables/sums.py",
}
HAND_WRITTEN_SQL = {
    "calendar_site/accounts/services.py",
    "calendar_site/core/compiled_queries/inserts.py",
    "calendar_site/core/compiled_queries/queries.py",
    "calendar_site/core/compiled_queries/query_shapes.py",
    "calendar_site/core/compiled_queries/querysets.py",
    "calendar_site/core/database/driver.py",
    "calendar_site/core/database/limits.py",
    "calendar_site/core/database/migration_lock.py",
    "calendar_site/core/database/write_lock.py",
    "calendar_site/core/search/index.py",
    "calendar_site/limits/stores.py",
    "calendar_site/monitoring/health.py",
    "calendar_site/replica/routing.py",
    "calendar_site/transfer/backups/databases.py",
    "calendar_site/transfer/exports/writing.py",
    "calendar_site/transfer/sequences.py",
    "events/counts.py",
    "events/querysets.py",
    "events/series/bulk_saves.py",
} | DERIVED_DATA_SQL
RAW_NAMES = {"extra", "raw", "RawSQL", "raw_sql"}


def python_sources():
    for package in ("calendar_site", "events", "venues", "organizers", "taxonomy"):
        for path in (ROOT / package).rglob("*.py"):
            if "migrations" not in path.parts:
                yield path.relative_to(ROOT).as_posix(), ast.parse(path.read_text())


def called_names(tree):
    """Yield the names of the functions and methods that a module calls."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield getattr(node.func, "attr", getattr(node.func, "id", ""))


def test_sql_is_written_by_hand_in_known_places_only():
    modules = set()
    for path, tree in python_sources():
        names = set(called_names(tree))
        assert not RAW_NAMES & names, path
        if {"cursor", "run_sql", "run_as_health_check", "BoundSQL"} & names:
            modules.add(path)

    assert modules == HAND_WRITTEN_SQL


def test_arguments_of_requests_are_never_unpacked_into_queries():
    """`filter(**request.GET)` lets clients name lookups, as in CVE-2025-57833 and CVE-2025-64459."""
    methods = {"filter", "exclude", "get", "annotate", "alias", "order_by", "values", "values_list", "aggregate"}
    sources = {"GET", "POST", "query_params", "data", "initial_data", "arguments", "cleaned_data", "validated_data"}
    for path, tree in python_sources():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in methods:
                unpacked = [word.value for word in node.keywords if word.arg is None]
                starred = [one.value for one in node.args if isinstance(one, ast.Starred)]
                names = {getattr(one, "attr", getattr(one, "id", "")) for one in (*unpacked, *starred)}
                assert not names & sources, f"{path}:{node.lineno}"
