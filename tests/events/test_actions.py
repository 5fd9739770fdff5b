"""The actions of the event list in the admin."""

import csv

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from events.admin.export import COLUMNS
from events.models import Event
from tests.factories import (
    CategoryFactory,
    EventFactory,
    OrganizerFactory,
    TagFactory,
    TicketFactory,
    VenueFactory,
)
from tests.support.admin import browser_for, messages_in, run_action

pytestmark = pytest.mark.django_db

LIST = "/admin/events/event/"


@pytest.mark.parametrize(
    ("action", "name", "value", "messages"),
    [
        ("feature", "featured", True, ("Featured", "already featured")),
        ("feature_no_longer", "featured", False, ("No longer featured", "not featured")),
        ("hide", "hide_from_listings", True, ("Hidden from listings", "already hidden")),
        ("show", "hide_from_listings", False, ("Shown in listings", "already shown")),
    ],
)
def test_flags_are_set_only_on_events_that_the_user_can_change(author, action, name, value, messages):
    own = EventFactory(title="Own", author=author, **{name: not value})
    done = EventFactory(title="Done", author=author, **{name: value})
    others = EventFactory(title="Others", **{name: not value})

    response = run_action(browser_for(author), LIST, action, [own, done, others])

    assert sorted(messages_in(response)) == sorted(
        [f"{messages[0]}: Own.", f"Skipped ({messages[1]}): Done.", "Skipped (no permission to change): Others."]
    )
    assert [getattr(event, name) for event in Event.objects.order_by("pk")] == [value, value, not value]


def test_actions_read_no_rows_of_the_list(editor_browser):
    event = EventFactory(title="Talk", categories=[CategoryFactory()])

    with CaptureQueriesContext(connection) as queries:
        run_action(editor_browser, LIST, "feature", [event])

    assert not [query["sql"] for query in queries if 'FROM "taxonomy_category"' in query["sql"]]


def test_editors_submit_for_review_too(editor_browser):
    event = EventFactory(title="Talk", status="draft")

    assert messages_in(run_action(editor_browser, LIST, "submit", [event])) == ["Submitted for review: Talk."]
    assert Event.objects.get().status == "pending"


def test_moving_to_another_venue_asks_for_it_first(author):
    own, others = EventFactory(title="Own", author=author, venues=[VenueFactory()]), EventFactory(title="Others")
    hall = VenueFactory(title="Hall")
    client = browser_for(author)

    page = run_action(client, LIST, "move_to_venue", [own, others])
    response = run_action(client, LIST, "move_to_venue", [own, others], venue=hall.pk)

    assert sorted(map(str, page.context["events"])) == ["Others", "Own"]
    assert messages_in(response)[-2:] == ["Moved to Hall: Own.", "Skipped (no permission to change): Others."]
    assert (list(own.venues.all()), list(others.venues.all())) == ([hall], [])


@pytest.mark.parametrize("venue", ["", "x", "0", "99999999999999999999"])
def test_moving_to_no_venue_asks_again(editor_browser, venue):
    event = EventFactory(venues=[VenueFactory(title="Hall")])

    page = run_action(editor_browser, LIST, "move_to_venue", [event], venue=venue)

    assert page.status_code == 200
    assert list(page.context["form"].errors) == ["venue"]
    assert [venue.title for venue in event.venues.all()] == ["Hall"]


def test_events_are_not_moved_to_a_hidden_venue(author):
    event, hidden = EventFactory(author=author), VenueFactory(status="draft")

    run_action(browser_for(author), LIST, "move_to_venue", [event], venue=hidden.pk)

    assert list(event.venues.all()) == []


def test_a_copy_is_a_draft_with_all_values_of_the_event(editor_browser, editor):
    event = EventFactory(
        title="Talk",
        password="x",
        cost="$10",
        venues=[VenueFactory(title="Hall"), VenueFactory(title="Club")],
        organizers=[OrganizerFactory()],
        categories=[CategoryFactory()],
        tags=[TagFactory()],
    )
    TicketFactory(event=event, name="Adult")

    response = run_action(editor_browser, LIST, "duplicate", [event])
    copy = Event.objects.exclude(pk=event.pk).get()

    assert response["Location"] == f"{LIST}{copy.pk}/change/"
    assert (copy.status, copy.slug, copy.author, copy.password) == ("draft", "talk-2", editor, "x")
    own = ("title", "start", "end", "time_zone", "start_local", "end_local", "cost", "cost_values", "description")
    assert [getattr(copy, name) for name in own] == [getattr(Event.objects.get(pk=event.pk), name) for name in own]
    assert [link.venue.title for link in copy.eventvenue_set.all()] == ["Hall", "Club"]
    for name in ("organizers", "categories", "tags"):
        assert list(getattr(copy, name).all()) == list(getattr(event, name).all())
    assert [ticket.name for ticket in copy.tickets.all()] == ["Adult"]


def test_events_of_others_are_not_duplicated(author):
    event = EventFactory(title="Talk", password="x")

    response = run_action(browser_for(author), LIST, "duplicate", [event])

    assert messages_in(response) == ["Skipped (no permission to change): Talk."]
    assert Event.objects.count() == 1


def test_the_selection_is_exported_as_the_user_sees_it(author):
    shown = EventFactory(
        title="=Talk",
        author=author,
        start="2027-03-10 20:00",
        end="2027-03-10 22:00",
        cost="$10",
        venues=[VenueFactory(title="Hall"), VenueFactory(title="Hidden", status="draft")],
        organizers=[OrganizerFactory(title="Club")],
        categories=[CategoryFactory(name="Music")],
        tags=[TagFactory(name="free"), TagFactory(name="outdoors")],
    )
    secret = EventFactory(
        title="Secret", start="2027-03-11", end="2027-03-11", all_day=True, password="x", categories=[CategoryFactory()]
    )
    EventFactory(title="Not selected")

    response = run_action(browser_for(author), LIST, "export", [shown, secret])
    content = b"".join(response.streaming_content)
    lines = list(csv.reader(content.decode("utf-8-sig").splitlines()))

    assert response["Content-Type"] == "text/csv; charset=utf-8"
    # With a mark, by which spreadsheets know the encoding of the saved file.
    assert content.startswith(b"\xef\xbb\xbf")
    assert lines[0] == list(COLUMNS)
    by_id = {line[0]: line[1:] for line in lines[1:]}
    assert by_id == {
        str(shown.pk): [
            "'=Talk",
            "talk",
            "publish",
            "2027-03-10 20:00:00",
            "2027-03-10 22:00:00",
            "UTC",
            "no",
            "Hall",
            "Club",
            "Music",
            "free; outdoors",
            "$10",
            "",
            "scheduled",
            "in_person",
            "no",
            "",
            "author",
        ],
        str(secret.pk): [
            "Secret",
            "secret",
            "publish",
            "2027-03-11 00:00:00",
            "2027-03-11 23:59:59",
            "UTC",
            *[""] * 11,
            str(secret.author),
        ],
    }


@pytest.mark.parametrize("count", [1, 3])
def test_export_query_count(editor_browser, django_assert_num_queries, count):
    events = [EventFactory(venues=[VenueFactory()], categories=[CategoryFactory()]) for _ in range(count)]

    # session, user, permissions; the count of the list; the selection: events, venues, organizers, categories,
    # tags
    with django_assert_num_queries(9):
        list(run_action(editor_browser, LIST, "export", events).streaming_content)
