"""Whether, how and how accessibly events take place: in the API, its filters, the history and the pages."""

from datetime import UTC, datetime

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from calendar_site.api.shapes import to_list
from events.derived.renderings import save_missing_renderings
from events.index_models import EventRendering
from events.models import Event
from events.services import cancel_event, duplicate_event, undo_cancellation
from tests.factories import EventFactory, TicketFactory, UserFactory, VenueFactory
from tests.support.api_client import API, api_client_for, invalid_params, listed_ids
from tests.support.html_page import details_of, parse_page

pytestmark = pytest.mark.django_db

EVENTS = f"{API}/events"
LIST = f"{EVENTS}?start_date=2030-01-01&end_date=2030-12-31"
KEYS = (
    "event_status",
    "event_status_reason",
    "previous_start_date",
    "sold_out",
    "attendance_mode",
    "online_url",
    "hide_online_url",
    "accessibility",
)
UNUSUAL = {
    "event_status": "rescheduled",
    "event_status_reason": "Storm warning",
    "previous_start_date": "2030-05-03 18:00:00",
    "sold_out": True,
    "attendance_mode": "mixed",
    "online_url": "https://meet.example.org/1",
    "hide_online_url": False,
    "accessibility": ["hearing_loop", "quiet_hour"],
}
HIDDEN = {"attendance_mode": "online", "online_url": "https://meet.example.org/1", "hide_online_url": True}
DATES = {"title": "Fair", "start_date": "2030-05-04 18:00:00", "end_date": "2030-05-04 20:00:00"}


@pytest.fixture
def api_for(db):
    """Return a function that returns a client for an account with this role; None for no account."""
    return lambda role: api_client_for(role and UserFactory(role=role))


def life_of(response):
    assert response.status_code in (200, 201), response.content
    return {name: response.json()[name] for name in KEYS}


def in_future(**fields):
    return EventFactory(start="2030-05-04 18:00", end="2030-05-04 20:00", **fields)


# --- Writing


def test_create_sets_all_fields(editor_api):
    response = editor_api.post(EVENTS, DATES | UNUSUAL)

    assert life_of(response) == UNUSUAL
    assert life_of(editor_api.get(f"{EVENTS}/{response.json()['id']}")) == UNUSUAL


def test_create_without_the_fields_is_scheduled_in_person(editor_api):
    assert life_of(editor_api.post(EVENTS, DATES)) == {
        "event_status": "scheduled",
        "event_status_reason": "",
        "previous_start_date": "",
        "sold_out": False,
        "attendance_mode": "in_person",
        "online_url": "",
        "hide_online_url": False,
        "accessibility": [],
    }


def test_record_can_be_sent_back_unchanged(editor_api):
    created = editor_api.post(EVENTS, DATES | UNUSUAL | {"timezone": "America/Halifax"})
    before = Event.history.count()

    response = editor_api.put(f"{EVENTS}/{created.json()['id']}", created.json())

    assert life_of(response) == UNUSUAL
    assert Event.history.count() == before


def test_empty_values_clear_the_fields(editor_api):
    event = editor_api.post(EVENTS, DATES | UNUSUAL).json()
    cleared = {"event_status_reason": "", "online_url": None, "accessibility": []}

    response = editor_api.patch(f"{EVENTS}/{event['id']}", cleared)

    assert life_of(response) == UNUSUAL | {"event_status_reason": "", "online_url": "", "accessibility": []}


