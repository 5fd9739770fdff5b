"""Password-protected events in the API: which fields are blanked for whom."""

import pytest
from django.contrib.auth.models import AnonymousUser

from calendar_site.api.lists.filters import BooleanFilter
from calendar_site.api.output.selection import Selection
from events.derived.renderings import save_renderings
from events.filtersets import EventFilterSet
from events.loading import EventRow, load_events
from events.protection.protected_fields import Reader
from events.representation import represent_event
from tests.factories import (
    CategoryFactory,
    EventFactory,
    OrganizerFactory,
    TagFactory,
    TicketFactory,
    UserFactory,
    VenueFactory,
)
from tests.support.api_client import API, api_client_for, listed_ids
from tests.support.api_writes import without_json_ld

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("empty_cache")]

EVENTS = f"{API}/events"
BLANK = {
    "description": "",
    "excerpt": "",
    "cost": "",
    "website": "",
    "image": False,
    "all_day": None,
    "show_map": None,
    "show_map_link": None,
    "hide_from_listings": None,
    "sticky": None,
    "featured": None,
    "ticketed": None,
    "cost_details": {"currency_symbol": "", "currency_code": "", "currency_position": "", "values": []},
    "categories": [],
    "tags": [],
    "venue": [],
    "organizer": [],
    "tickets": [],
    "custom_fields": [],
    "event_status": None,
    "event_status_reason": "",
    "previous_start_date": "",
    "sold_out": None,
    "attendance_mode": None,
    "online_url": "",
    "hide_online_url": None,
    "accessibility": [],
}


@pytest.fixture
def protected_event(author):
    event = EventFactory(
        author=author,
        title="Members' evening",
        description="A secret supper",
        excerpt="Supper",
        cost="20",
        website="https://supper.example.org/",
        featured=True,
        sticky=True,
        show_map=True,
        event_status="postponed",
        event_status_reason="The cook is ill",
        sold_out=True,
        attendance_mode="mixed",
        online_url="https://supper.example.org/live",
        accessibility=["step_free"],
        password="Open <b> sesame",
        venues=[VenueFactory()],
        organizers=[OrganizerFactory()],
        categories=[CategoryFactory()],
        tags=[TagFactory()],
    )
    TicketFactory(event=event)
    return event


def record_for_editor(event, editor_api):
    return editor_api.get(f"{EVENTS}/{event.pk}").json()


def test_list_blanks_protected_fields(client, editor_api, protected_event):
    record = without_json_ld(record_for_editor(protected_event, editor_api))

    (listed,) = client.get(EVENTS).json()["events"]

    assert listed == record | BLANK
    assert listed["title"] == "Members' evening"


KEPT = {
    "id", "global_id", "global_id_lineage", "author", "status", "date", "date_utc", "modified", "modified_utc", "url",
    "rest_url", "title", "slug", "post_parent", "start_date", "start_date_details", "end_date", "end_date_details",
    "utc_start_date", "utc_start_date_details", "utc_end_date", "utc_end_date_details", "start", "end", "timezone",
    "timezone_abbr",
}  # fmt: skip
NEW_KEYS = {
    "new_text": ("secret", ""),
    "new_number": (7, None),
    "new_switch": (True, None),
    "new_list": (["secret"], []),
    "new_record": ({"name": "secret"}, {}),
}


def test_every_key_is_either_kept_or_blanked(client, protected_event):
    (listed,) = client.get(EVENTS).json()["events"]

    assert set(listed) == KEPT | BLANK.keys() | {"series"}


