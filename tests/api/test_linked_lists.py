"""The lists of venues and organizers: their order, and filters by event."""

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.factories import EventFactory, UserFactory
from tests.support.api_client import API, api_client_for, counted_ids, invalid_params, json_of

NOW = datetime(2027, 3, 10, 12, tzinfo=UTC)

pytestmark = pytest.mark.time_machine(NOW, tick=False)


def linked_ids(client, named, query=""):
    """Return the ids in the list."""
    return counted_ids(client.get(named.list(query)), named.collection)


def event_of(named, *rows, **fields):
    return EventFactory(**{named.collection: list(rows)}, **fields)


def test_newest_come_first(client, named):
    old = named.make("Old", published_at=datetime(2027, 1, 1, tzinfo=UTC))
    new = named.make("New", published_at=datetime(2027, 3, 1, tzinfo=UTC))
    middle = named.make("Middle", published_at=datetime(2027, 2, 1, tzinfo=UTC))
    same = named.make("Made later", published_at=datetime(2027, 2, 1, tzinfo=UTC))

    assert linked_ids(client, named) == [new.pk, same.pk, middle.pk, old.pk]


# --- Of one event


def test_records_of_one_event(client, named):
    first, second, _other = (named.make(name) for name in ("First", "Second", "Other"))
    event = event_of(named, first, second)
    event_of(named, second)

    assert linked_ids(client, named, f"event={event.pk}") == [second.pk, first.pk]
    assert linked_ids(client, named, f"event={EventFactory().pk}") == []


@pytest.mark.parametrize("value", ["", "0", "-1", "word", "1,2", "999999999"])
def test_records_of_no_event_are_refused(client, named, value):
    named.make("Any")

    assert set(invalid_params(client.get(named.list(f"event={value}")))) == {"event"}


def test_event_that_was_trashed_is_none(client, editor_api, named):
    event = event_of(named, named.make("Linked"))

    editor_api.delete(f"{API}/events/{event.pk}")

    for asking in (client, editor_api):
        assert set(invalid_params(asking.get(named.list(f"event={event.pk}")))) == {"event"}


def test_hidden_event_has_its_records(client, named):
    row = named.make("Linked")
    event = event_of(named, row, hide_from_listings=True)

    assert linked_ids(client, named, f"event={event.pk}") == [row.pk]


# --- With events

PAST, COMING = {"start": "2020-01-01 10:00"}, {"start": "2027-04-01 10:00"}


@pytest.mark.parametrize("value", ["true", "1", "yes", "TRUE", "on"])
def test_records_with_events(client, named, value):
    past, coming, drafted, _idle = (named.make(name) for name in ("Past", "Coming", "Drafted", "Idle"))
    event_of(named, past, **PAST)
    event_of(named, coming, **COMING)
    event_of(named, coming, **COMING)
    event_of(named, drafted, status="draft")
    event_of(named, drafted, status="trash")

    assert linked_ids(client, named, f"has_events={value}") == [coming.pk, past.pk]


@pytest.mark.parametrize("value", ["false", "0", "no", "False", "off"])
def test_records_without_events(client, named, value):
    past, drafted, idle = (named.make(name) for name in ("Past", "Drafted", "Idle"))
    event_of(named, past, **PAST)
    event_of(named, drafted, status="draft")

    assert linked_ids(client, named, f"has_events={value}") == [idle.pk, drafted.pk]


@pytest.mark.parametrize("value", ["", "maybe", "2", "null", "upcoming"])
def test_what_is_no_switch_is_refused(client, named, value):
    response = client.get(named.list(f"has_events={value}&only_with_upcoming={value}"))

    assert set(invalid_params(response)) == {"has_events", "only_with_upcoming"}


# --- With events to come