def test_features_are_stored_once_and_in_order(editor_api):
    response = editor_api.post(EVENTS, DATES | {"accessibility": "quiet_hour,step_free,quiet_hour"})

    assert response.json()["accessibility"] == ["step_free", "quiet_hour"]


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        (
            "event_status",
            "canceled",
            "Not a valid choice. Use one of these: scheduled, cancelled, postponed, rescheduled, moved_online.",
        ),
        ("event_status", ["cancelled"], None),
        ("event_status", {"a": 1}, None),
        ("attendance_mode", "hybrid", "Not a valid choice. Use one of these: in_person, online, mixed."),
        ("attendance_mode", 1, None),
        ("event_status_reason", "x" * 501, "Must have at most 500 characters."),
        ("event_status_reason", 5, "Must be a string."),
        ("previous_start_date", "soon-ish", None),
        ("sold_out", "perhaps", "Must be a boolean: true or false."),
        ("hide_online_url", "perhaps", "Must be a boolean: true or false."),
        ("online_url", "javascript:alert(1)", "Enter a URL that starts with http:// or https://."),
        (
            "accessibility",
            ["step_free", "lift"],
            "Unknown: lift. Use any of these: step_free, hearing_loop, sign_language, quiet_hour.",
        ),
        ("accessibility", [{"a": 1}], None),
        ("accessibility", [["step_free"]], None),
        ("accessibility", 5, None),
        ("accessibility", {"step_free": True}, None),
    ],
)
def test_invalid_value_is_rejected(editor_api, name, value, message):
    errors = invalid_params(editor_api.post(EVENTS, DATES | {name: value}))

    assert list(errors) == [name]
    assert message is None or errors[name] == message
    assert not Event.objects.exists()


@pytest.mark.parametrize(
    ("fields", "errors"),
    [
        ({"event_status": "rescheduled"}, {"previous_start_date": "A rescheduled event needs its previous start."}),
        (
            {"previous_start_date": "2030-05-01"},
            {"previous_start_date": "Only a rescheduled event has a previous start."},
        ),
        (
            {"event_status": "moved_online", "attendance_mode": "in_person"},
            {"attendance_mode": "An event that has moved online cannot be in person only."},
        ),
    ],
)
def test_contradicting_values_are_rejected(editor_api, fields, errors):
    assert invalid_params(editor_api.post(EVENTS, DATES | fields)) == errors


def test_rescheduling_keeps_the_old_start(editor_api):
    event = in_future(time_zone="America/Halifax")
    changes = {"event_status": "rescheduled", "start_date": "2030-06-01 18:00:00", "end_date": "2030-06-01 20:00:00"}

    response = editor_api.patch(f"{EVENTS}/{event.pk}", changes)

    assert response.json()["previous_start_date"] == "2030-05-04 18:00:00"
    back = editor_api.patch(f"{EVENTS}/{event.pk}", {"event_status": "scheduled"})
    assert back.json()["previous_start_date"] == ""


def test_moving_online_changes_the_attendance(editor_api):
    event = in_future()

    response = editor_api.patch(f"{EVENTS}/{event.pk}", {"event_status": "moved_online"})

    assert response.json()["attendance_mode"] == "online"


@pytest.mark.parametrize("role", [None, "subscriber", "author"])
def test_strangers_cannot_cancel(api_for, role):
    event = in_future()

    response = api_for(role).patch(f"{EVENTS}/{event.pk}", {"event_status": "cancelled"})

    assert response.status_code in (401, 403)
    event.refresh_from_db()
    assert event.event_status == "scheduled"


def test_venue_has_features(editor_api):
    created = editor_api.post(f"{API}/venues", {"venue": "Hall", "accessibility": ["sign_language", "step_free"]})

    assert created.json()["accessibility"] == ["step_free", "sign_language"]
    updated = editor_api.patch(f"{API}/venues/{created.json()['id']}", {"accessibility": None})
    assert updated.json()["accessibility"] == []


def test_venue_within_an_event_shows_its_features_after_they_changed(client, editor_api):
    venue = VenueFactory(accessibility=["step_free"])
    in_future(venues=[venue])
    assert client.get(LIST).json()["events"][0]["venue"]["accessibility"] == ["step_free"]

    editor_api.patch(f"{API}/venues/{venue.pk}", {"accessibility": ["hearing_loop"]})

    assert client.get(LIST).json()["events"][0]["venue"]["accessibility"] == ["hearing_loop"]


# --- Filters


def test_cancelled_event_stays_listed(client):
    event = in_future(event_status="cancelled")

    assert listed_ids(client.get(LIST), "events") == [event.pk]


