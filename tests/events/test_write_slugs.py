"""Slugs of events: generated, requested, taken, kept, and released by the trash."""

from urllib.parse import quote

import pytest

from events.models import Event
from tests.factories import EventFactory, VenueFactory
from tests.support.api_client import API
from tests.support.api_writes import created_record, error_of, event_data, updated_record

EVENTS = f"{API}/events"

FROM_TITLES = {
    "Open Air": "open-air",
    "  Été à Zürich  ": "ete-a-zurich",
    "Straße & Œuvre": "strasse-oeuvre",
    "Rock/Pop – Live": "rock-pop-live",
    "What's on? (2030)": "whats-on-2030",
    "a_b__c--d": "a_b__c-d",
    "100 %": "100",
    "2030": "2030",
    "音楽の夜": "音楽の夜",
    "Ночь музыки": "ночь-музыки",
    "ليلة": "ليلة",
    "İstanbul": "istanbul",
    "🎉": "event",
    "!?": "event-2",
    "x" * 300: "x" * 200,
}


def slugs(client, *bodies):
    return [created_record(client.post(EVENTS, body))["slug"] for body in bodies]


def test_slug_is_made_from_the_title(editor_api):
    made = slugs(editor_api, *(event_data(title=title) for title in FROM_TITLES))

    assert dict(zip(FROM_TITLES, made, strict=True)) == FROM_TITLES


def test_slug_that_is_given_is_cleaned_in_the_same_way(editor_api):
    made = slugs(editor_api, *(event_data(slug=title) for title in FROM_TITLES))

    # One of punctuation alone is none: the title makes it.
    expected = [
        "open-air-2" if title == "🎉" else "open-air-3" if title == "!?" else slug
        for title, slug in FROM_TITLES.items()
    ]
    assert made == expected


@pytest.mark.parametrize("slug", [f"{'long-' * 40}", "x" * 200])
def test_long_slug_that_is_taken_gets_a_number_within_its_length(editor_api, slug):
    made = slugs(editor_api, *(event_data(slug=slug) for _ in range(3)))

    assert len(set(made)) == 3
    assert [len(one) <= 200 for one in made] == [True] * 3
    assert [one[-2:] for one in made[1:]] == ["-2", "-3"]
    assert all(editor_api.get(f"{EVENTS}/by-slug/{one}").json()["slug"] == one for one in made)


@pytest.mark.parametrize("status", ["publish", "future", "draft", "pending", "private"])
def test_slug_that_is_taken_gets_a_number(editor_api, status):
    EventFactory(title="Open air", status=status, slug="open-air")

    assert slugs(editor_api, event_data(), event_data(), event_data(slug="open-air")) == [
        "open-air-2",
        "open-air-3",
        "open-air-4",
    ]


def test_number_that_is_free_is_taken(editor_api):
    EventFactory(slug="open-air")
    EventFactory(slug="open-air-3")
    EventFactory(slug="open-airport")

    assert slugs(editor_api, event_data(), event_data()) == ["open-air-2", "open-air-4"]


def test_event_and_venue_may_share_a_slug(editor_api):
    VenueFactory(title="Open air")

    assert slugs(editor_api, event_data()) == ["open-air"]


def test_new_title_keeps_the_slug(editor_api):
    event = EventFactory(title="Open air")

    after = updated_record(editor_api.post(f"{EVENTS}/{event.pk}", {"title": "Indoors"}))

    assert (after["title"], after["slug"]) == ("Indoors", "open-air")


@pytest.mark.parametrize("value", ["open-air", "Open Air!", "", None, "  ", "???"], ids=repr)
def test_own_slug_is_kept(editor_api, value):
    event = EventFactory(title="Open air")
    EventFactory(title="Open air")

    assert updated_record(editor_api.post(f"{EVENTS}/{event.pk}", {"slug": value}))["slug"] == "open-air"


def test_new_slug_moves_the_addresses(editor_api, client):
    event = EventFactory(title="Open air")

    after = updated_record(editor_api.post(f"{EVENTS}/by-slug/open-air", {"slug": "Summer night"}))

    assert (after["slug"], after["url"]) == ("summer-night", "http://testserver/event/summer-night/")
    assert client.get(f"{EVENTS}/by-slug/summer-night").json()["id"] == event.pk
    assert error_of(client.get(f"{EVENTS}/by-slug/open-air")) == (404, "rest-event-not-found")


def test_slug_that_another_event_has_gets_a_number_on_update(editor_api):
    EventFactory(title="Open air")
    event = EventFactory(title="Indoors")

    assert updated_record(editor_api.post(f"{EVENTS}/{event.pk}", {"slug": "open-air"}))["slug"] == "open-air-2"


@pytest.mark.parametrize("slug", ["音楽", "été", "ليلة", "a'b"])
def test_slug_of_any_script_is_an_address(editor_api, client, slug):
    event = created_record(editor_api.post(EVENTS, event_data(slug=slug)))

    found = client.get(f"{EVENTS}/by-slug/{quote(event['slug'])}").json()
    after = updated_record(editor_api.post(f"{EVENTS}/by-slug/{quote(event['slug'])}", {"title": "New"}))

    assert (found["id"], after["id"], after["title"]) == (event["id"], event["id"], "New")
    assert event["url"] == f"http://testserver/event/{quote(event['slug'])}/"


# --- The trash ------------------------------------------------------------------------------------


def test_trash_gives_the_slug_away(editor_api):
    event = EventFactory(title="Open air")
    updated_record(editor_api.delete(f"{EVENTS}/{event.pk}"))
    gone = editor_api.get(f"{EVENTS}/by-slug/open-air")

    new = created_record(editor_api.post(EVENTS, event_data()))
    back = updated_record(editor_api.post(f"{EVENTS}/{event.pk}", {"status": "publish"}))

    assert error_of(gone) == (404, "rest-event-not-found")
    assert (new["slug"], back["slug"]) == ("open-air", "open-air-2")


def test_event_comes_back_with_the_slug_that_is_still_free(editor_api):
    event = EventFactory(title="Open air")
    trashed = updated_record(editor_api.delete(f"{EVENTS}/by-slug/open-air"))

    back = updated_record(editor_api.post(f"{EVENTS}/{event.pk}", {"status": "draft"}))

    assert (trashed["slug"], back["slug"]) == ("open-air", "open-air")


def test_any_number_of_events_in_the_trash_may_share_a_slug(editor_api):
    events = [created_record(editor_api.post(EVENTS, event_data())) for _ in range(1)]
    for _ in range(2):
        updated_record(editor_api.delete(f"{EVENTS}/{events[-1]['id']}"))
        events.append(created_record(editor_api.post(EVENTS, event_data())))

    backs = [
        updated_record(editor_api.post(f"{EVENTS}/{event['id']}", {"status": "publish"}))["slug"]
        for event in events[:2]
    ]

    assert [event["slug"] for event in events] == ["open-air"] * 3
    assert backs == ["open-air-2", "open-air-3"]
    assert Event.objects.exclude(status="trash").count() == 3