def test_records_with_events_to_come(client, named):
    rows = {
        name: named.make(name)
        for name in ("past", "just over", "ends now", "runs", "runs for years", "tomorrow", "far ahead", "idle")
    }
    event_of(named, rows["past"], **PAST)
    event_of(named, rows["just over"], start="2027-03-10 10:00", end="2027-03-10 11:59:59")
    event_of(named, rows["ends now"], start="2027-03-10 10:00", end="2027-03-10 12:00:00")
    event_of(named, rows["runs"], start="2027-03-10 10:00", end="2027-03-10 12:00:01")
    event_of(named, rows["runs for years"], start="2001-01-01", end="2030-01-01")
    event_of(named, rows["tomorrow"])
    event_of(named, rows["tomorrow"])
    event_of(named, rows["far ahead"], start="2090-01-01 10:00")

    expected = ("far ahead", "tomorrow", "runs for years", "runs")
    assert linked_ids(client, named, "only_with_upcoming=true") == [rows[name].pk for name in expected]
    assert len(linked_ids(client, named, "only_with_upcoming=false")) == len(rows)


def test_event_to_come_in_another_zone_counts_by_its_moment(client, named):
    over, runs = named.make("Over"), named.make("Runs")
    # 12:00 UTC is two hours into the next day at Kiritimati.
    event_of(named, over, start="2027-03-11 01:00", end="2027-03-11 01:59:59", time_zone="Pacific/Kiritimati")
    event_of(named, runs, start="2027-03-09 23:00", end="2027-03-10 00:00:01", time_zone="Etc/GMT+12")

    assert linked_ids(client, named, "only_with_upcoming=true") == [runs.pk]


# --- Totals of public records with events, which are counted by the activity of the records

WITH_EVENTS = [
    "only_with_upcoming=true",
    "has_events=true",
    "has_events=true&only_with_upcoming=true",
    "has_events=true&only_with_upcoming=false",
    "only_with_upcoming=true&orderby=title&order=asc&timezone=Asia/Tokyo",
]
# The status of the record and its publish date, and whether everybody sees it.
STATUSES = [
    ("publish", NOW - timedelta(days=1), True),
    ("publish", NOW, True),
    ("publish", NOW + timedelta(seconds=1), False),
    ("future", NOW - timedelta(seconds=1), True),
    ("future", NOW + timedelta(days=1), False),
    ("draft", NOW - timedelta(days=1), False),
    ("pending", NOW - timedelta(days=1), False),
    ("private", NOW - timedelta(days=1), False),
    ("trash", NOW - timedelta(days=1), False),
]


def totals_of(client, named, *queries):
    return [json_of(client.get(named.list(f"per_page=1&{query}")))["total"] for query in queries]


def set_columns(row, **columns):
    """Change columns with SQL, so that neither services nor signals notice."""
    type(row).objects.filter(pk=row.pk).update(**columns)


@pytest.fixture
def in_every_state(named, author):
    """Records with an event to come, two of each status: of the author and of somebody else. Return those by status."""
    rows = {}
    for position, (status, published_at, _is_public) in enumerate(STATUSES):
        rows[position] = [named.make("Own hall", author=author), named.make("Hall")]
        for row in rows[position]:
            event_of(named, row, **COMING)
            set_columns(row, status=status, published_at=published_at)
    return rows


@pytest.mark.parametrize("reader", [None, "subscriber", "author", "editor"])
@pytest.mark.parametrize("query", WITH_EVENTS)
def test_total_is_of_the_records_that_the_user_sees(request, named, in_every_state, reader, query):
    user = request.getfixturevalue(reader) if reader else None
    event_of(named, named.make("Drafted"), status="draft")
    named.make("Idle")
    expected = set()
    for (status, _published_at, is_public), (own, other) in zip(STATUSES, in_every_state.values(), strict=True):
        sees_all = reader == "editor" and status != "trash"
        expected |= {own.pk} if is_public or sees_all or (reader == "author" and status != "trash") else set()
        expected |= {other.pk} if is_public or sees_all else set()
    if reader == "editor" and "has_events" not in query:
        # Editors see the upcoming draft.
        expected.add(type(other).objects.get(title="Drafted").pk)

    found = linked_ids(api_client_for(user), named, f"per_page=50&{query}")

    assert (len(found), set(found)) == (len(expected), expected)


