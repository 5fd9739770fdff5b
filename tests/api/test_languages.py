"""The API in every language: texts for people are translated, and nothing else changes."""

import pytest
from django.conf import settings

from tests.factories import (
    CategoryFactory,
    CustomFieldFactory,
    EventFactory,
    OrganizerFactory,
    TagFactory,
    TicketFactory,
    VenueFactory,
)
from tests.support.api_client import API
from tests.support.catalogs import COMPLETE

pytestmark = pytest.mark.django_db

CODES = [code for code, _name in settings.LANGUAGES]
# What is for people: in the index and the document, and in errors.
FOR_PEOPLE = {"description", "summary", "message"}


@pytest.fixture(autouse=True)
def translated_records(time_machine):
    time_machine.move_to("2030-05-03 12:00Z", tick=False)
    CustomFieldFactory(resource="event", name="captions", label="Captions", kind="boolean")
    event = EventFactory(
        id=101,
        title="Fair",
        slug="fair",
        start="2030-05-04 18:00",
        time_zone="Europe/Rome",
        cost="0 - 10",
        custom_values={"captions": True},
        venues=[VenueFactory(id=201, title="Hall")],
        organizers=[OrganizerFactory(id=301, title="Choir")],
        categories=[CategoryFactory(id=401, name="Music")],
        tags=[TagFactory(id=501, name="Outdoor")],
    )
    TicketFactory(event=event, name="Seat", price=0)
    EventFactory(id=102, title="Over", start="2030-05-01 18:00", status="draft")


def responses(call):
    """The answers to a call in each language, whose addresses are the same."""
    found = {code: call(headers={"Accept-Language": code}) for code in CODES}
    assert {code: answer["Content-Language"] for code, answer in found.items()} == {code: code for code in CODES}
    return {code: answer.json() for code, answer in found.items()}


def differences(one, other, path=()):
    """The paths at which two answers differ, texts for people apart."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in one.keys() | other.keys():
            texts = one.get(key), other.get(key)
            is_text = all(isinstance(text, str) and text for text in texts)
            # Errors of arguments are reported under their names.
            if not (is_text and (key in FOR_PEOPLE or path[-1:] == ("params",))):
                yield from differences(*texts, (*path, key))
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for place, pair in enumerate(zip(one, other, strict=True)):
            yield from differences(*pair, (*path, place))
    elif one != other:
        yield path


def disagreements(found):
    return [(code, path) for code in CODES for path in differences(found["en"], found[code])]


@pytest.mark.parametrize("path", ["", "/doc"])
def test_index_and_document_differ_in_texts_for_people_alone(client, path):
    found = responses(lambda **headers: client.get(f"{API}{path}", **headers))

    assert disagreements(found) == []


def texts(answer, path=()):
    """The texts for people in an answer, by their paths; those of examples apart, which are data."""
    if isinstance(answer, dict):
        for key in answer.keys() - {"example", "examples"}:
            if key in FOR_PEOPLE and isinstance(answer[key], str):
                yield (*path, key), answer[key]
            else:
                yield from texts(answer[key], (*path, key))
    elif isinstance(answer, list):
        for place, item in enumerate(answer):
            yield from texts(item, (*path, place))


@pytest.mark.parametrize("path", ["", "/doc"])
def test_nothing_is_described_in_english_where_the_language_is_whole(client, path):
    found = {
        code: dict(texts(answer)) for code, answer in responses(lambda **h: client.get(f"{API}{path}", **h)).items()
    }

    english = found["en"]
    assert len(english) > 200
    left = {(code, text) for code in COMPLETE for place, text in english.items() if found[code][place] == text}
    assert left == set()


@pytest.mark.parametrize("path", ["/events", "/events/1", "/venues", "/organizers/by-slug/x", "/categories", "/tags/1"])
def test_descriptions_of_an_address_differ_in_texts_for_people_alone(client, path):
    found = responses(lambda **headers: client.options(f"{API}{path}", **headers))

    assert disagreements(found) == []


@pytest.mark.parametrize(
    "path",
    [
        "/events",
        "/events/101",
        "/events/by-slug/fair",
        "/venues/201",
        "/organizers/301",
        "/categories/401",
        "/tags/501",
        "/categories",
        "/events?start_date=2030-01-01&search=fair&geoloc=false",
    ],
)
def test_records_are_the_same_in_every_language(client, path):
    found = responses(lambda **headers: client.get(f"{API}{path}", **headers))

    assert [code for code in CODES if found[code] != found["en"]] == []


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/events/0",
        "/events/102",
        "/events?page=9",
        "/events?page=x&per_page=0&start_date=never&end_date=2030-02-30&status=gone&categories=nothing&geoloc_lat=1",
        "/venues?event=5&search=%20",
        "/tags?order=up&orderby=down",
        "?namespace=wp/v2",
    ],
)
def test_errors_differ_in_texts_for_people_alone(client, path):
    found = responses(lambda **headers: client.get(f"{API}{path}", **headers))

    assert disagreements(found) == []


def test_errors_of_writing_differ_in_texts_for_people_alone(editor_api):
    sent = {
        "title": "",
        "start_date": "2030-13-01",
        "end_date": "25:00",
        "cost": -1,
        "timezone": "Mars",
        "venue": {"venue": " "},
        "image": 5,
        "tickets": [{"name": "Seat", "price": "dear"}],
        "custom_fields": {"captions": "perhaps"},
    }

    found = responses(lambda **headers: editor_api.post(f"{API}/events", sent, **headers))

    assert disagreements(found) == []
    nested = {"venue.venue", "tickets[0].price", "tickets[0].currency", "custom_fields.captions"}
    assert set(found["en"]["data"]["params"]) == {*sent, *nested}


def test_what_is_written_in_any_language_is_stored_alike(editor_api):
    sent = {"title": "Walk", "start_date": "2030-05-05 10:00", "end_date": "2030-05-05 11:00", "cost": "0", "image": ""}

    written = [
        editor_api.post(f"{API}/events", {**sent, "slug": code}, headers={"Accept-Language": code}).json()
        for code in CODES
    ]

    ours = {"id", "slug", "url", "website", "rest_url", "global_id", "global_id_lineage", "json_ld"}
    assert [{key: value for key, value in record.items() if key not in ours} for record in written] == [
        {key: value for key, value in written[0].items() if key not in ours}
    ] * len(CODES)
    assert {record["slug"] for record in written} == set(CODES)