@pytest.mark.parametrize("query", [{}, {"_fields": ",".join(f"events.{name}" for name in NEW_KEYS)}])
def test_new_key_is_blanked_until_the_list_of_kept_keys_names_it(
    client, editor_api, protected_event, monkeypatch, query
):
    def with_new_keys(*args, **kwargs):
        return {**represent_event(*args, **kwargs), **{name: value for name, (value, _blank) in NEW_KEYS.items()}}

    for module in ("representation", "derived.renderings"):
        monkeypatch.setattr(f"events.{module}.represent_event", with_new_keys)
    save_renderings([protected_event.pk])

    (hidden,) = client.get(EVENTS, query).json()["events"]
    (shown,) = editor_api.get(EVENTS, query).json()["events"]

    assert {name: hidden[name] for name in NEW_KEYS} == {name: blank for name, (_value, blank) in NEW_KEYS.items()}
    assert {name: shown[name] for name in NEW_KEYS} == {name: value for name, (value, _blank) in NEW_KEYS.items()}


def test_new_filter_does_not_find_hidden_values(client, editor_api, protected_event, monkeypatch):
    visible = EventFactory(sold_out=True)
    monkeypatch.setitem(EventFilterSet.base_filters, "sold_out", BooleanFilter(field_name="sold_out"))

    for query in ({"sold_out": "true"}, {"sold_out": "false"}):
        assert protected_event.pk not in listed_ids(client.get(EVENTS, query), "events")
    assert listed_ids(client.get(EVENTS, {"sold_out": "true"}), "events") == [visible.pk]
    assert set(listed_ids(editor_api.get(EVENTS, {"sold_out": "true"}), "events")) == {visible.pk, protected_event.pk}


def test_new_column_is_blanked_for_pages_and_calendars(author, protected_event):
    rows = [EventRow._make(getattr(protected_event, name) for name in EventRow._fields)]

    (hidden,) = load_events(rows, Reader(AnonymousUser()), Selection()).events
    (shown,) = load_events(rows, Reader(author), Selection()).events

    kept = {name for name, value in hidden.row._asdict().items() if value not in ("", None, [], {})}
    assert kept == {
        "id", "author_id", "status", "published_at", "modified_at", "title", "slug", "start", "end", "start_local",
        "end_local", "time_zone", "password", "uid",
    }  # fmt: skip
    assert shown.row == rows[0]


@pytest.mark.parametrize("role", ["subscriber", "contributor"])
def test_list_blanks_protected_fields_for_users_who_may_not_edit(request, protected_event, role):
    (listed,) = request.getfixturevalue(f"{role}_api").get(EVENTS).json()["events"]

    assert {name: listed[name] for name in BLANK} == BLANK


@pytest.mark.parametrize("role", ["author", "editor"])
def test_list_shows_protected_fields_to_users_who_may_edit(request, protected_event, role):
    (listed,) = request.getfixturevalue(f"{role}_api").get(EVENTS).json()["events"]

    assert listed["description"] == "<p>A secret supper</p>"
    assert listed["ticketed"] is True


def test_list_blanks_protected_fields_for_another_author(protected_event):
    other = api_client_for(UserFactory(username="other"))

    assert other.get(EVENTS).json()["events"][0]["description"] == ""


@pytest.mark.parametrize("path", ["{pk}", "by-slug/{slug}"])
@pytest.mark.parametrize("password", [None, "", "wrong", "open <b> sesame", ["Open <b> sesame"]])
def test_single_read_needs_the_password(client, protected_event, path, password):
    query = {} if password is None else {"password": password}
    if isinstance(password, list):
        query = {"password[]": password[0]}

    response = client.get(f"{EVENTS}/{path.format(pk=protected_event.pk, slug=protected_event.slug)}", query)

    assert response.status_code == 403
    body = response.json()
    assert (body["code"], body["data"]) == ("event-password-protected", {"status": 403})
    assert "sesame" not in response.content.decode()


@pytest.mark.parametrize("path", ["{pk}", "by-slug/{slug}"])
def test_password_shows_all_fields(client, editor_api, protected_event, path):
    response = client.get(
        f"{EVENTS}/{path.format(pk=protected_event.pk, slug=protected_event.slug)}", {"password": "Open <b> sesame"}
    )

    assert response.json() == record_for_editor(protected_event, editor_api)
    assert response.json()["json_ld"]["@type"] == "Event"
    assert "password" not in response.json()