@pytest.mark.parametrize("query", WITH_EVENTS)
def test_total_has_the_drafts_of_a_user_who_may_change_no_events(named, author, query):
    author.groups.clear()
    author.user_permissions.add(Permission.objects.get(codename=f"change_{named.kind}"))
    for user in (author, UserFactory()):
        event_of(named, named.make("Draft", status="draft", author=user), **COMING)

    assert totals_of(api_client_for(author), named, query) == [1]


@pytest.mark.parametrize("query", WITH_EVENTS)
def test_total_follows_what_becomes_of_a_record(client, editor_api, named, query, time_machine):
    row = named.make("Hall")
    event = event_of(named, row, **COMING)
    totals = {"published": totals_of(client, named, query)}

    editor_api.post(named.item(row), {"status": "draft"})
    totals["unpublished"] = totals_of(client, named, query)
    editor_api.post(named.item(row), {"status": "publish"})
    totals["published again"] = totals_of(client, named, query)
    set_columns(row, status="pending")
    totals["unpublished with SQL"] = totals_of(client, named, query)
    set_columns(row, status="future", published_at=NOW + timedelta(hours=1))
    totals["scheduled with SQL"] = totals_of(client, named, query)
    time_machine.move_to(NOW + timedelta(hours=1), tick=False)
    totals["due"] = totals_of(client, named, query)
    editor_api.delete(named.item(row))
    totals["in the trash"] = totals_of(client, named, query)
    editor_api.post(named.item(row), {"status": "publish"})
    totals["restored without its events"] = totals_of(client, named, query)
    getattr(event, named.collection).add(row.pk)
    totals["linked again"] = totals_of(client, named, query)
    row.delete()
    totals["deleted"] = totals_of(client, named, query)

    assert [name for name, total in totals.items() if total == [1]] == [
        "published", "published again", "due", "linked again"
    ]  # fmt: skip
    assert {tuple(total) for total in totals.values()} == {(0,), (1,)}


def test_record_is_counted_by_its_status_when_it_gets_its_first_event(client, named):
    draft, public = named.make("Draft", status="draft"), named.make("Public")

    for row in (draft, public):
        event_of(named, row, **COMING)

    assert totals_of(client, named, *WITH_EVENTS) == [1] * len(WITH_EVENTS)
    set_columns(draft, status="publish")
    assert totals_of(client, named, *WITH_EVENTS) == [2] * len(WITH_EVENTS)


def test_totals_with_and_without_upcoming_events_differ(client, named):
    for fields in (PAST, PAST, COMING):
        event_of(named, named.make("Hall"), **fields)
    named.make("Idle")

    assert totals_of(client, named, *WITH_EVENTS) == [1, 3, 1, 3, 1]
    assert totals_of(client, named, "has_events=false", "only_with_upcoming=false", "") == [1, 4, 4]
    assert totals_of(client, named, "has_events=false&only_with_upcoming=true") == [0]


@pytest.mark.parametrize(
    ("arguments", "total"), [("search=grand", 1), ("status=publish", 2), ("modified_after=2020-01-01", 2)]
)
@pytest.mark.parametrize("query", WITH_EVENTS[:3])
def test_total_with_another_filter_is_of_both(client, named, query, arguments, total):
    for name in ("Grand hall", "Small hall"):
        event_of(named, named.make(name), **COMING)
    event_of(named, named.make("Grand draft", status="draft"), **COMING)
    named.make("Grand hall, idle")

    assert totals_of(client, named, f"{query}&{arguments}") == [total]


def counting_queries(client, named, query):
    """Return the queries of a request for the total alone that count."""
    with CaptureQueriesContext(connection) as queries:
        assert client.get(named.list(f"{query}&_fields=total")).status_code == 200
    return [each["sql"] for each in queries if each["sql"].startswith("SELECT COUNT(*)")]


