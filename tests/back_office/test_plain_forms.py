"""The pages that ask before an action: their cards, and the bar with the buttons."""

import re

import pytest

from tests.factories import EventFactory, SeriesFactory, TagFactory
from tests.support.admin import run_action

pytestmark = pytest.mark.django_db

EVENTS = "/admin/events/event/"
FILTERED = f"{EVENTS}?featured=no"
DANGER = "bg-red-600"
BAR = re.compile(r'id="submit-row".*', re.DOTALL)
BUTTON = re.compile(r'<button type="submit" form="plain-form".*?class="([^"]*)".*?>\s*([^<]*?)\s*</button', re.DOTALL)
CANCEL = re.compile(r'<a href="([^"]*)"[^<]*>\s*Cancel\s*</a>')


@pytest.fixture
def pages(editor_browser):
    """Return a function that opens a page by its name."""

    def opened(name):
        events = EventFactory.create_batch(2)
        series = SeriesFactory()
        path = f"/admin/events/series/{series.pk}"
        event = series.events.first()
        responses = {
            "merge": lambda: run_action(editor_browser, "/admin/taxonomy/tag/", "merge", TagFactory.create_batch(2)),
            "venue": lambda: run_action(editor_browser, FILTERED, "move_to_venue", events),
            "change": lambda: run_action(editor_browser, FILTERED, "change_selected", events),
            "duplicate": lambda: run_action(editor_browser, FILTERED, "duplicate_repeatedly", events),
            "end": lambda: editor_browser.get(f"{path}/end/"),
            "detach": lambda: editor_browser.get(f"{path}/detach/"),
            "trash": lambda: editor_browser.post(f"{EVENTS}{event.pk}/trash/"),
        }
        back = {
            "merge": "/admin/taxonomy/tag/",
            "trash": f"{EVENTS}{event.pk}/change/",
            **dict.fromkeys(("end", "detach"), f"{path}/change/"),
        }
        return responses[name](), back.get(name, FILTERED)

    return opened


@pytest.mark.parametrize(
    ("name", "label", "is_red"),
    [
        ("merge", "Merge", True),
        ("venue", "Change venue", False),
        ("change", "Save", False),
        ("duplicate", "Duplicate", False),
        ("end", "Set the last day", False),
        ("detach", "Detach all events", True),
        ("trash", "Move to trash", True),
    ],
)
def test_page_has_cards_and_a_bar_with_the_buttons(pages, name, label, is_red):
    response, back = pages(name)

    page = response.content.decode()
    bar = BAR.search(page)[0]
    (classes, text) = BUTTON.search(bar).groups()
    assert '<form method="post" id="plain-form"' in page
    assert page.count('class="plain-card') >= 1
    assert (text, DANGER in classes) == (label, is_red)
    assert CANCEL.search(bar)[1] == back
