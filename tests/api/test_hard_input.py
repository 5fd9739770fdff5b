"""Input that is meant to keep the service busy, or to get around validation."""

import time

import pytest

from calendar_site.core.text.html import strip_markup
from calendar_site.custom_fields.models import CustomField
from taxonomy.models import Tag
from tests.factories import EventFactory, VenueFactory
from tests.support.api_client import API, invalid_arguments, listed_ids
from tests.support.image_files import plain_image
from tests.support.remote_server import http_response

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "description",
    ["<div>" * 101, "<b>" * 9_000, "<p><i>" * 4_000, "<div></span>" * 200, "<DIV>" * 200],
    ids=["deep", "bold", "paragraphs", "wrong-ends", "capitals"],
)
def test_tags_that_stand_too_deep_in_each_other_are_refused(editor_api, description):
    response = editor_api.post(f"{API}/venues", {"venue": "Hall", "description": description})

    assert response.status_code == 400
    assert list(response.json()["data"]["params"]) == ["description"]


@pytest.mark.parametrize(
    "description",
    [
        "<div>" * 100 + "deep" + "</div>" * 100,
        "<ul>" + "<li>one<li>two" * 500 + "</ul>",
        "<p>one<p>two" * 500,
        "<b>bold</b> " * 2_000,
        "a<br>b" * 2_000,
    ],
    ids=["deep", "items", "paragraphs", "bold", "breaks"],
)
def test_long_descriptions_of_ordinary_html_are_kept(editor_api, description):
    assert editor_api.post(f"{API}/venues", {"venue": "Hall", "description": description}).status_code == 201


@pytest.mark.parametrize(
    "text",
    ["<script>" * 20_000, "<script" * 20_000, "<a" * 40_000 + ">" * 40_000, "<" * 100_000, "<style>x</style>" * 10_000],
    ids=["scripts", "open-scripts", "tags-in-tags", "brackets", "styles"],
)
def test_markup_is_dropped_in_a_time_that_grows_with_the_text_alone(text):
    # Not a measure of speed: what grows with the square of the text takes minutes here.
    started = time.process_time()

    strip_markup(text)

    assert time.process_time() - started < 10


def test_long_value_of_a_custom_field_is_refused_unread(editor_api):
    CustomField.objects.create(resource="venue", name="note", label="Note")

    response = editor_api.post(f"{API}/venues", {"venue": "Hall", "custom_fields": {"note": "<script>" * 30_000}})

    assert invalid_arguments(response) == ["custom_fields"]


def test_address_inside_an_object_is_never_fetched(author_api, serve_remotely):
    server = serve_remotely(http_response(plain_image()))

    response = author_api.post(f"{API}/venues", {"venue": "Hall", "image": {"id": "http://pictures.example/a.png"}})

    assert list(response.json()["data"]["params"]) == ["image"]
    assert server.requests == []


@pytest.mark.parametrize("query", [{"has_events": "true"}, {"only_with_upcoming": "true"}])
def test_venues_do_not_tell_of_events_that_hide_them(client, editor_api, query):
    venue = VenueFactory()
    EventFactory(password="x", venues=[venue])

    assert listed_ids(client.get(f"{API}/venues", query), "venues") == []
    assert listed_ids(editor_api.get(f"{API}/venues", query), "venues") == [venue.pk]


def test_slug_of_a_long_title_comes_back_unchanged(editor_api):
    title = "x" * 191 + " and so on"
    VenueFactory(title=title)
    venue = editor_api.post(f"{API}/venues", {"venue": title, "description": "Another"}).json()

    assert venue["slug"] == "x" * 191 + "-2"
    assert editor_api.put(f"{API}/venues/{venue['id']}", venue).json()["slug"] == venue["slug"]


def test_slugs_are_numbered_without_gaps(editor_api):
    slugs = [EventFactory(title="Concert").slug for _number in range(25)]

    assert slugs == ["concert", *(f"concert-{number}" for number in range(2, 26))]


def test_term_whose_name_grows_when_it_is_folded_is_known(editor_api):
    name = "ß" * 150

    assert editor_api.post(f"{API}/tags", {"name": name}).status_code == 201
    assert editor_api.post(f"{API}/tags", {"name": name}).json()["code"] == "term_exists"
    assert Tag.objects.count() == 1


def test_last_zone_counts_for_the_dates_as_well(editor_api):
    response = editor_api.post(
        f"{API}/events",
        "title=A&start_date=2030-07-04+10:00&end_date=2030-07-04+11:00&timezone=Europe/Rome&timezone=America/New_York",
        content_type="application/x-www-form-urlencoded",
    )

    assert response.json()["start"] == "2030-07-04T10:00:00-04:00"


def test_ignored_names_are_cut_short(editor_api):
    response = editor_api.post(f"{API}/venues", {"venue": "Hall", "x" * 100_000: 1})

    assert response.headers["X-Ignored-Fields"] == "x" * 50


@pytest.mark.parametrize(("value", "named"), [({"geo_lat": 1}, "geo_lng"), ({"geo_lng": 1}, "geo_lat")])
def test_missing_coordinate_is_named(editor_api, value, named):
    response = editor_api.post(f"{API}/venues", {"venue": "Hall", **value})

    assert list(response.json()["data"]["params"]) == [named]
