"""The history of changes that are made through the API."""

from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from calendar_site.accounts.services import create_user
from events.models import Event
from organizers.models import Organizer
from taxonomy.models import Category, Tag
from tests.factories import (
    CategoryFactory,
    EventFactory,
    OrganizerFactory,
    TagFactory,
    TicketFactory,
    VenueFactory,
)
from tests.support.api_client import API, api_client_for
from tests.support.api_writes import created_record, event_data, updated_record
from tests.support.history import all_revisions, last_revision, recorded_changes
from venues.models import Venue

pytestmark = pytest.mark.django_db

NOW = datetime(2027, 3, 10, 12, tzinfo=UTC)
# A record of each kind as the factory makes it, its address, and its field for a name.
KINDS = {
    "event": (EventFactory, "events", "title", "title"),
    "venue": (VenueFactory, "venues", "venue", "title"),
    "organizer": (OrganizerFactory, "organizers", "organizer", "title"),
    "category": (CategoryFactory, "categories", "name", "name"),
    "tag": (TagFactory, "tags", "name", "name"),
}
MADE = ("created", "", "command", [])


@pytest.fixture(params=KINDS)
def api_kind(request):
    return KINDS[request.param]


def test_a_new_record_is_recorded_once(api_kind, editor_api, editor, time_machine):
    time_machine.move_to(NOW, tick=False)
    factory, collection, name, field = api_kind
    body = event_data(title="Jazz") if collection == "events" else {name: "Jazz"}

    answer = created_record(editor_api.post(f"{API}/{collection}", body))

    row = factory._meta.model.objects.get(pk=answer["id"])
    state = last_revision(row)
    assert recorded_changes(row) == [("created", "editor", "api", [])]
    assert (state.history_date, state.history_user_id) == (NOW, editor.pk)
    assert getattr(state, field) == "Jazz"


def test_a_change_is_recorded_with_what_has_changed(api_kind, editor_api):
    factory, collection, name, field = api_kind
    row = factory()

    updated_record(editor_api.post(f"{API}/{collection}/{row.pk}", {name: "New", "description": "<p>New</p>"}))

    assert recorded_changes(row) == [MADE, ("changed", "editor", "api", [field, "description"])]
    assert getattr(last_revision(row), field) == "New"


def test_what_is_sent_back_unchanged_is_no_change(api_kind, editor_api):
    factory, collection, *_names = api_kind
    row = factory()
    path = f"{API}/{collection}/{row.pk}"

    updated_record(editor_api.put(path, editor_api.get(path).json()))
    updated_record(editor_api.post(path, {}))

    assert recorded_changes(row) == [MADE]


def test_an_event_with_everything_is_sent_back_without_a_change(editor_api):
    event = EventFactory(
        time_zone="Europe/Rome",
        cost="$5 - $10",
        password="secret",
        categories=[CategoryFactory(), CategoryFactory()],
        tags=[TagFactory()],
        venues=[VenueFactory(), VenueFactory()],
        organizers=[OrganizerFactory()],
        tickets=[{"name": "Seat", "price": "12.5", "currency": "EUR", "available_from": NOW}],
    )
    path = f"{API}/events/{event.pk}"

    updated_record(editor_api.put(path, editor_api.get(path).json()))

    assert recorded_changes(event) == [MADE]


def test_links_and_tickets_are_part_of_the_state(editor_api):
    venues, organizers = VenueFactory.create_batch(2), OrganizerFactory.create_batch(2)
    categories, tags = CategoryFactory.create_batch(2), TagFactory.create_batch(2)
    body = event_data(
        venue=[venues[1].pk, venues[0].pk],
        organizer=[organizers[1].pk, organizers[0].pk],
        categories=[categories[1].pk, categories[0].pk],
        tags=[tags[0].pk],
        tickets=[{"name": "Seat", "price": "12.5", "currency": "EUR", "available_from": "2030-05-01 09:00:00"}],
    )

    event = Event.objects.get(pk=created_record(editor_api.post(f"{API}/events", body))["id"])

    seat = {
        "name": "Seat",
        "price": "12.50",
        "currency": "EUR",
        "url": "",
        "available_from": "2030-05-01T09:00:00+00:00",
        "available_until": None,
        "sold_out": False,
    }
    assert last_revision(event).history_extra == {
        "categories": [categories[0].pk, categories[1].pk],
        "tags": [tags[0].pk],
        "venues": [venues[1].pk, venues[0].pk],
        "organizers": [organizers[1].pk, organizers[0].pk],
        "tickets": [seat],
        "password": False,
    }


LINKED = {
    "venue": (VenueFactory, "venues"),
    "organizer": (OrganizerFactory, "organizers"),
    "categories": (CategoryFactory, "categories"),
    "tags": (TagFactory, "tags"),
}


