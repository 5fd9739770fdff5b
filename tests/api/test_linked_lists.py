"""The lists of venues and organizers: their order, and filters by event."""

from datetime import UTC, datetime

import pytest

from tests.factories import EventFactory
from tests.support.api_client import API, counted_ids, invalid_params

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


@pytest.mark.parametrize("given", ["", "0", "-1", "word", "1,2", "999999999"])
def test_records_of_no_event_are_refused(client, named, given):
    named.make("Any")

    assert set(invalid_params(client.get(named.list(f"event={given}")))) == {"event"}


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


@pytest.mark.parametrize("given", ["true", "1", "yes", "TRUE", "on"])
def test_records_with_events(client, named, given):
    past, coming, drafted, _idle = (named.make(name) for name in ("Past", "Coming", "Drafted", "Idle"))
    event_of(named, past, **PAST)
    event_of(named, coming, **COMING)
    event_of(named, coming, **COMING)
    event_of(named, drafted, status="draft")
    event_of(named, drafted, status="trash")

    assert linked_ids(client, named, f"has_events={given}") == [coming.pk, past.pk]


@pytest.mark.parametrize("given", ["false", "0", "no", "False", "off"])
def test_records_without_events(client, named, given):
    past, drafted, idle = (named.make(name) for name in ("Past", "Drafted", "Idle"))
    event_of(named, past, **PAST)
    event_of(named, drafted, status="draft")

    assert linked_ids(client, named, f"has_events={given}") == [idle.pk, drafted.pk]


@pytest.mark.parametrize("given", ["", "maybe", "2", "null", "upcoming"])
def test_what_is_no_switch_is_refused(client, named, given):
    response = client.get(named.list(f"has_events={given}&only_with_upcoming={given}"))

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


@pytest.mark.parametrize("count", [1, 3])
def test_single_read_costs_the_same_for_few_and_many_events(client, named, django_assert_num_queries, count):
    row = named.make("Hall")
    for _ in range(count):
        event_of(named, row)

    for path in (named.item(row), f"{named.path}/by-slug/hall"):
        with django_assert_num_queries(1):
            client.get(path)
