"""`orderby`, `order`, `modified_after`, `modified_before` and `timezone` of events, venues and organizers."""

from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.http import urlencode

from tests.factories import EventFactory, VenueFactory
from tests.support.api_client import api_client_for, invalid_params, listed_ids
from tests.support.resources import EVENTS

pytestmark = pytest.mark.django_db


def listed(client, resource, **arguments):
    return listed_ids(client.get(resource.list(urlencode(arguments))), resource.collection)


def set_times(row, **times):
    type(row).objects.filter(pk=row.pk).update(**times)


def day(number):
    return datetime(2026, 1, number, 12, tzinfo=UTC)


# --- Order


@pytest.mark.parametrize(("key", "column"), [("date", "published_at"), ("modified", "modified_at")])
def test_the_newest_come_first_and_equal_ones_by_id(client, content, key, column):
    rows = [content.make(f"Row {number}") for number in range(4)]
    for row, number in zip(rows, (2, 1, 2, 3), strict=True):
        set_times(row, **{column: day(number)})
    ids = [row.pk for row in rows]
    newest_first = [ids[3], ids[2], ids[0], ids[1]]

    assert listed(client, content, orderby=key) == newest_first
    assert listed(client, content, orderby=key.upper(), order="DESC") == newest_first
    assert listed(client, content, orderby=key, order="asc") == newest_first[::-1]


def test_order_by_title(client, content):
    ids = {title: content.make(title).pk for title in ("Blues", "Adagio", "Coda")}
    same = content.make("Blues", **({} if content is EVENTS else {"description": "Another"})).pk
    by_title = [ids["Adagio"], ids["Blues"], same, ids["Coda"]]

    assert listed(client, content, orderby="title") == by_title
    assert listed(client, content, orderby="title", order="desc") == by_title[::-1]


def test_order_of_events_by_start_and_end(client):
    long = EventFactory(start="tomorrow 10:00", end="tomorrow 23:00").pk
    short = EventFactory(start="tomorrow 11:00", end="tomorrow 12:00").pk
    same = EventFactory(start="tomorrow 11:00", end="tomorrow 12:00").pk

    assert listed(client, EVENTS) == listed(client, EVENTS, orderby="start_date") == [long, short, same]
    assert listed(client, EVENTS, order="desc") == [same, short, long]
    assert listed(client, EVENTS, orderby="end_date") == [short, same, long]
    assert listed(client, EVENTS, orderby="end_date", order="desc") == [long, same, short]


def test_order_of_events_by_distance(client):
    near, far = (VenueFactory(geo_lat=52.5, geo_lng=lng) for lng in (13.40, 13.45))
    later = EventFactory(start="tomorrow 20:00", venues=[near]).pk
    sooner = EventFactory(start="tomorrow 10:00", venues=[far]).pk
    EventFactory()  # nowhere
    place = {"geoloc_lat": 52.5, "geoloc_lng": 13.4}

    assert listed(client, EVENTS, **place) == [sooner, later]
    assert listed(client, EVENTS, **place, orderby="distance") == [later, sooner]
    assert listed(client, EVENTS, **place, orderby="distance", order="desc") == [sooner, later]
    assert listed(client, EVENTS, **place, orderby="start_date", order="desc") == [later, sooner]


def test_included_events_are_ordered_too(client):
    first, second = EventFactory(title="Blues"), EventFactory(title="Adagio")
    for row, number in ((first, 1), (second, 2)):
        set_times(row, published_at=day(number))
    ids = f"{second.pk},{first.pk}"

    assert listed(client, EVENTS, include=ids) == [first.pk, second.pk]
    assert listed(client, EVENTS, include=ids, orderby="date") == [second.pk, first.pk]
    assert listed(client, EVENTS, include=ids, order="desc") == [second.pk, first.pk]
    assert listed(client, EVENTS, include=ids, orderby="title") == [second.pk, first.pk]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"orderby": "luck"}, "Use one of these: "),
        ({"orderby": ""}, "Use one of these: "),
        ({"orderby": "relevance"}, "This parameter also requires search."),
    ],
)
def test_keys_without_meaning_are_errors(client, content, arguments, message):
    assert message in invalid_params(client.get(content.list(urlencode(arguments))))["orderby"]


def test_errors_of_orders(client, content):
    assert set(invalid_params(client.get(content.list("order=sideways&orderby=relevance&search=x")))) == {"order"}
    assert "orderby" in invalid_params(client.get(EVENTS.list("orderby=distance")))
    assert "orderby" in invalid_params(client.get(EVENTS.list("orderby=distance&geoloc_lat=1&geoloc_lng=1&include=1")))


# --- Relevance


def test_order_by_relevance(client, content):
    elsewhere = content.make("Rock", description="jazz night")
    in_title = content.make("Night of jazz")
    prefix = content.make("Jazz night out")
    exact = content.make("Jázz Night")
    content.make("Jazz")
    best_first = [exact.pk, prefix.pk, in_title.pk, elsewhere.pk]
    assert listed(client, content, search="jazz night", orderby="relevance") == best_first
    assert listed(client, content, search="jazz night", orderby="relevance", order="asc") == best_first[::-1]


