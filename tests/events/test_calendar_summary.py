"""The pop-over of an event in the calendar: what it shows, and which actions it offers to whom."""

import re

import pytest

from tests.factories import CategoryFactory, EventFactory, VenueFactory
from tests.support.admin import browser_for

pytestmark = pytest.mark.django_db

BACK = "_changelist_filters=day%3D2027-03-10%26view%3Dweek"
EDITOR_ACTIONS = ["Edit", "View page", "Move", "Duplicate", "Cancel event", "Move to trash"]


def summary(client, event):
    return client.get(f"/admin/events/event/{event.pk}/summary/?{BACK}")


def actions(response):
    """Return the labels of the links and buttons below the essentials."""
    html = response.content.decode().split('class="summary-actions"')[1]
    return re.findall(r"<(?:a|button) [^>]*>([^<]+)</", html)


def test_summary_shows_the_essentials(editor_browser):
    event = EventFactory(
        title="Jam & more",
        start="2027-03-10 20:00",
        end="2027-03-10 22:00",
        venues=[VenueFactory(title="Hall")],
        categories=[CategoryFactory(name="Jazz")],
        event_status="postponed",
        event_status_reason="The band is ill.",
        sold_out=True,
    )

    response = summary(editor_browser, event)
    html = response.content.decode()

    for text in (
        "Jam &amp; more",
        "Wed 10 Mar 2027, 20:00 – 22:00",
        "Hall",
        "Jazz",
        "Postponed",
        "Sold out",
        "The band is ill.",
    ):
        assert text in html
    assert f'class="term hue-{event.categories.get().pk % 8}"' in html
    assert actions(response) == EDITOR_ACTIONS
    assert f"/admin/events/event/{event.pk}/change/?{BACK}" in html


@pytest.mark.parametrize(
    ("fields", "labels"),
    [
        ({"event_status": "cancelled"}, [*EDITOR_ACTIONS[:4], "Undo cancellation", "Move to trash"]),
        ({"status": "trash"}, ["Open", "Restore"]),
        ({"status": "draft"}, EDITOR_ACTIONS),
    ],
)
def test_actions_follow_the_status(editor_browser, fields, labels):
    assert actions(summary(editor_browser, EventFactory(**fields))) == labels


def test_others_may_only_look(author_browser):
    event = EventFactory(title="Jam")

    assert actions(summary(author_browser, event)) == ["Open", "View page"]


def test_summary_of_an_event_with_a_password_hides_its_fields(author_browser):
    event = EventFactory(
        title="Jam",
        password="x",
        venues=[VenueFactory(title="Hall")],
        event_status="cancelled",
        event_status_reason="Ill",
    )

    html = summary(author_browser, event).content.decode()

    assert "Jam" in html
    assert not re.search("Hall|Cancelled|Ill|Part of", html)


def test_drafts_of_others_are_not_found(author_browser):
    assert summary(author_browser, EventFactory(status="draft")).status_code == 404


@pytest.mark.parametrize("pk", ["0", "x", "99999999999999999999"])
def test_missing_events_are_not_found(editor_browser, pk):
    assert editor_browser.get(f"/admin/events/event/{pk}/summary/").status_code == 404


def test_strangers_are_refused(subscriber):
    event = EventFactory()

    assert summary(browser_for(None), event).status_code == 302
    assert summary(browser_for(subscriber), event).status_code in (302, 403)


@pytest.mark.parametrize(
    ("action", "fields"),
    [("cancel", {}), ("undo-cancel", {"event_status": "cancelled"}), ("trash", {}), ("restore", {"status": "trash"})],
)
def test_actions_lead_back_to_the_calendar(editor_browser, action, fields):
    event = EventFactory(**fields)

    answer = editor_browser.post(f"/admin/events/event/{event.pk}/{action}/?{BACK}", {"back": "list"})
    back = editor_browser.get(answer["Location"])

    assert back["Location"] == "/admin/events/event/calendar/?day=2027-03-10&view=week"


def test_saving_a_copy_leads_back_to_the_calendar(editor_browser):
    event = EventFactory()

    answer = editor_browser.post(f"/admin/events/event/{event.pk}/duplicate/?{BACK}", {"back": "list"})

    assert answer["Location"].endswith(f"/change/?{BACK}")


@pytest.mark.parametrize("count", [1, 3])
def test_summary_query_count(editor_browser, django_assert_num_queries, count):
    event = EventFactory(
        venues=[VenueFactory() for _ in range(count)], categories=[CategoryFactory() for _ in range(count)]
    )

    # session, user, permissions, the event, its venues, its organizers, its categories
    with django_assert_num_queries(7):
        summary(editor_browser, event)