@pytest.mark.parametrize("extra", ["", "&venue={venue}", "&search=Event"])
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("event_status=cancelled", ["cancelled"]),
        ("event_status=Cancelled,postponed", ["cancelled", "postponed"]),
        ("event_status=scheduled", ["online", "accessible", "hall"]),
        ("attendance_mode=online", ["online"]),
        ("attendance_mode[]=online&attendance_mode[]=mixed", ["cancelled", "online"]),
        ("accessibility=hearing_loop", ["accessible"]),
        ("accessibility=step_free", ["accessible", "hall"]),
        ("accessibility=step_free,hearing_loop", ["accessible"]),
        ("accessibility=quiet_hour", []),
    ],
)
def test_filters_find_events(client, query, found, extra):
    club, hall = VenueFactory(), VenueFactory(accessibility=["step_free"])
    closed = VenueFactory(accessibility=["quiet_hour"], status="draft")
    events = {
        "cancelled": in_future(event_status="cancelled", attendance_mode="mixed", venues=[club, closed]),
        "postponed": in_future(event_status="postponed", venues=[club]),
        "online": in_future(attendance_mode="online", venues=[club]),
        "accessible": in_future(accessibility=["step_free", "hearing_loop"], venues=[club]),
        "hall": in_future(venues=[club, hall]),
    }
    # Filters must not reveal what a password hides.
    in_future(
        password="x",
        event_status="cancelled",
        attendance_mode="online",
        accessibility=["step_free", "hearing_loop", "quiet_hour"],
        venues=[club],
    )

    response = client.get(f"{LIST}&{query}{extra.format(venue=club.pk)}")

    assert listed_ids(response, "events") == [events[name].pk for name in found]


def test_venues_are_filtered_by_features(client):
    both = VenueFactory(accessibility=["step_free", "hearing_loop"])
    one = VenueFactory(accessibility=["step_free"])
    VenueFactory()

    assert listed_ids(client.get(f"{API}/venues?accessibility=step_free"), "venues") == [one.pk, both.pk]
    assert listed_ids(client.get(f"{API}/venues?accessibility=step_free,hearing_loop"), "venues") == [both.pk]


@pytest.mark.parametrize("name", ["event_status", "attendance_mode", "accessibility"])
@pytest.mark.parametrize("value", ["", "nonsense", "step_free%27"])
def test_unknown_filter_value_is_rejected(client, name, value):
    assert list(invalid_params(client.get(f"{EVENTS}?{name}={value}"))) == [name]


# --- The online URL


def hidden_event(**fields):
    return in_future(**{**HIDDEN, **fields})


def test_online_url_is_hidden_until_an_hour_before_the_start(client, time_machine):
    event = hidden_event()

    def shown():
        responses = (
            client.get(f"{EVENTS}/{event.pk}"),
            client.get(f"{EVENTS}?include={event.pk}"),
            client.get(f"{EVENTS}?include={event.pk}&_fields=events.online_url"),
        )
        single, *lists = (response.json() for response in responses)
        page = client.get(reverse("event-page", args=[event.slug])).content.decode()
        in_json_ld = single["json_ld"]["location"]["url"] == event.online_url
        return {
            single["online_url"],
            *(body["events"][0]["online_url"] for body in lists),
            event.online_url if event.online_url in page else "",
            event.online_url if in_json_ld else "",
        }

    assert shown() == {""}
    time_machine.move_to(datetime(2030, 5, 4, 16, 59, 59, tzinfo=UTC), tick=False)
    assert shown() == {""}
    time_machine.move_to(datetime(2030, 5, 4, 17, tzinfo=UTC), tick=False)
    assert shown() == {event.online_url}


@pytest.mark.parametrize(
    ("role", "url"), [("editor", HIDDEN["online_url"]), ("author", ""), ("contributor", ""), ("subscriber", "")]
)
def test_online_url_is_shown_to_those_who_may_change_the_event(api_for, role, url):
    event = hidden_event()
    api = api_for(role)

    assert api.get(f"{EVENTS}/{event.pk}").json()["online_url"] == url
    assert api.get(LIST).json()["events"][0]["online_url"] == url