@pytest.mark.parametrize("key", LINKED)
def test_a_change_of_links_is_a_change_of_the_event(editor_api, key):
    factory, name = LINKED[key]
    old, new = factory.create_batch(2)
    event = EventFactory(**{name: [old]})
    path = f"{API}/events/{event.pk}"

    updated_record(editor_api.post(path, {key: [old.pk]}))
    updated_record(editor_api.post(path, {key: [new.pk]}))
    updated_record(editor_api.post(path, {"title": "Other"}))
    updated_record(editor_api.post(path, {key: []}))

    links = [state.history_extra[name] for state in Event.history.filter(id=event.pk).order_by("history_id")]
    assert [change[3] for change in recorded_changes(event)] == [[], [name], ["title"], [name]]
    assert links == [[old.pk], [new.pk], [new.pk], []]
    assert recorded_changes(new) == [MADE]


def test_the_order_of_venues_is_part_of_the_state(editor_api):
    first, second = VenueFactory.create_batch(2)
    event = EventFactory(venues=[first, second])

    updated_record(editor_api.post(f"{API}/events/{event.pk}", {"venue": [second.pk, first.pk]}))

    assert recorded_changes(event) == [MADE, ("changed", "editor", "api", ["venues"])]


def test_links_that_were_there_before_any_history_are_kept(editor_api):
    venue = VenueFactory()
    event = EventFactory(venues=[venue])
    TicketFactory(event=event)
    Event.history.all().delete()

    updated_record(editor_api.post(f"{API}/events/{event.pk}", {"title": "New"}))

    assert recorded_changes(event) == [("changed", "editor", "api", ["title"])]
    assert last_revision(event).history_extra["venues"] == [venue.pk]
    assert [ticket["name"] for ticket in last_revision(event).history_extra["tickets"]] == ["Admission"]


def test_what_an_event_creates_is_recorded_by_itself(editor_api):
    body = event_data(venue={"venue": "Hall"}, organizer={"organizer": "Us"}, categories=["Music"], tags=["Free"])

    created_record(editor_api.post(f"{API}/events", body))

    made = [recorded_changes(model.objects.get()) for model in (Venue, Organizer, Category, Tag)]
    assert made == [[("created", "editor", "api", [])]] * 4


def test_times_cost_and_tickets_are_told_by_the_names_of_their_fields(editor_api):
    event = EventFactory(start="2030-05-04 18:00", end="2030-05-04 20:00", cost="$5")
    path = f"{API}/events/{event.pk}"

    for body in (
        {"start_date": "2030-05-04 17:00"},
        {"timezone": "Europe/Rome"},
        {"all_day": True},
        {"cost": "€7"},
        {"cost": "7"},
        {"tickets": [{"name": "Seat", "price": 5, "currency": "EUR"}]},
        {"tickets": [{"name": "Seat", "price": "5.00", "currency": "EUR"}]},
        {"featured": True, "date": "2020-01-01 10:00:00"},
    ):
        updated_record(editor_api.post(path, body))

    assert [change[3] for change in recorded_changes(event)[1:]] == [
        ["start"],
        ["start", "end", "time_zone"],
        ["start", "end", "all_day"],
        ["cost"],
        ["cost"],
        ["tickets"],
        ["published_at", "featured"],
    ]


def test_of_a_password_it_is_kept_that_there_is_one(editor_api):
    event = EventFactory()
    path = f"{API}/events/{event.pk}"

    for password in ("swordfish", "swordfish", "sesame", ""):
        updated_record(editor_api.post(path, {"post_password": password}))

    states = Event.history.filter(id=event.pk).order_by("history_id")
    assert [change[3] for change in recorded_changes(event)] == [[], ["password"], ["password"], ["password"]]
    assert [state.history_extra["password"] for state in states] == [False, True, True, False]
    assert not any(secret in str(all_revisions()) for secret in ("swordfish", "sesame"))


@pytest.mark.parametrize("name", ["event", "venue", "organizer"])
def test_the_trash_and_the_way_out_of_it_are_told_apart(name, editor_api):
    factory, collection, *_names = KINDS[name]
    row = factory()
    path = f"{API}/{collection}/{row.pk}"

    updated_record(editor_api.delete(path))
    updated_record(editor_api.post(path, {"status": "draft"}))
    updated_record(editor_api.post(path, {"status": "trash"}))

    assert recorded_changes(row) == [
        MADE,
        ("trashed", "editor", "api", ["status"]),
        ("untrashed", "editor", "api", ["status"]),
        ("trashed", "editor", "api", ["status"]),
    ]


def test_a_venue_in_the_trash_tells_which_events_have_lost_it(editor_api):
    venue = VenueFactory()
    events = EventFactory.create_batch(2, venues=[venue])
    EventFactory(venues=[VenueFactory()])

    updated_record(editor_api.delete(f"{API}/venues/{venue.pk}"))

    assert last_revision(venue).history_extra == {"unlinked_events": [event.pk for event in events]}
    assert [recorded_changes(event) for event in events] == [[MADE], [MADE]]