@pytest.mark.parametrize("query", WITH_EVENTS)
def test_total_reads_an_index_of_the_activity_only(client, author_api, named, query):
    event_of(named, named.make("Hall"), **COMING)
    records, activity = type(named.make("Idle"))._meta.db_table, f"{named.kind}activity"

    (counting,) = counting_queries(client, named, query)

    assert (f'"events_{activity}"' in counting, f'"{records}"' in counting) == (True, False)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # A small table is read whole even where an index would serve.
            cursor.execute("SET LOCAL enable_seqscan = off")
            cursor.execute("SET LOCAL enable_bitmapscan = off")
        explain = "EXPLAIN QUERY PLAN" if connection.vendor == "sqlite" else "EXPLAIN"
        cursor.execute(f"{explain} {counting.replace('%', '%%')}")
        plan = str(cursor.fetchall())
    assert f"{activity}_upcoming" in plan
    for asking, arguments in ((client, f"{query}&search=hall"), (author_api, query)):
        (counting,) = counting_queries(asking, named, arguments)
        assert f'"{records}"' in counting


# --- Together


def test_filters_together_narrow_the_list(client, named):
    wanted = named.make("Grand hall")
    event = event_of(named, wanted, **COMING)
    event_of(named, named.make("Grand hall"), **COMING)  # of another event
    event_of(named, named.make("Small hall"), **COMING)
    named.make("Grand hall, idle")
    query = f"search=grand&has_events=1&only_with_upcoming=1&event={event.pk}&status=publish"

    assert linked_ids(client, named, query) == [wanted.pk]
    assert linked_ids(client, named, query.replace("has_events=1", "has_events=0")) == []


def test_every_fault_is_named_in_one_answer(client, named):
    query = "page=0&per_page=x&search=&event=x&has_events=x&only_with_upcoming=x&status=x"

    assert set(invalid_params(client.get(named.list(query)))) == {part.partition("=")[0] for part in query.split("&")}


def test_search_finds_nothing_in_the_trash(editor_api, named):
    trashed, draft = named.make("Hall one", status="trash"), named.make("Hall two", status="draft")

    assert linked_ids(editor_api, named, "search=hall") == [draft.pk]
    assert linked_ids(editor_api, named, "search=hall&status=trash,draft") == [draft.pk]
    assert linked_ids(editor_api, named, "status=trash") == [trashed.pk]


# --- Queries


@pytest.mark.parametrize("count", [1, 3])
def test_filtered_list_costs_the_same_for_few_and_many(client, named, django_assert_num_queries, count):
    rows = [named.make(f"Hall {number}") for number in range(count)]
    event = event_of(named, *rows)
    query = f"search=hall&has_events=1&only_with_upcoming=1&event={event.pk}"

    # The event, what it shows, the index of the search text, unsettled events, count, ids of the page, rows.
    with django_assert_num_queries(7):
        response = client.get(named.list(query))

    assert response["X-TEC-Total"] == str(count)


@pytest.mark.parametrize("query", WITH_EVENTS)
@pytest.mark.parametrize("count", [1, 3])
def test_list_with_events_costs_the_same_for_few_and_many(client, named, django_assert_num_queries, count, query):
    for _ in range(count):
        event_of(named, named.make("Hall"))

    # Unsettled events, rows with their total. In another order: unsettled events, count, ids of the page, rows.
    with django_assert_num_queries(4 if "orderby" in query else 2):
        response = client.get(named.list(query))

    assert response["X-TEC-Total"] == str(count)


@pytest.mark.parametrize("count", [1, 3])
def test_single_read_costs_the_same_for_few_and_many_events(client, named, django_assert_num_queries, count):
    row = named.make("Hall")
    for _ in range(count):
        event_of(named, row)

    for path in (named.item(row), f"{named.path}/by-slug/hall"):
        with django_assert_num_queries(1):
            client.get(path)