def test_online_url_that_is_not_hidden_is_shown_at_once(client):
    event = hidden_event(hide_online_url=False)

    assert client.get(f"{EVENTS}/{event.pk}").json()["online_url"] == event.online_url


@pytest.mark.parametrize(
    ("role", "url"),
    [("editor", HIDDEN["online_url"]), ("author", ""), ("contributor", ""), ("subscriber", ""), (None, "")],
)
@pytest.mark.parametrize("is_rendered", [True, False])
def test_online_url_of_an_event_in_person_is_shown_to_those_who_may_change_it(api_for, role, url, is_rendered):
    event = hidden_event(attendance_mode="in_person", hide_online_url=False)
    save_missing_renderings()
    if not is_rendered:
        EventRendering.objects.all().delete()
    api = api_for(role)

    single, listed = api.get(f"{EVENTS}/{event.pk}").json(), api.get(LIST).json()["events"][0]

    assert (single["online_url"], listed["online_url"]) == (url, url)
    assert "location" not in single["json_ld"]
    assert event.online_url not in api.get(reverse("event-page", args=[event.slug])).content.decode()


def test_password_hides_the_fields(client):
    event = in_future(
        password="secret",
        event_status="cancelled",
        event_status_reason="Illness",
        sold_out=True,
        accessibility=["step_free"],
        **HIDDEN,
    )

    (listed,) = client.get(LIST).json()["events"]
    opened = client.get(f"{EVENTS}/{event.pk}?password=secret").json()
    page = client.get("/").content.decode()

    assert {name: listed[name] for name in KEYS} == {
        "event_status": None,
        "event_status_reason": "",
        "previous_start_date": "",
        "sold_out": None,
        "attendance_mode": None,
        "online_url": "",
        "hide_online_url": None,
        "accessibility": [],
    }
    assert (opened["event_status"], opened["online_url"]) == ("cancelled", "")
    assert "Cancelled" not in page


# --- json_ld


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, ("EventScheduled", "OfflineEventAttendanceMode", None)),
        ({"event_status": "cancelled"}, ("EventCancelled", "OfflineEventAttendanceMode", None)),
        ({"event_status": "postponed"}, ("EventPostponed", "OfflineEventAttendanceMode", None)),
        (
            # In winter, unlike the event.
            {"event_status": "rescheduled", "previous_start": datetime(2030, 3, 3, 18, tzinfo=UTC)},
            ("EventRescheduled", "OfflineEventAttendanceMode", "2030-03-03T19:00:00+01:00"),
        ),
        ({"event_status": "moved_online"}, ("EventMovedOnline", "OnlineEventAttendanceMode", None)),
        ({"attendance_mode": "mixed"}, ("EventScheduled", "MixedEventAttendanceMode", None)),
    ],
)
def test_json_ld_has_status_and_mode(client, fields, expected):
    event = in_future(time_zone="Europe/Rome", **fields)
    status, mode, previous = expected

    data = client.get(f"{EVENTS}/{event.pk}").json()["json_ld"]

    assert (data["eventStatus"], data["eventAttendanceMode"], data.get("previousStartDate")) == (
        f"https://schema.org/{status}", f"https://schema.org/{mode}", previous
    )  # fmt: skip


@pytest.mark.parametrize("sold_out", [True, False])
def test_json_ld_offers_no_tickets_of_a_sold_out_event(client, sold_out):
    with_tickets, with_cost = in_future(sold_out=sold_out), in_future(sold_out=sold_out, cost="12 EUR")
    for is_gone in (True, False):
        TicketFactory(event=with_tickets, sold_out=is_gone)

    found = [
        [offer.get("availability") for offer in to_list(client.get(f"{EVENTS}/{event.pk}").json()["json_ld"]["offers"])]
        for event in (with_tickets, with_cost)
    ]

    gone, there = "https://schema.org/SoldOut", "https://schema.org/InStock"
    assert found == ([[gone, gone], [gone]] if sold_out else [[gone, there], [there]])


def test_json_ld_of_an_online_event_has_no_place(client):
    event = hidden_event(venues=[VenueFactory()])

    data = client.get(f"{EVENTS}/{event.pk}").json()

    assert data["json_ld"]["location"] == {"@type": "VirtualLocation", "url": data["url"]}