def test_equally_relevant_records_are_in_their_usual_order(client, content):
    rows = [content.make(f"Jazz {number}") for number in range(3)]
    usual = listed(client, content, search="jazz")

    assert sorted(usual) == [row.pk for row in rows]
    assert listed(client, content, search="jazz", orderby="relevance") == usual
    assert listed(client, content, search="-rock", orderby="relevance") == usual


def test_relevance_does_not_depend_on_fields_behind_a_password(client, editor):
    protected = EventFactory(title="Jazz and more", description="blues", password="secret")
    plain = EventFactory(title="Jazz and more", description="blues")

    assert listed(client, EVENTS, search="jazz more", orderby="relevance") == [protected.pk, plain.pk]
    assert listed(client, EVENTS, search="blues", orderby="relevance") == [plain.pk]
    assert listed(api_client_for(editor), EVENTS, search="blues", orderby="relevance") == [protected.pk, plain.pk]


# --- Pages and links


@pytest.mark.parametrize("order", ["asc", "desc"])
@pytest.mark.parametrize("key", ["title", "date", "modified", "relevance"])
def test_pages_of_an_order_are_complete(client, content, key, order):
    rows = [content.make("Jazz") if content is EVENTS else content.make(f"Jazz {n}") for n in range(5)]
    for row in rows:
        set_times(row, published_at=day(1), modified_at=day(1))
    found, url = [], content.list(f"search=jazz&orderby={key}&order={order}&per_page=2")
    while url:
        page = client.get(url).json()
        found += [record["id"] for record in page[content.collection]]
        url = page.get("next_rest_url", "")
        assert f"orderby={key}&order={order}" in page["rest_url"]

    assert sorted(found) == [row.pk for row in rows]
    assert found == listed(client, content, search="jazz", orderby=key, order=order)


@pytest.mark.parametrize(("query", "more"), [("orderby=title", 2), ("orderby=modified", 2), ("timezone=Asia/Tokyo", 0)])
def test_an_order_costs_queries_for_the_total_and_the_ids_of_the_page(
    client, content, query, more, django_assert_num_queries
):
    content.make("Jazz")
    with CaptureQueriesContext(connection) as queries:
        client.get(content.list())
    if content.collection == "events":
        # All lists of events begin with the total and the ids.
        more = 0

    with django_assert_num_queries(len(queries) + more):
        client.get(content.list(query))


# --- Changes


def test_the_last_change_costs_a_query_for_the_ids_of_events(client, content, django_assert_num_queries):
    content.make("Jazz")
    with CaptureQueriesContext(connection) as queries:
        client.get(content.list())

    with django_assert_num_queries(len(queries) + (content is EVENTS)):
        client.get(content.list("modified_after=2020-01-01"))


def test_records_by_the_time_of_their_last_change(client, content):
    rows = [content.make(f"Row {number}") for number in range(3)]
    for number, row in enumerate(rows, 1):
        set_times(row, modified_at=day(number))
    first, second, third = (row.pk for row in rows)

    def found(**arguments):
        return sorted(listed(client, content, **arguments))

    assert found(modified_after="2026-01-02 12:00:00") == [third]
    assert found(modified_before="2026-01-02 12:00:00") == [first]
    assert found(modified_after="2026-01-01 12:00:00", modified_before="2026-01-03 12:00:00") == [second]
    assert found(modified_after="2026-01-02 12:00:00", timezone="Asia/Tokyo") == [second, third]
    assert found(modified_after="2026-01-02T12:00:00Z", timezone="Asia/Tokyo") == [third]
    assert found(modified_after="2026-01-02 12:00:00", timezone="asia/tokyo", orderby="modified") == [second, third]


def test_errors_of_times_of_changes(client, content):
    assert set(invalid_params(client.get(content.list("modified_after=x&modified_before=&timezone=Mars/Base")))) == {
        "modified_after", "modified_before", "timezone",
    }  # fmt: skip


# --- Time zone


def test_dates_are_read_in_the_time_zone_of_the_parameter(client):
    # 23:00 in Tokyo on the day before.
    evening = EventFactory(start="2030-05-04 14:00", end="2030-05-04 14:30", time_zone="UTC").pk
    night = EventFactory(start="2030-05-04 15:00", end="2030-05-04 15:30", time_zone="UTC").pk
    window = {"start_date": "2030-05-05", "end_date": "2030-05-05"}

    assert listed(client, EVENTS, **window) == []
    assert listed(client, EVENTS, **window, timezone="Asia/Tokyo") == [night]
    assert listed(client, EVENTS, start_date="2030-05-04", end_date="2030-05-04", timezone="Asia/Tokyo") == [evening]
    assert listed(client, EVENTS, starts_after="2030-05-04", timezone="Asia/Tokyo") == [night]


def test_links_keep_the_time_zone_and_the_window(client, settings):
    settings.SITE_TIME_ZONE = "Pacific/Honolulu"
    rows = [EventFactory(start=f"tomorrow {hour}:00").pk for hour in (1, 12, 23)]

    page = client.get(EVENTS.list("timezone=Pacific/Kiritimati&per_page=2")).json()
    rest = client.get(page["next_rest_url"]).json()

    assert [event["id"] for event in page["events"] + rest["events"]] == rows
    assert page["rest_url"].split("&page")[0] == rest["previous_rest_url"]
    assert "timezone=Pacific%2FKiritimati" in page["rest_url"]
