"""The time zones of venues: derived from the place unless they are set."""

import sys
from importlib import import_module

import pytest
from django.apps import apps

from tests.factories import EventFactory, VenueFactory
from tests.support.admin import browser_for, form_data, form_errors, messages_in, submit_form
from tests.support.api_client import API, invalid_params
from tests.support.api_writes import created_record, error_of, event_data, read_record, updated_record
from tests.support.history import all_revisions, recorded_changes
from tests.support.programs import run_program
from venues.models import Venue

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

VENUES = f"{API}/venues"
LIST = "/admin/venues/venue/"
ROME = {"geo_lat": 41.9, "geo_lng": 12.5}
HALIFAX = {"geo_lat": 44.65, "geo_lng": -63.57}
INVALID = "Not a valid time zone. Use a name such as Europe/Rome, UTC or UTC+2."


def zone_of_new(**fields):
    return VenueFactory(**fields).time_zone


@pytest.mark.parametrize(
    ("place", "zone"),
    [
        (ROME, "Europe/Rome"),
        (HALIFAX, "America/Halifax"),
        # The coordinates decide, whatever the country.
        ({**ROME, "country": "Japan"}, "Europe/Rome"),
        # Two zones on the border of a dispute, and the sea, which has none.
        ({"geo_lat": 43.8, "geo_lng": 87.6}, ""),
        ({"geo_lat": 0, "geo_lng": 0}, ""),
        ({"geo_lat": 0, "geo_lng": 0, "country": "Italy"}, "Europe/Rome"),
        ({"geo_lat": 90, "geo_lng": 180}, ""),
        ({"geo_lat": -90, "geo_lng": -180}, "Antarctica/McMurdo"),
    ],
)
def test_coordinates_decide(place, zone):
    assert zone_of_new(**place) == zone


@pytest.mark.parametrize(
    ("country", "zone"),
    [
        ("Italy", "Europe/Rome"),
        ("ITALIA", "Europe/Rome"),
        ("it", "Europe/Rome"),
        ("Österreich", "Europe/Vienna"),
        ("The Netherlands", "Europe/Amsterdam"),
        # In the languages of the admin and of the country, in everyday words, and in those of the zone database.
        ("Armenien", "Asia/Yerevan"),
        ("Egipt", "Africa/Cairo"),
        ("Hrvatska", "Europe/Zagreb"),
        ("Ελλάδα", "Europe/Athens"),
        ("Holland", "Europe/Amsterdam"),
        ("East Timor", "Asia/Dili"),
        # Places in two zones that keep the same time.
        ("Deutschland", "Europe/Berlin"),
        ("Argentina", "America/Argentina/Buenos_Aires"),
        # Places with different times.
        ("Spain", ""),
        ("USA", ""),
        ("Canada", ""),
        ("Ellery", ""),
        ("", ""),
        ("!", ""),
    ],
)
def test_country_decides_without_coordinates(country, zone):
    assert zone_of_new(country=country) == zone


def test_names_of_countries_are_up_to_date():
    done = run_program([sys.executable, ".ci/country_names.py", "check"])

    assert done.returncode == 0, done.stderr


def test_zone_follows_the_place_until_another_one_is_set(editor_api):
    venue = created_record(editor_api.post(VENUES, {"venue": "Hall", "country": "Japan"}))
    url = f"{VENUES}/{venue['id']}"

    def zone_after(**changes):
        updated_record(editor_api.patch(url, changes))
        return read_record(editor_api, VENUES, venue["id"])["timezone"]

    assert venue["timezone"] == "Asia/Tokyo"
    assert zone_after(**ROME) == "Europe/Rome"
    assert zone_after(**HALIFAX, timezone="Europe/Rome") == "America/Halifax"  # as it was read: not a change
    assert zone_after(timezone="europe/paris") == "Europe/Paris"
    assert zone_after(**ROME, city="Rome") == "Europe/Paris"
    assert zone_after(timezone="UTC+2") == "UTC+2"
    assert zone_after(timezone=None) == "Europe/Rome"
    assert zone_after(timezone="Europe/Paris") == "Europe/Paris"
    assert zone_after(timezone="") == "Europe/Rome"
    assert zone_after(geo_lat=None, geo_lng=None, country="") is None


def test_unknown_zones_and_strangers_are_refused(editor_api, subscriber_api):
    venue = VenueFactory(country="Italy")
    url = f"{VENUES}/{venue.pk}"

    assert invalid_params(editor_api.patch(url, {"timezone": "Mars/Olympus"})) == {"timezone": INVALID}
    assert invalid_params(editor_api.post(VENUES, {"venue": "B", "timezone": 5})) == {"timezone": "Must be a string."}
    assert error_of(subscriber_api.patch(url, {"timezone": "UTC"}))[0] == 403
    venue.refresh_from_db()
    assert venue.time_zone == "Europe/Rome"


def test_new_venue_of_an_event_has_its_zone_and_the_event_that_of_the_site(editor_api):
    data = event_data(venue=[{"venue": "Hall", "country": "Italy"}, {"venue": "Barn", "timezone": "Asia/Tokyo"}])

    event = created_record(editor_api.post(f"{API}/events", data))

    assert [venue["timezone"] for venue in event["venue"]] == ["Europe/Rome", "Asia/Tokyo"]
    assert event["timezone"] == "UTC"


def test_history_has_the_derived_zone(editor):
    venue = VenueFactory(country="Italy", author=editor)

    assert Venue.history.get(id=venue.pk).time_zone == "Europe/Rome"


# --- Form ----------------------------------------------------------------------------------------


