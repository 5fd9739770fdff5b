"""The dry run of a series over HTTP: its dates, without saving anything."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from events.models import Event, Series
from tests.support.api_client import API, json_of

PREVIEW = f"{API}/series/preview"
DATES = {
    "start_date": "2027-03-27 02:30:00",
    "end_date": "2027-03-27 03:00:00",
    "timezone": "Europe/Rome",
    "rrule": "FREQ=DAILY;COUNT=4",
}


@pytest.fixture(autouse=True)
def _today(time_machine):
    time_machine.move_to("2027-03-10 12:00", tick=False)


def test_preview_has_the_dates_and_marks_public_holidays(editor_api, settings):
    settings.HOLIDAYS_COUNTRY = "IT"

    preview = json_of(editor_api.post(PREVIEW, {**DATES, "exdate": ["2027-03-30 02:30:00"]}))

    assert preview == {
        "sentence": "Every day, 4 times",
        "total": 3,
        "is_complete": True,
        "occurrences": [
            {
                "occurrence": "2027-03-27 02:30:00",
                "start_date": "2027-03-27 02:30:00",
                "end_date": "2027-03-27 03:00:00",
                "public_holiday": "",
            },
            {
                "occurrence": "2027-03-28 02:30:00",
                # The clock skips the time.
                "start_date": "2027-03-28 03:30:00",
                "end_date": "2027-03-28 03:30:00",
                "public_holiday": "Easter Sunday",
            },
            {
                "occurrence": "2027-03-29 02:30:00",
                "start_date": "2027-03-29 02:30:00",
                "end_date": "2027-03-29 03:00:00",
                "public_holiday": "Easter Monday",
            },
        ],
    }


def test_preview_has_the_dates_of_the_events_that_a_create_makes(editor_api):
    fields = {**DATES, "all_day": True, "rrule": "FREQ=MONTHLY;BYDAY=1MO", "rdate": ["2027-04-01"]}

    preview = json_of(editor_api.post(PREVIEW, fields))
    created = editor_api.post(f"{API}/series", {"title": "Market", **fields}).json()

    events = Event.objects.filter(series=created["id"]).order_by("series_occurrence")
    assert [tuple(row.values()) for row in preview["occurrences"]] == [
        (event.series_occurrence, event.start_local, event.end_local, "") for event in events
    ]
    assert (preview["total"], preview["is_complete"]) == (len(events), False)


def test_preview_saves_nothing_and_needs_few_queries(editor_api):
    editor_api.post(PREVIEW, DATES)

    with CaptureQueriesContext(connection) as queries:
        json_of(editor_api.post(PREVIEW, DATES))

    assert [query["sql"] for query in queries if "events_" in query["sql"]] == []
    assert (Series.objects.count(), Event.objects.count()) == (0, 0)


def test_preview_names_the_fields_that_it_ignores_and_selects_fields(editor_api):
    response = editor_api.post(f"{PREVIEW}?_fields=total", {**DATES, "title": "Choir"})

    assert response["X-Ignored-Fields"] == "title"
    assert response.json() == {"total": 4}


@pytest.mark.parametrize(
    ("changes", "params"),
    [
        ({"rrule": "FREQ=HOURLY"}, {"rrule"}),
        ({"rrule": "FREQ=DAILY;COUNT=1", "exdate": ["2027-03-27 02:30:00"]}, {"rrule"}),
        ({"start_date": "1900-01-01", "end_date": "1900-01-01", "rrule": "FREQ=DAILY"}, {"start_date"}),
        ({"end_date": "2029-01-01"}, {"end_date"}),
        ({"start_date": "soon", "timezone": "Mars"}, {"start_date", "timezone"}),
    ],
)
def test_preview_refuses_what_a_create_refuses(editor_api, changes, params):
    previewed = editor_api.post(PREVIEW, {**DATES, **changes})
    created = editor_api.post(f"{API}/series", {"title": "Choir", **DATES, **changes})

    assert (previewed.status_code, created.status_code) == (400, 400)
    assert set(previewed.json()["data"]["params"]) == params
    assert previewed.json()["data"]["params"] == created.json()["data"]["params"]


def test_preview_names_missing_fields(editor_api):
    response = editor_api.post(PREVIEW, {})

    assert (response.status_code, response.json()["code"]) == (400, "rest_missing_callback_param")
    assert response.json()["data"]["params"] == ["start_date", "end_date"]


def test_preview_is_for_users_who_may_create_series(client, subscriber_api, contributor_api):
    assert client.post(PREVIEW, DATES, "application/json").status_code == 401
    assert subscriber_api.post(PREVIEW, DATES).status_code == 403
    assert contributor_api.post(PREVIEW, DATES).status_code == 200
    assert contributor_api.get(PREVIEW).status_code == 404
