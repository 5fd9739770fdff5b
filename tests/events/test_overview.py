"""The first page of the admin: upcoming events, the review queue, and incomplete events."""

import pytest
from django.contrib.auth.models import Permission

from tests.factories import EventFactory, ImageFactory, OrganizerFactory, TicketFactory, VenueFactory
from tests.support.admin import browser_for, listed_titles

pytestmark = pytest.mark.django_db

LIST = "/admin/events/event/"


@pytest.fixture(autouse=True)
def wednesday(time_machine):
    time_machine.move_to("2027-03-10 12:00Z", tick=False)


def overview_sections(user):
    response = browser_for(user).get("/admin/")
    assert response.status_code == 200, response
    return {
        str(section["title"]): [row["title"] for row in section["rows"]]
        for section in response.context["sections"]
        # See tests/history.
        if str(section["title"]) != "Recent changes"
    }


def test_first_page_shows_upcoming_and_incomplete_events(editor):
    hall = VenueFactory(title="Hall")
    EventFactory(title="Now", start="2027-03-10 10:00", end="2027-03-10 14:00", venues=[hall])
    EventFactory(title="Over", start="2027-03-10 08:00", end="2027-03-10 09:00")
    EventFactory(title="Sunday", start="2027-03-14 10:00", end="2027-03-14 11:00", status="draft")
    EventFactory(title="Later", start="2027-03-17 10:00", end="2027-03-17 11:00", venues=[hall])
    EventFactory(title="Gone", start="2027-03-10 13:00", end="2027-03-10 14:00", status="trash")

    assert overview_sections(editor) == {
        "Today": ["Over", "Now"],
        "Next 6 days": ["Sunday"],
        "Upcoming events without an image": ["Now", "Sunday", "Later"],
        "Upcoming events without a venue": ["Sunday"],
    }


def test_first_page_shows_the_review_queue_that_the_user_may_see(editor, contributor):
    EventFactory(title="Mine", start="2026-03-10", end="2026-03-10", status="pending", author=contributor)
    EventFactory(title="Others", start="2026-03-10", end="2026-03-10", status="pending")
    VenueFactory(title="Hall", status="pending")
    OrganizerFactory(title="Club", status="draft")

    assert overview_sections(editor) == {"Review queue": ["Mine", "Others", "Hall"]}
    assert overview_sections(contributor) == {"Review queue": ["Mine"]}


def test_first_page_shows_authors_only_their_own_incomplete_events(author):
    EventFactory(title="Mine", start="2027-03-20", end="2027-03-20", author=author)
    EventFactory(title="Others", start="2027-03-20", end="2027-03-20")

    assert overview_sections(author) == {
        "Your upcoming events": ["Mine"],
        "Upcoming events without an image": ["Mine"],
        "Upcoming events without a venue": ["Mine"],
    }


def test_first_page_lists_some_events_and_links_to_all(editor):
    EventFactory.create_batch(9, start="2027-03-10 13:00", end="2027-03-10 14:00")

    today = browser_for(editor).get("/admin/").context["sections"][0]

    assert len(today["rows"]) == 8
    assert today["list_url"] == "/admin/events/event/calendar/?view=week&day=2027-03-10"


@pytest.mark.parametrize("count", [1, 3])
def test_first_page_query_count(editor, django_assert_num_queries, count):
    EventFactory.create_batch(count, start="2027-03-10 13:00", end="2027-03-10 14:00")
    EventFactory.create_batch(count, start="2027-03-10 13:00", end="2027-03-10 14:00", status="pending")
    client = browser_for(editor)

    # session, user, permissions; long events thrice; ten sections, two queries for the queue; the recent changes of
    # six kinds of record
    with django_assert_num_queries(24):
        client.get("/admin/")


def test_events_are_filtered_by_missing_values(editor):
    hall = VenueFactory()
    with_venue = EventFactory(title="With", venues=[hall])
    EventFactory(title="Without")
    TicketFactory(event=with_venue)
    client = browser_for(editor)

    assert listed_titles(client.get(LIST, {"lacks": "venue"})) == ["Without"]
    assert listed_titles(client.get(LIST, {"lacks": "image"})) == ["With", "Without"]
    assert listed_titles(client.get(LIST, {"ticketed": "yes"})) == ["With"]
    assert listed_titles(client.get(LIST, {"ticketed": "no"})) == ["Without"]
    assert listed_titles(client.get(LIST, {"lacks": "x", "ticketed": "x"})) == ["With", "Without"]


def test_filters_by_missing_values_omit_events_with_a_password(author):
    EventFactory(title="Secret", password="x")

    assert listed_titles(browser_for(author).get(LIST, {"lacks": "venue"})) == []
    assert listed_titles(browser_for(author).get(LIST, {"ticketed": "no"})) == []


def test_first_page_shows_own_drafts_with_images_and_statuses(editor):
    EventFactory(title="Old draft", start="2027-08-10", end="2027-08-10", status="draft", author=editor)
    EventFactory(title="New draft", start="2026-08-10", end="2026-08-10", status="draft", author=editor)
    EventFactory(title="Draft of others", start="2026-08-10", end="2026-08-10", status="draft")
    EventFactory(title="Today", start="2027-03-10", end="2027-03-10", image=ImageFactory(alt="Two masks"))

    page = browser_for(editor).get("/admin/")
    html = page.content.decode()

    drafts = next(section for section in page.context["sections"] if section["title"] == "Your draft events")
    assert [row["title"] for row in drafts["rows"]] == ["New draft", "Old draft"]
    assert drafts["list_url"] == f"{LIST}?status=draft&author=me"
    assert 'alt="Two masks"' in html
    assert '<span class="status is-draft">Draft</span>' in html
    assert f'href="{LIST}add/"' in html


def test_first_page_shows_own_drafts_of_venues_and_organizers(author):
    VenueFactory(title="My hall", status="draft", author=author)
    VenueFactory(title="Hall of others", status="draft")
    OrganizerFactory(title="My club", status="draft", author=author)
    OrganizerFactory(title="Published club", author=author)

    sections = browser_for(author).get("/admin/").context["sections"]

    drafts = [section for section in sections if section["title"].startswith("Your draft")]
    assert [(section["title"], section["list_url"], section["rows"][0]["title"]) for section in drafts] == [
        ("Your draft venues", "/admin/venues/venue/?status=draft&author=me", "My hall"),
        ("Your draft organizers", "/admin/organizers/organizer/?status=draft&author=me", "My club"),
    ]
    assert [len(section["rows"]) for section in drafts] == [1, 1]


def test_next_days_lead_to_the_events_of_these_days(editor, time_machine):
    # A Saturday, the last day of a week.
    time_machine.move_to("2027-03-13 12:00Z", tick=False)
    for day in ("13", "14", "19", "20"):
        EventFactory(title=day, start=f"2027-03-{day} 10:00", end=f"2027-03-{day} 11:00")
    browser = browser_for(editor)

    sections = {str(section["title"]): section for section in browser.get("/admin/").context["sections"]}

    assert [row["title"] for row in sections["Next 6 days"]["rows"]] == ["14", "19"]
    assert listed_titles(browser.get(sections["Next 6 days"]["list_url"])) == ["14", "19"]


def test_first_page_offers_no_new_event_to_readers(editor):
    editor.groups.clear()
    editor.user_permissions.set(Permission.objects.filter(codename="view_event"))

    assert "overview-actions" not in browser_for(editor).get("/admin/").content.decode()