def test_form_derives_the_zone_and_keeps_one_that_was_set(editor_browser):
    submit_form(editor_browser, f"{LIST}add/", title="Hall", geo_lat="41.9", geo_lng="12.5")
    venue = Venue.objects.get()
    change = f"{LIST}{venue.pk}/change/"

    def zone_after(**fields):
        response = submit_form(editor_browser, change, **fields)
        assert response.status_code == 302, form_errors(response)
        return form_data(editor_browser.get(change))["time_zone"]

    assert venue.time_zone == "Europe/Rome"
    assert zone_after(geo_lat="44.65", geo_lng="-63.57") == ["America/Halifax"]
    assert zone_after(time_zone="asia/tokyo") == ["Asia/Tokyo"]
    assert zone_after(geo_lat="41.9", geo_lng="12.5") == ["Asia/Tokyo"]
    assert zone_after(time_zone="") == ["Europe/Rome"]
    assert form_errors(submit_form(editor_browser, change, time_zone="Mars")) == {"time_zone": [INVALID]}


# --- Events --------------------------------------------------------------------------------------

EVENTS = "/admin/events/event/"
TIMES = {"start": "2030-05-04T18:00", "end": "2030-05-04T20:00"}


def test_form_of_a_new_event_gets_the_zone_of_its_venue(settings, author_browser, author):
    settings.SITE_TIME_ZONE = "Europe/Vienna"
    other = VenueFactory(title="Other", status="private", time_zone="Asia/Tokyo")
    # A zone that keeps the time of the site is that of the site.
    zones = {
        VenueFactory(time_zone="Asia/Tokyo").pk: "Asia/Tokyo",
        VenueFactory(country="Germany").pk: "Europe/Vienna",
        VenueFactory().pk: "Europe/Vienna",
        other.pk: "Europe/Vienna",
        "": "Europe/Vienna",
        "x": "Europe/Vienna",
        "9" * 30: "Europe/Vienna",
    }

    found = {pk: author_browser.get(f"{EVENTS}venue-zone/", {"venue": pk}).json() for pk in zones}

    assert found == {pk: {"time_zone": zone} for pk, zone in zones.items()}
    assert author_browser.post(f"{EVENTS}venue-zone/").status_code == 405


def test_only_users_who_may_add_events_get_the_zone_of_a_venue(subscriber, client):
    subscriber.is_staff = True
    subscriber.save()

    assert browser_for(subscriber).get(f"{EVENTS}venue-zone/").status_code == 403
    assert client.get(f"{EVENTS}venue-zone/").status_code == 302


@pytest.mark.parametrize(
    ("fields", "is_warned"),
    [
        ({"time_zone": "UTC"}, True),
        ({"time_zone": "UTC", "attendance_mode": "mixed"}, True),
        ({"time_zone": "UTC", "attendance_mode": "online", "online_url": "https://example.org"}, False),
        ({"time_zone": "Europe/Berlin"}, False),
        ({"time_zone": "UTC+2"}, False),
    ],
)
def test_event_with_another_time_than_its_venue_is_saved_with_a_warning(editor_browser, fields, is_warned):
    unknown, hall = VenueFactory(), VenueFactory(title="Hall", time_zone="Europe/Rome")

    response = submit_form(
        editor_browser, f"{EVENTS}add/", title="Fair", ordered_venues=[unknown.pk, hall.pk], **TIMES, **fields
    )

    warning = "The times are in the time zone UTC, but “Hall” is in the time zone Europe/Rome."
    assert response.status_code == 302, form_errors(response)
    assert [text for text in messages_in(response) if "successfully" not in text] == [warning] * is_warned


def test_list_names_a_zone_only_if_it_has_another_time(settings, editor_browser):
    settings.SITE_TIME_ZONE = "Europe/Vienna"
    EventFactory(title="Berlin", start="2030-05-04 18:00", end="2030-05-04 20:00", time_zone="Europe/Berlin")
    EventFactory(title="Tokyo", start="2030-05-05 18:00", end="2030-05-05 20:00", time_zone="Asia/Tokyo")

    text = editor_browser.get(EVENTS).content.decode()

    assert "(Asia/Tokyo)" in text
    assert "(Europe/Berlin)" not in text


# --- Migration -----------------------------------------------------------------------------------


def test_migration_derives_zones_without_changing_the_history(editor_api):
    rome, nowhere = VenueFactory(title="Rome", **ROME), VenueFactory(title="Nowhere")
    set_by_hand = VenueFactory(title="Set", country="Italy", time_zone="Asia/Tokyo")
    deleted = VenueFactory(title="Deleted", country="Italy")
    Venue.objects.filter(pk=rome.pk).update(time_zone="")
    Venue.history.filter(id__in=[rome.pk, deleted.pk]).update(time_zone="")
    Venue.objects.filter(pk=deleted.pk).delete()
    before = recorded_changes(rome), len(all_revisions())

    import_module("venues.migrations.0006_time_zone").derive_time_zones(apps, None)

    zones = dict(Venue.objects.values_list("pk", "time_zone"))
    assert zones == {rome.pk: "Europe/Rome", nowhere.pk: "", set_by_hand.pk: "Asia/Tokyo"}
    assert (recorded_changes(rome), len(all_revisions())) == before
    recorded = dict(Venue.history.values_list("id", "time_zone"))
    assert recorded == {**zones, deleted.pk: ""}
    updated_record(editor_api.patch(f"{VENUES}/{rome.pk}", {"city": "Rome"}))
    assert recorded_changes(rome)[-1][-1] == ["city"]