def test_a_term_that_goes_tells_which_events_and_children_it_had(editor_api):
    above = CategoryFactory()
    category = CategoryFactory(name="Music", parent=above)
    child = CategoryFactory(parent=category)
    event = EventFactory(categories=[category])

    updated_record(editor_api.delete(f"{API}/categories/{category.pk}"))

    state = last_revision(category)
    assert recorded_changes(category) == [MADE, ("deleted", "editor", "api", [])]
    assert (state.name, state.parent_id, state.history_type) == ("Music", above.pk, "-")
    assert state.history_extra == {"unlinked_events": [event.pk], "children": [child.pk]}
    assert (recorded_changes(event), recorded_changes(child)) == ([MADE], [MADE])


def test_what_is_refused_is_not_recorded(api_kind, editor_api):
    factory, collection, name, _field = api_kind
    row = factory()
    subscriber_api = api_client_for(create_user("reader", "subscriber"))
    before = all_revisions()
    path = f"{API}/{collection}/{row.pk}"

    refused = [
        subscriber_api.post(path, {name: "Mine"}),
        subscriber_api.delete(path),
        editor_api.post(path, {name: ""}),
        editor_api.post(f"{API}/{collection}", {}),
    ]

    assert [response.status_code for response in refused] == [403, 403, 400, 400]
    assert all_revisions() == before


def test_nothing_is_left_of_a_write_that_comes_to_nothing(editor_api):
    body = event_data(venue={"venue": "Hall"}, author=12345)
    before = all_revisions()

    assert editor_api.post(f"{API}/events", body).status_code == 400

    assert all_revisions() == before


def test_publication_by_time_alone_is_nobodys_change(editor_api, time_machine):
    time_machine.move_to(NOW, tick=False)
    event = EventFactory(status="publish", published_at=datetime(2027, 3, 11, tzinfo=UTC))
    time_machine.move_to(datetime(2027, 3, 12, tzinfo=UTC))

    updated_record(editor_api.post(f"{API}/events/{event.pk}", {"title": "New"}))

    assert recorded_changes(event) == [MADE, ("changed", "editor", "api", ["title"])]


def test_a_method_that_is_overridden_is_recorded_as_what_it_is(editor_api):
    event = EventFactory()

    updated_record(editor_api.post(f"{API}/events/{event.pk}?_method=DELETE"))

    assert recorded_changes(event)[1:] == [("trashed", "editor", "api", ["status"])]


def test_the_name_of_a_deleted_account_stays(editor_api, editor):
    event = EventFactory()
    updated_record(editor_api.post(f"{API}/events/{event.pk}", {"title": "New"}))

    editor.delete()

    assert recorded_changes(event)[1:] == [("changed", "editor", "api", ["title"])]


# --- What it costs -------------------------------------------------------------------------------


def for_history(write):
    """The beginnings of the queries that `write` runs for the sake of the history."""
    with CaptureQueriesContext(connection) as queries:
        write()
    statements = [query["sql"] for query in queries]
    found = [sql for sql in statements if "historical" in sql or ("UNION ALL" in sql and "events_ticket" in sql)]
    return [" ".join(sql.split()[:3]).replace('"', "").lstrip("(") for sql in found]


LINKS, STATE = "SELECT events_ticket.event_id AS", "INSERT INTO events_historicalevent"
# The last public revision of a record that is trashed, which the review keeps.
KEPT = "INSERT INTO review_review"


def test_an_event_costs_two_queries_more(editor_api):
    event = EventFactory(venues=[VenueFactory()])
    path = f"{API}/events/{event.pk}"

    made = for_history(lambda: created_record(editor_api.post(f"{API}/events", event_data())))
    changed = for_history(lambda: updated_record(editor_api.post(path, {"title": "New"})))
    unchanged = for_history(lambda: updated_record(editor_api.post(path, {"title": "New"})))
    read = for_history(lambda: editor_api.get(path))
    trashed = for_history(lambda: updated_record(editor_api.delete(path)))

    assert (made, changed, unchanged, read) == ([STATE], [LINKS, STATE], [LINKS], [])
    assert trashed == [LINKS, STATE, "SELECT events_historicalevent.id, events_historicalevent.history_kind,", KEPT]


@pytest.mark.parametrize("name", ["venue", "organizer", "category", "tag"])
def test_other_records_cost_a_query_more(name, editor_api):
    factory, collection, key, _field = KINDS[name]
    row = factory()
    EventFactory.create_batch(3, **{collection: [row]})
    path = f"{API}/{collection}/{row.pk}"
    table = row.history.model._meta.db_table
    state = f"INSERT INTO {table}"

    made = for_history(lambda: created_record(editor_api.post(f"{API}/{collection}", {key: "Other"})))
    changed = for_history(lambda: updated_record(editor_api.post(path, {key: "New"})))
    read = for_history(lambda: editor_api.get(path))
    gone = for_history(lambda: updated_record(editor_api.delete(path)))

    kept = [f"SELECT {table}.id, {table}.history_kind,", KEPT] if name in ("venue", "organizer") else []
    assert (made, changed, read, gone) == ([state], [state], [], [state, *kept])
