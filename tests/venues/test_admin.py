"""Venues in the admin."""

import pytest

from tests.factories import EventFactory, VenueFactory
from tests.support.admin import browser_for, column_texts, form_errors, listed_titles, messages_in, submit_form
from venues.models import Venue

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

LIST = "/admin/venues/venue/"


@pytest.mark.parametrize("count", [1, 3])
def test_venue_list_query_count(editor_browser, django_assert_num_queries, count):
    for _ in range(count):
        EventFactory(venues=[VenueFactory()])

    # session, user, permissions, count, page with its authors
    with django_assert_num_queries(6):
        response = editor_browser.get(LIST)

    assert len(listed_titles(response)) == count


def test_venue_list_counts_the_events_that_the_user_may_see(editor_browser, author):
    hall, empty = VenueFactory(title="Hall"), VenueFactory(title="Empty")
    (
        EventFactory(venues=[hall]),
        EventFactory(venues=[hall], status="draft"),
        EventFactory(venues=[hall], status="trash"),
    )

    def shown(client):
        return {row.title: row.event_count for row in client.get(LIST).context["cl"].result_list}

    assert shown(editor_browser) == {"Hall": 2, "Empty": 0}
    assert shown(browser_for(author)) == {"Hall": 1, "Empty": 0}
    link = f'<a href="/admin/events/event/?venue={hall.pk}">2</a>'
    assert link in editor_browser.get(LIST).content.decode()
    assert listed_titles(editor_browser.get(LIST, {"events": "with"})) == ["Hall"]
    assert listed_titles(editor_browser.get(LIST, {"events": "without"})) == [empty.title]


def test_venue_list_is_searched_within_one_field(editor_browser):
    VenueFactory(title="Town hall", city="Rome")
    VenueFactory(title="Old mill", address="Town road")

    assert listed_titles(editor_browser.get(LIST, {"q": "town"})) == ["Old mill", "Town hall"]
    assert listed_titles(editor_browser.get(LIST, {"q": "rome"})) == ["Town hall"]
    assert listed_titles(editor_browser.get(LIST, {"q": "town rome"})) == []


def test_venue_is_made_with_all_its_fields(editor_browser):
    fields = {
        "title": "Town hall",
        "address": "1 High Street",
        "zip": "00100",
        "city": "Rome",
        "state": "",
        "province": "Lazio",
        "state_province": "",
        "country": "Italy",
        "phone": "555 0100",
        "website": "https://example.org",
        "show_map_link": None,
    }

    submit_form(editor_browser, f"{LIST}add/", **fields)

    venue = Venue.objects.get()
    made = {name: getattr(venue, name) for name in fields}
    assert made == {**fields, "show_map_link": False}
    assert (venue.slug, venue.name_key, venue.status, venue.show_map) == ("town-hall", "town hall", "publish", True)
    assert column_texts(editor_browser.get(LIST), "region") == ["Lazio"]


def test_a_second_venue_of_a_name_is_made_with_a_word_of_warning(editor_browser):
    VenueFactory(title="Town hall")

    response = submit_form(editor_browser, f"{LIST}add/", title="Town Hall")
    other = submit_form(editor_browser, f"{LIST}add/", title="Town house")

    warning = "Another venue has the same name. API clients that send this name get the older one."
    assert warning in messages_in(response)
    assert warning not in messages_in(other)
    assert Venue.objects.filter(name_key="town hall").count() == 2


@pytest.mark.parametrize(("value", "missing"), [("geo_lat", "geo_lng"), ("geo_lng", "geo_lat")])
def test_half_a_place_is_refused_beside_the_other_half(editor_browser, value, missing):
    venue = VenueFactory(geo_lat=41.9, geo_lng=12.5)

    new = submit_form(editor_browser, f"{LIST}add/", title="Town hall", **{value: "1"})
    changed = submit_form(editor_browser, f"{LIST}{venue.pk}/change/", **{missing: ""})

    wrong = {missing: ["Set both latitude and longitude, or neither."]}
    assert (form_errors(new), form_errors(changed)) == (wrong, wrong)
    assert list(Venue.objects.values_list("geo_lat", "geo_lng")) == [(41.9, 12.5)]


def test_a_trashed_venue_leaves_its_events(editor_browser):
    hall = VenueFactory(title="Hall")
    event = EventFactory(venues=[hall, VenueFactory(title="Other")])

    editor_browser.post(f"{LIST}{hall.pk}/trash/")
    editor_browser.post(f"{LIST}{hall.pk}/delete/", {"post": "yes"})

    assert [venue.title for venue in event.venues.all()] == ["Other"]
    assert not Venue.objects.filter(pk=hall.pk).exists()
