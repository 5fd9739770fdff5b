"""The form of an event in the admin: its sections, and what it says while it is filled in."""

import re
from html import unescape

import pytest

from tests.admin import client_of
from tests.factories import CustomFieldFactory, EventFactory, TicketFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

LIST = "/admin/events/event/"
ADD = f"{LIST}add/"
SECTION = re.compile(r"<h2[^>]*>\s*(.*?)\s*</h2>", re.S)
HEADING = re.compile(r"<h1.*?</h1>", re.S)
LINK = re.compile(r'<a href="(/event/[^"]*)" class="quiet-link">')


@pytest.fixture
def as_author(author):
    return client_of(author)


@pytest.fixture
def as_editor(editor):
    return client_of(editor)


def page(event):
    return f"{LIST}{event.pk}/change/"


def text_of(response):
    assert response.status_code == 200, response
    return response.content.decode()


def sections(response):
    return SECTION.findall(text_of(response).partition('id="content-main"')[2])


def heading(response):
    """The way to the page, as it is read."""
    (found,) = HEADING.findall(text_of(response))
    words = re.sub(r'<span class="material.*?</span>', " › ", found, flags=re.S)
    return " ".join(unescape(re.sub(r"<[^>]+>", "", words)).split())


# --- Sections ------------------------------------------------------------------------------------


def test_sections_are_in_the_order_of_an_editors_questions(as_author):
    CustomFieldFactory(resource="event")

    assert sections(as_author.get(ADD)) == [
        "What", "When", "Where", "Who", "How much", "Tickets", "Further facts", "How it is shown", "Publishing",
    ]  # fmt: skip


def test_tickets_are_there_once_behind_the_cost(as_editor):
    ticket = TicketFactory()

    text = text_of(as_editor.get(page(ticket.event)))

    places = [text.index(mark) for mark in ('id="id_cost"', 'id="tickets-group"', 'id="id_featured"')]
    assert places == sorted(places)
    assert text.count('name="tickets-TOTAL_FORMS"') == 1


def test_whoever_may_only_look_sees_tickets_too(as_author):
    ticket = TicketFactory(name="Day pass")

    assert "Day pass" in text_of(as_author.get(page(ticket.event)))


def test_heading_says_what_a_form_is_for(as_editor):
    event = EventFactory(title="Concert")

    assert [heading(as_editor.get(address)) for address in (ADD, page(event))] == [
        "Events › Add event",
        "Events › Concert",
    ]


@pytest.mark.parametrize(
    ("status", "has_page"), [("publish", True), ("draft", False), ("private", False), ("trash", False)]
)
def test_the_form_leads_to_the_public_page_where_there_is_one(as_editor, status, has_page):
    event = EventFactory(title="Concert", status=status)

    assert LINK.findall(text_of(as_editor.get(page(event)))) == (["/event/concert"] if has_page else [])


def test_whoever_may_only_look_is_led_to_the_public_page_too(as_author):
    assert LINK.findall(text_of(as_author.get(page(EventFactory(title="Concert"))))) == ["/event/concert"]
