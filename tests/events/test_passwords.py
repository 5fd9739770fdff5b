"""Events with a password: what is left of them for whom, through every door of the API."""

import pytest
from django.core.cache import cache

from tests.api import API, client_of, ids
from tests.factories import (
    CategoryFactory,
    EventFactory,
    OrganizerFactory,
    TagFactory,
    TicketFactory,
    UserFactory,
    VenueFactory,
)

pytestmark = pytest.mark.django_db

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
}


@pytest.fixture(autouse=True)
def no_attempts_before():
    cache.clear()


@pytest.fixture
def event(author):
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
        password="Open <b> sesame",
        venues=[VenueFactory()],
        organizers=[OrganizerFactory()],
        categories=[CategoryFactory()],
        tags=[TagFactory()],
    )
    TicketFactory(event=event)
    return event


def whole(event, as_editor):
    return as_editor.get(f"{EVENTS}/{event.pk}").json()


def test_list_shows_an_event_with_its_protected_fields_blanked(client, as_editor, event):
    record = whole(event, as_editor)
    del record["json_ld"]

    (listed,) = client.get(EVENTS).json()["events"]

    assert listed == record | BLANK
    assert listed["title"] == "Members' evening"


@pytest.mark.parametrize("role", ["subscriber", "contributor"])
def test_list_is_blanked_for_whoever_may_not_edit_it(request, event, role):
    (listed,) = request.getfixturevalue(f"as_{role}").get(EVENTS).json()["events"]

    assert {name: listed[name] for name in BLANK} == BLANK


@pytest.mark.parametrize("role", ["author", "editor"])
def test_list_is_whole_for_whoever_may_edit_it(request, event, role):
    (listed,) = request.getfixturevalue(f"as_{role}").get(EVENTS).json()["events"]

    assert listed["description"] == "<p>A secret supper</p>"
    assert listed["ticketed"] is True


def test_another_author_sees_the_blanks(event):
    other = client_of(UserFactory(username="other"))

    assert other.get(EVENTS).json()["events"][0]["description"] == ""


@pytest.mark.parametrize("address", ["{pk}", "by-slug/{slug}"])
@pytest.mark.parametrize("password", [None, "", "wrong", "open <b> sesame", ["Open <b> sesame"]])
def test_reading_it_alone_needs_the_password(client, event, address, password):
    query = {} if password is None else {"password": password}
    if isinstance(password, list):
        query = {"password[]": password[0]}

    response = client.get(f"{EVENTS}/{address.format(pk=event.pk, slug=event.slug)}", query)

    assert response.status_code == 403
    body = response.json()
    assert (body["code"], body["data"]) == ("event-password-protected", {"status": 403})
    assert "sesame" not in response.content.decode()


@pytest.mark.parametrize("address", ["{pk}", "by-slug/{slug}"])
def test_password_opens_it(client, as_editor, event, address):
    response = client.get(f"{EVENTS}/{address.format(pk=event.pk, slug=event.slug)}", {"password": "Open <b> sesame"})

    assert response.json() == whole(event, as_editor)
    assert response.json()["json_ld"]["@type"] == "Event"
    assert "password" not in response.json()


def test_password_of_a_list_opens_nothing(client, event):
    (listed,) = client.get(EVENTS, {"password": "Open <b> sesame"}).json()["events"]

    assert listed["description"] == ""


def test_password_of_another_event_does_not_open_it(client, event):
    EventFactory(password="other")

    assert client.get(f"{EVENTS}/{event.pk}", {"password": "other"}).status_code == 403


def test_event_without_a_password_ignores_one(client):
    event = EventFactory()

    assert client.get(f"{EVENTS}/{event.pk}", {"password": "any"}).status_code == 200


def test_draft_with_a_password_stays_a_draft(client):
    event = EventFactory(status="draft", password="open")

    assert client.get(f"{EVENTS}/{event.pk}", {"password": "open"}).json()["code"] == "event-not-accessible"


@pytest.mark.parametrize("query", ["secret", "supper", "evening secret"])
def test_search_does_not_look_behind_the_password(client, as_author, event, query):
    assert ids(client.get(EVENTS, {"search": query}), "events") == []
    assert ids(as_author.get(EVENTS, {"search": query}), "events") == [event.pk]


