"""The filters of the lists of events and venues by accessibility and attendance mode."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.factories import EventFactory, VenueFactory
from tests.support.admin import browser_for, listed_titles

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

EVENTS, VENUES = "/admin/events/event/", "/admin/venues/venue/"
STEP_FREE = {"accessibility": "step_free"}


def queries_of(browser, path, parameters):
    browser.get(path, parameters)
    with CaptureQueriesContext(connection) as queries:
        browser.get(path, parameters)
    return len(queries)


def test_events_are_filtered_by_their_own_features_and_those_of_their_venues(editor_browser, editor):
    hall = VenueFactory(title="Hall", accessibility=["step_free", "quiet_hour"])
    EventFactory(title="Own", accessibility=["step_free"])
    EventFactory(title="At hall", venues=[hall])
    EventFactory(title="Loop", accessibility=["hearing_loop"], venues=[VenueFactory()])
    EventFactory(title="None")

    page = editor_browser.get(EVENTS, STEP_FREE)

    assert sorted(listed_titles(page)) == ["At hall", "Own"]
    assert listed_titles(editor_browser.get(EVENTS, {"accessibility": "quiet_hour"})) == ["At hall"]
    assert len(listed_titles(editor_browser.get(EVENTS, {"accessibility": "x"}))) == 4


def test_features_that_the_user_may_not_see_find_no_events(author):
    hidden = VenueFactory(status="draft", accessibility=["step_free"])
    EventFactory(title="At draft", venues=[hidden])
    EventFactory(title="Protected", password="x", accessibility=["step_free"])
    EventFactory(title="Free", accessibility=["step_free"])

    assert listed_titles(browser_for(author).get(EVENTS, STEP_FREE)) == ["Free"]


def test_venues_are_filtered_by_accessibility(editor_browser):
    VenueFactory(title="Hall", accessibility=["step_free"]), VenueFactory(title="Loft")

    assert listed_titles(editor_browser.get(VENUES, STEP_FREE)) == ["Hall"]
    assert sorted(listed_titles(editor_browser.get(VENUES, {"accessibility": "x"}))) == ["Hall", "Loft"]


def test_events_are_filtered_by_attendance_mode(editor_browser, author):
    EventFactory(title="Online", attendance_mode="online"), EventFactory(title="Here")
    EventFactory(title="Protected", attendance_mode="online", password="x")

    assert sorted(listed_titles(editor_browser.get(EVENTS, {"attendance_mode": "online"}))) == ["Online", "Protected"]
    assert listed_titles(browser_for(author).get(EVENTS, {"attendance_mode": "online"})) == ["Online"]
    assert len(listed_titles(editor_browser.get(EVENTS, {"attendance_mode": "x"}))) == 3


@pytest.mark.parametrize("path", [EVENTS, VENUES])
def test_filters_cost_the_same_for_one_record_and_many(editor_browser, path):
    def add(count):
        halls = VenueFactory.create_batch(count, accessibility=["step_free"])
        EventFactory.create_batch(count, accessibility=["step_free"], venues=halls[:1])

    add(1)
    one = queries_of(editor_browser, path, STEP_FREE)
    add(3)

    assert queries_of(editor_browser, path, STEP_FREE) == one
    assert one <= queries_of(editor_browser, path, {}) + 3