def test_list_ignores_a_password(client, protected_event):
    (listed,) = client.get(EVENTS, {"password": "Open <b> sesame"}).json()["events"]

    assert listed["description"] == ""


def test_password_of_another_event_is_refused(client, protected_event):
    EventFactory(password="other")

    assert client.get(f"{EVENTS}/{protected_event.pk}", {"password": "other"}).status_code == 403


def test_event_without_a_password_ignores_the_parameter(client):
    event = EventFactory()

    assert client.get(f"{EVENTS}/{event.pk}", {"password": "any"}).status_code == 200


def test_password_does_not_open_a_draft(client):
    event = EventFactory(status="draft", password="open")

    assert client.get(f"{EVENTS}/{event.pk}", {"password": "open"}).json()["code"] == "event-not-accessible"


@pytest.mark.parametrize("query", ["secret", "supper", "evening secret"])
def test_search_ignores_protected_fields(client, author_api, protected_event, query):
    assert listed_ids(client.get(EVENTS, {"search": query}), "events") == []
    assert listed_ids(author_api.get(EVENTS, {"search": query}), "events") == [protected_event.pk]


@pytest.mark.parametrize("query", ["evening", "MEMBERS'", "memb even"])
def test_search_finds_the_title_of_a_protected_event(client, protected_event, query):
    EventFactory(title="Another", password="x", description="Members' evening")

    assert listed_ids(client.get(EVENTS, {"search": query}), "events") == [protected_event.pk]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("venue", lambda event: event.venues.get().pk),
        ("organizer", lambda event: event.organizers.get().pk),
        ("categories", lambda event: event.categories.get().pk),
        ("tags", lambda event: event.tags.get().slug),
        ("featured", lambda event: "true"),
        ("ticketed", lambda event: "true"),
        ("geoloc", lambda event: "false"),
        ("event_status", lambda event: event.event_status),
        ("attendance_mode", lambda event: event.attendance_mode),
        ("accessibility", lambda event: "step_free"),
    ],
)
def test_filters_on_protected_fields_leave_the_event_out(client, author_api, protected_event, name, value):
    query = {name: value(protected_event)}

    assert listed_ids(client.get(EVENTS, query), "events") == []
    assert listed_ids(author_api.get(EVENTS, query), "events") == [protected_event.pk]


@pytest.mark.parametrize("name", ["featured", "ticketed", "geoloc"])
@pytest.mark.parametrize("value", ["true", "false"])
def test_filters_on_protected_fields_leave_the_event_out_for_both_values(client, protected_event, name, value):
    assert listed_ids(client.get(EVENTS, {name: value}), "events") == []


@pytest.mark.parametrize(
    ("collection", "name"),
    [("venues", "event"), ("organizers", "event"), ("categories", "event"), ("tags", "event"), ("tags", "post")],
)
def test_lists_of_linked_records_do_not_reveal_links(client, author_api, protected_event, collection, name):
    query = {name: protected_event.pk, "hide_empty": "false"}

    assert listed_ids(client.get(f"{API}/{collection}", query), collection) == []
    assert len(listed_ids(author_api.get(f"{API}/{collection}", query), collection)) == 1


def test_post_password_sets_changes_and_removes_the_password(client, author_api, author):
    event = EventFactory(author=author)
    path = f"{EVENTS}/{event.pk}"

    author_api.patch(path, {"post_password": " first "})
    assert client.get(path, {"password": "first"}).status_code == 403
    assert client.get(path, {"password": " first "}).status_code == 200

    author_api.patch(path, {"post_password": "second"})
    assert client.get(path, {"password": "second"}).status_code == 200

    author_api.patch(path, {"title": "Another", "password": "third"})
    assert client.get(path, {"password": "second"}).status_code == 200

    author_api.patch(path, {"post_password": ""})
    assert client.get(path).json()["title"] == "Another"