@pytest.mark.parametrize("query", ["evening", "MEMBERS'", "memb even"])
def test_search_finds_the_title(client, event, query):
    EventFactory(title="Another", password="x", description="Members' evening")

    assert ids(client.get(EVENTS, {"search": query}), "events") == [event.pk]


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
    ],
)
def test_filters_do_not_tell_what_is_blanked(client, as_author, event, name, value):
    query = {name: value(event)}

    assert ids(client.get(EVENTS, query), "events") == []
    assert ids(as_author.get(EVENTS, query), "events") == [event.pk]


@pytest.mark.parametrize("name", ["featured", "ticketed", "geoloc"])
@pytest.mark.parametrize("value", ["true", "false"])
def test_filters_do_not_tell_by_their_opposite_either(client, event, name, value):
    assert ids(client.get(EVENTS, {name: value}), "events") == []


@pytest.mark.parametrize(
    ("collection", "name"),
    [("venues", "event"), ("organizers", "event"), ("categories", "event"), ("tags", "event"), ("tags", "post")],
)
def test_lists_of_what_is_linked_do_not_tell_what_is_blanked(client, as_author, event, collection, name):
    query = {name: event.pk, "hide_empty": "false"}

    assert ids(client.get(f"{API}/{collection}", query), collection) == []
    assert len(ids(as_author.get(f"{API}/{collection}", query), collection)) == 1


def test_post_password_sets_changes_and_takes_off_a_password(client, as_author, author):
    event = EventFactory(author=author)
    address = f"{EVENTS}/{event.pk}"

    as_author.patch(address, {"post_password": " first "})
    assert client.get(address, {"password": "first"}).status_code == 403
    assert client.get(address, {"password": " first "}).status_code == 200

    as_author.patch(address, {"post_password": "second"})
    assert client.get(address, {"password": "second"}).status_code == 200

    as_author.patch(address, {"title": "Another", "password": "third"})
    assert client.get(address, {"password": "second"}).status_code == 200

    as_author.patch(address, {"post_password": ""})
    assert client.get(address).json()["title"] == "Another"


@pytest.mark.parametrize("given", [5, ["a"], {"a": 1}, "x" * 101])
def test_bad_post_password_is_refused(as_author, author, given):
    event = EventFactory(author=author, password="kept")

    response = as_author.patch(f"{EVENTS}/{event.pk}", {"post_password": given})

    assert list(response.json()["data"]["params"]) == ["post_password"]
    event.refresh_from_db()
    assert event.password == "kept"


def test_update_and_delete_go_by_rights_alone(client, as_author, as_contributor, event):
    address = f"{EVENTS}/{event.pk}?password=Open+%3Cb%3E+sesame"

    assert as_contributor.patch(address, {"title": "Mine"}).status_code == 403
    assert as_contributor.delete(address).status_code == 403
    assert as_author.patch(f"{EVENTS}/{event.pk}", {"title": "Ours"}).json()["description"] != ""
    assert as_author.delete(f"{EVENTS}/{event.pk}").json()["description"] != ""


def test_answer_sent_back_keeps_the_password(client, as_author, event):
    record = as_author.get(f"{EVENTS}/{event.pk}").json()

    as_author.put(f"{EVENTS}/{event.pk}", record)

    assert client.get(f"{EVENTS}/{event.pk}").status_code == 403


def test_attempts_are_throttled_by_event_and_address(client, event):
    other = EventFactory(password="other")
    address = f"{EVENTS}/{event.pk}"
    for _attempt in range(10):
        assert client.get(address, {"password": "wrong"}).status_code == 403

    refused = client.get(address, {"password": "Open <b> sesame"})

    assert (refused.status_code, refused.json()["code"]) == (429, "rest_too_many_requests")
    assert 1 <= int(refused.headers["Retry-After"]) <= 61
    assert client.get(f"{EVENTS}/{other.pk}", {"password": "other"}).status_code == 200
    assert client.get(address, {"password": "Open <b> sesame"}, REMOTE_ADDR="192.0.2.7").status_code == 200


def test_readers_without_a_password_and_with_the_right_one_are_never_throttled(client, event):
    for _attempt in range(12):
        assert client.get(f"{EVENTS}/{event.pk}").status_code == 403
        assert client.get(f"{EVENTS}/{event.pk}", {"password": "Open <b> sesame"}).status_code == 200


@pytest.mark.parametrize("count", [1, 3])
def test_list_with_hidden_events_costs_the_same(client, django_assert_num_queries, count):
    for _number in range(count):
        TicketFactory(event=EventFactory(password="x", venues=[VenueFactory()]))

    with django_assert_num_queries(3):
        client.get(EVENTS)
