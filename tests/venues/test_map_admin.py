"""The map on the form of a venue: the venues that it shows, and the source of its tiles."""

import re

import pytest

from tests.factories import VenueFactory
from tests.support.admin import browser_for, submit_form
from venues.admin.map import MAX_VENUES
from venues.models import Venue

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

LIST = "/admin/venues/venue/"
PLACES = f"{LIST}places/"
EARTH = {"south": -90, "west": -180, "north": 90, "east": 180}
MAP = re.compile(r'<div class="venue-map"[^>]*>')


def places(client, **section):
    response = client.get(PLACES, {**EARTH, **section})
    assert response.status_code == 200, response
    return response.json()


def venue_names(client, **section):
    return [venue["title"] for venue in places(client, **section)["venues"]]


def test_map_shows_venues_that_have_a_place(author_browser):
    venue = VenueFactory(title="Hall", geo_lat=41.9, geo_lng=12.5)
    VenueFactory(title="Nowhere")

    assert places(author_browser) == {
        "venues": [{"id": venue.pk, "title": "Hall", "geo_lat": 41.9, "geo_lng": 12.5}],
        "is_cut": False,
    }


def test_map_shows_no_venue_that_is_hidden(author_browser, editor_browser, author):
    for title, status, whose in (("Draft", "draft", {}), ("Own", "draft", {"author": author}), ("Gone", "trash", {})):
        VenueFactory(title=title, status=status, geo_lat=1, geo_lng=1, **whose)

    assert venue_names(author_browser) == ["Own"]
    assert venue_names(editor_browser) == ["Draft", "Own"]


@pytest.mark.parametrize(
    ("section", "shown"),
    [
        ({"south": 41, "west": 12, "north": 42, "east": 13}, ["Rome"]),
        ({"south": 41, "west": 12.6, "north": 42, "east": 13}, []),
        ({"south": 42, "west": 12, "north": 43, "east": 13}, []),
        # Over the 180th meridian, from both sides, and once around.
        ({"west": 170, "east": 190}, ["Fiji", "Tonga"]),
        ({"west": -190, "east": -170}, ["Fiji", "Tonga"]),
        ({"west": 372, "east": 373}, ["Rome"]),
        ({"west": -300, "east": 300}, ["Rome", "Fiji", "Tonga"]),
        ({"south": 10, "north": -10}, []),
    ],
)
def test_map_shows_the_section_that_is_seen(editor_browser, section, shown):
    for title, lat, lng in (("Rome", 41.9, 12.5), ("Fiji", -17.7, 178.1), ("Tonga", -21.1, -175.2)):
        VenueFactory(title=title, geo_lat=lat, geo_lng=lng)

    assert venue_names(editor_browser, **section) == shown


def test_map_says_that_there_are_more(editor_browser, editor):
    Venue.objects.bulk_create(
        Venue(title=f"{number}", slug=f"{number}", status="publish", author=editor, geo_lat=1, geo_lng=number / 100)
        for number in range(MAX_VENUES + 1)
    )

    shown = places(editor_browser)

    assert (len(shown["venues"]), shown["is_cut"]) == (MAX_VENUES, True)
    assert places(editor_browser, east=0.5)["is_cut"] is False


@pytest.mark.parametrize("count", [1, 3])
def test_map_query_count(editor_browser, django_assert_num_queries, count):
    for number in range(count):
        VenueFactory(geo_lat=number, geo_lng=number)

    # session, user, permissions, venues
    with django_assert_num_queries(4):
        shown = places(editor_browser)

    assert len(shown["venues"]) == count


@pytest.mark.parametrize("nonsense", ["", "x", "nan", "inf", "9" * 400, "\0"])
def test_what_is_no_section_is_said(editor_browser, nonsense):
    response = editor_browser.get(PLACES, {**EARTH, "west": nonsense})

    said = "This field is required." if not nonsense else "Enter a number."
    assert (response.status_code, response.json()) == (400, {"message": f"west: {said}"})


def test_map_is_closed_to_those_without_work_here(editor_browser, subscriber):
    subscriber.is_staff = True
    subscriber.save()

    assert browser_for(None).get(PLACES, EARTH).status_code == 302
    assert browser_for(subscriber).get(PLACES, EARTH).status_code == 403
    assert editor_browser.post(PLACES, EARTH).status_code == 405


def test_form_asks_nobody_for_tiles_unless_it_is_told_to(settings, editor_browser):
    (plain,) = MAP.findall(editor_browser.get(f"{LIST}add/").content.decode())
    settings.MAP_TILES_URL = "https://tiles.example.org/{z}/{x}/{y}.png"
    settings.MAP_TILES_ATTRIBUTION = '© <a href="https://example.org">Somebody</a>'
    (tiled,) = MAP.findall(editor_browser.get(f"{LIST}add/").content.decode())

    assert 'data-tiles="" data-attribution=""' in plain
    assert 'data-tiles="https://tiles.example.org/{z}/{x}/{y}.png"' in tiled
    assert "&lt;a href=&quot;https://example.org&quot;&gt;Somebody" in tiled


def test_place_is_kept_to_six_decimals_as_the_map_writes_it(editor_browser):
    submit_form(editor_browser, f"{LIST}add/", title="Hall", geo_lat="41.902784", geo_lng="-12.496366")
    venue = Venue.objects.get()
    there = (venue.geo_lat, venue.geo_lng)
    submit_form(editor_browser, f"{LIST}{venue.pk}/change/", geo_lat="", geo_lng="")

    assert there == (41.902784, -12.496366)
    assert Venue.objects.values_list("geo_lat", "geo_lng").get() == (None, None)
