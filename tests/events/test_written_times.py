"""The times of an event as one line of text."""

import pytest

from tests.support.admin import browser_for

pytestmark = [pytest.mark.django_db, pytest.mark.time_machine("2026-11-28 09:00Z", tick=False)]

PAGE = "/admin/events/event/hints/written-times/"


@pytest.mark.parametrize(
    ("values", "answer"),
    [
        ({"text": "5 Dec 10-13"}, ("", "2026-12-05T10:00", "2026-12-05T13:00", False)),
        ({"text": "12-14 June"}, ("", "2027-06-12", "2027-06-14", True)),
        ({"text": "today", "time_zone": "Pacific/Kiritimati"}, ("", "2026-11-28", "2026-11-28", True)),
        ({"text": "tomorrow 7pm"}, ("", "2026-11-29T19:00", "", False)),
    ],
)
def test_line_becomes_the_values_of_the_fields(author_browser, values, answer):
    found = author_browser.get(PAGE, values).json()

    assert (found["error"], found["start"], found["end"], found["all_day"]) == answer


@pytest.mark.parametrize("values", [{}, {"text": "soon"}, {"text": "today", "time_zone": "Nowhere"}, {"text": "\0"}])
def test_other_lines_are_an_error(author_browser, values):
    response = author_browser.get(PAGE, values)

    assert (response.status_code, list(response.json())) == (200, ["error"])
    assert response.json()["error"]


def test_only_people_who_may_fill_in_the_form(subscriber, author_browser):
    assert browser_for(subscriber).get(PAGE, {"text": "today"}).status_code == 302
    assert author_browser.post(PAGE, {"text": "today"}).status_code == 405