# --- Services


def test_cancelling_can_be_undone(editor):
    event = in_future(event_status="postponed", event_status_reason="Rain")

    cancelled = cancel_event(Event.objects.get(pk=event.pk), user=editor)
    assert (cancelled.event_status, cancelled.event_status_reason) == ("cancelled", "Rain")

    undone = undo_cancellation(Event.objects.get(pk=event.pk), user=editor)
    assert (undone.event_status, undone.event_status_reason) == ("postponed", "Rain")


@pytest.mark.parametrize(
    ("fields", "status"),
    [({}, "scheduled"), ({"previous_start": datetime(2030, 5, 1, tzinfo=UTC)}, "rescheduled")],
)
def test_cancelling_can_be_undone_without_history(editor, fields, status):
    event = in_future(event_status="cancelled", **fields)

    assert undo_cancellation(Event.objects.get(pk=event.pk), user=editor).event_status == status


def test_copy_of_a_cancelled_event_takes_place(editor):
    event = in_future(
        event_status="cancelled",
        event_status_reason="Rain",
        previous_start=timezone.now(),
        sold_out=True,
        accessibility=["step_free"],
        **HIDDEN,
    )

    copy = duplicate_event(event, user=editor)

    assert [
        (row.event_status, row.event_status_reason, row.previous_start, row.sold_out, row.attendance_mode)
        for row in Event.objects.filter(pk=copy.pk)
    ] == [("scheduled", "", None, False, "online")]
    assert (copy.online_url, copy.hide_online_url, copy.accessibility) == (event.online_url, True, ["step_free"])


def test_bulk_writes_cannot_store_an_unknown_status():
    event = in_future()
    with pytest.raises(IntegrityError), transaction.atomic():
        Event.objects.filter(pk=event.pk).update(event_status="maybe")


# --- Pages


def test_page_shows_status_attendance_and_accessibility(client):
    venue = VenueFactory(accessibility=["step_free"])
    event = in_future(
        event_status="rescheduled",
        event_status_reason="Storm <warning>",
        previous_start=datetime(2030, 5, 3, 18, tzinfo=UTC),
        sold_out=True,
        attendance_mode="mixed",
        online_url="https://meet.example.org/1",
        accessibility=["hearing_loop"],
        venues=[venue],
    )

    response = client.get(reverse("event-page", args=[event.slug]))
    html, details = response.content.decode(), details_of(parse_page(response))

    assert "This event has been rescheduled. It was planned for Friday 3 May 2030, 18:00." in html
    assert "Sold out" in html
    assert details["Where"] == ["Online https://meet.example.org/1", venue.title]
    assert details["Accessibility"] == ["Step-free access", "Hearing loop"]
    venue_page = parse_page(client.get(reverse("venue-page", args=[venue.slug])))
    assert details_of(venue_page)["Accessibility"] == ["Step-free access"]


def test_page_says_when_the_online_url_appears(client):
    event = hidden_event(venues=[VenueFactory()])

    page = parse_page(client.get(reverse("event-page", args=[event.slug])))

    assert details_of(page)["Where"] == ["Online The link appears here one hour before the start."]


def test_list_shows_badges(client):
    in_future(event_status="cancelled", sold_out=True)
    in_future(event_status="moved_online")
    in_future(attendance_mode="online")
    in_future()

    html = client.get("/").content.decode()

    assert html.count('class="badge event-cancelled">Cancelled<') == 1
    assert html.count('class="badge event-sold-out">Sold out<') == 1
    assert html.count('class="badge event-moved_online">Moved online<') == 1
    assert html.count('class="badge event-online">Online<') == 1
    assert html.count('class="badge') == 4


def test_lists_take_no_query_more(client, django_assert_max_num_queries):
    for _ in range(3):
        hidden_event(venues=[VenueFactory(accessibility=["step_free"])])

    with django_assert_max_num_queries(12):
        client.get(f"{LIST}&accessibility=step_free&event_status=scheduled")