@pytest.mark.parametrize("password", [5, ["a"], {"a": 1}, "x" * 101])
def test_invalid_post_password_is_refused(author_api, author, password):
    event = EventFactory(author=author, password="kept")

    response = author_api.patch(f"{EVENTS}/{event.pk}", {"post_password": password})

    assert list(response.json()["data"]["params"]) == ["post_password"]
    event.refresh_from_db()
    assert event.password == "kept"


def test_update_and_delete_need_permissions_not_the_password(client, author_api, contributor_api, protected_event):
    path = f"{EVENTS}/{protected_event.pk}?password=Open+%3Cb%3E+sesame"

    assert contributor_api.patch(path, {"title": "Mine"}).status_code == 403
    assert contributor_api.delete(path).status_code == 403
    assert author_api.patch(f"{EVENTS}/{protected_event.pk}", {"title": "Ours"}).json()["description"] != ""
    assert author_api.delete(f"{EVENTS}/{protected_event.pk}").json()["description"] != ""


def test_put_of_a_read_record_keeps_the_password(client, author_api, protected_event):
    record = author_api.get(f"{EVENTS}/{protected_event.pk}").json()

    author_api.put(f"{EVENTS}/{protected_event.pk}", record)

    assert client.get(f"{EVENTS}/{protected_event.pk}").status_code == 403


def test_wrong_passwords_are_throttled_by_event_and_address(client, protected_event):
    other = EventFactory(password="other")
    path = f"{EVENTS}/{protected_event.pk}"
    for _attempt in range(10):
        assert client.get(path, {"password": "wrong"}).status_code == 403

    refused = client.get(path, {"password": "Open <b> sesame"})

    assert (refused.status_code, refused.json()["code"]) == (429, "rest_too_many_requests")
    assert 1 <= int(refused.headers["Retry-After"]) <= 61
    assert client.get(f"{EVENTS}/{other.pk}", {"password": "other"}).status_code == 200
    assert client.get(path, {"password": "Open <b> sesame"}, REMOTE_ADDR="192.0.2.7").status_code == 200


def test_missing_and_right_passwords_are_not_throttled(client, protected_event):
    for _attempt in range(12):
        assert client.get(f"{EVENTS}/{protected_event.pk}").status_code == 403
        assert client.get(f"{EVENTS}/{protected_event.pk}", {"password": "Open <b> sesame"}).status_code == 200


@pytest.mark.parametrize("count", [1, 3])
def test_list_with_protected_events_costs_the_same_queries(client, django_assert_num_queries, count):
    for _number in range(count):
        TicketFactory(event=EventFactory(password="x", venues=[VenueFactory()]))

    with django_assert_num_queries(3):
        client.get(EVENTS)


def test_wrong_passwords_from_one_ipv6_network_are_counted_together(client, settings):
    event = EventFactory(password="open sesame")
    addresses = [f"2001:db8:0:1::{number:x}" for number in range(11)]

    statuses = [
        client.get(f"{EVENTS}/{event.pk}", {"password": "guess"}, REMOTE_ADDR=address).status_code
        for address in addresses
    ]
    other = client.get(f"{EVENTS}/{event.pk}", {"password": "guess"}, REMOTE_ADDR="2001:db8:0:2::1").status_code

    assert statuses == [*[other] * 10, 429]
    assert other != 429


# --- The header -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("sent", "status"), [("Open%20%3Cb%3E%20sesame", 200), ("Open", 403), ("", 403)])
def test_password_in_the_header(client, protected_event, sent, status):
    response = client.get(f"{EVENTS}/{protected_event.pk}", headers={"X-Event-Password": sent})

    assert response.status_code == status
    assert response["Cache-Control"] == "private, no-store"
    assert "X-Event-Password" in response["Vary"]
    assert (response.json().get("description") == "<p>A secret supper</p>") is (status == 200)


def test_lists_ignore_the_header(client, protected_event):
    (event,) = client.get(EVENTS, headers={"X-Event-Password": "Open%20%3Cb%3E%20sesame"}).json()["events"]

    assert event["description"] == ""
