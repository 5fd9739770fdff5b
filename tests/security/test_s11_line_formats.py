"""S11, line formats: no text becomes a formula in the CSV export, or another header in a response.

Elsewhere, texts with line breaks added properties to iCalendar files, and texts with `=` ran in spreadsheets. There is
no iCalendar output yet.
"""

import csv
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from events.admin.export import COLUMNS
from events.models import Event
from tests.factories import CategoryFactory, EventFactory, OrganizerFactory, TagFactory, UserFactory, VenueFactory
from tests.support.admin import browser_for, run_action
from tests.support.api_client import API

LIST = "/admin/events/event/"
FORMULAS = (
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    '=HYPERLINK("http://evil.example")',
    "=cmd|'/c calc'!A1",
    "-2+3",
)
TEXTS = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\x00"), min_size=1, max_size=40)


def exported(events, editor):
    response = run_action(browser_for(editor), LIST, "export", events)
    text = b"".join(response.streaming_content).decode()
    return list(csv.reader(io.StringIO(text, newline="")))


@pytest.mark.django_db
@pytest.mark.parametrize("text", FORMULAS)
def test_no_cell_is_a_formula(editor, text):
    # Written past validation, as an import or an older version may have.
    event = EventFactory(
        title="Fair",
        author=UserFactory(username=text.strip()),
        venues=[VenueFactory(title="V")],
        organizers=[OrganizerFactory(title="O")],
        categories=[CategoryFactory(name="C")],
        tags=[TagFactory(name="T")],
    )
    Event.objects.update(title=text, cost=text, website=text)
    for rows, name in (
        (event.venues, "title"),
        (event.organizers, "title"),
        (event.categories, "name"),
        (event.tags, "name"),
    ):
        rows.update(**{name: text})

    lines = exported([event], editor)

    assert [len(line) for line in lines] == [len(COLUMNS)] * 2
    assert [cell for cell in lines[1] if cell.startswith(("=", "+", "-", "@", "\t", "\r"))] == []


class ExportTest(TestCase):
    @settings(max_examples=25, deadline=None)
    @given(title=TEXTS, cost=TEXTS)
    def test_any_text_is_one_cell(self, title, cost):
        editor = UserFactory(role="editor")
        event = EventFactory(title="Fair")
        Event.objects.filter(pk=event.pk).update(title=title, cost=cost)

        lines = exported([event], editor)

        assert [len(line) for line in lines] == [len(COLUMNS)] * 2
        cells = dict(zip(COLUMNS, lines[1], strict=True))
        # The quote keeps a spreadsheet from running it.
        assert cells["title"].removeprefix("'") == title.removeprefix("'")


@pytest.mark.django_db
@pytest.mark.parametrize("path", [f"{API}/events", f"{API}/nothing", "/", "/event/x", "/admin/"])
@pytest.mark.parametrize(
    "value", ["a%0d%0aX-Evil:%201", "a%0aX-Evil: 1", "a%0dX-Evil:1", "%E5%98%8A%E5%98%8DX-Evil: 1"]
)
def test_line_breaks_in_urls_add_no_header(client, path, value):
    for url in (f"{path}?q={value}&{value}=1", f"{path}/{value}"):
        response = client.get(url)

        assert "X-Evil" not in response
        assert not [name for name, text in response.items() if "\r" in text + name or "\n" in text + name]


@pytest.mark.django_db
def test_line_breaks_in_records_add_no_header(editor_api):
    data = {"venue": "Hall\r\nX-Evil: 1", "slug": "hall\r\nx-evil: 1", "X-Evil\r\nX-Evil": "1"}

    response = editor_api.post(f"{API}/venues", data)

    assert response.status_code in (201, 400)
    assert "X-Evil" not in response
    assert not [name for name, text in response.items() if "\r" in text or "\n" in text]
