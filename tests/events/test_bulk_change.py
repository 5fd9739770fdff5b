"""Changing and duplicating many events at once, and undoing what an action has changed."""

from datetime import timedelta

import pytest

from calendar_site.review.models import Review
from events.models import Event
from tests.factories import CategoryFactory, EventFactory, OrganizerFactory, TagFactory, VenueFactory
from tests.support.admin import browser_for, messages_in, run_action, undo_url
from tests.support.content_kinds import EVENT
from tests.support.history import recorded_changes
from tests.support.mail import sent_mail
from tests.support.review import submit_for_review

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

LIST = "/admin/events/event/"
BULK = {"bulk": "1"}


def test_fields_of_many_events_change_at_once(editor_browser):
    old, new, kept = CategoryFactory(name="Old"), CategoryFactory(name="New"), CategoryFactory(name="Kept")
    tag, band, host = TagFactory(name="free"), OrganizerFactory(title="Band"), OrganizerFactory(title="Host")
    first = EventFactory(
        title="First", start="2027-03-10 19:00", end="2027-03-10 21:00", categories=[old, kept], organizers=[host]
    )
    second = EventFactory(title="Second", start="2027-03-11 19:00", end="2027-03-11 21:00", tags=[tag])
    other = EventFactory(title="Other", start="2027-03-12 19:00", end="2027-03-12 21:00", categories=[old])

    page = run_action(editor_browser, LIST, "change_selected", [first, second])
    response = run_action(
        editor_browser, LIST, "change_selected", [first, second], add_categories=[new.pk], remove_categories=[old.pk],
        add_tags=[tag.pk], add_organizers=[band.pk], featured="yes", status="draft", days="7", minutes="-30", **BULK,
    )  # fmt: skip

    assert sorted(map(str, page.context["events"])) == ["First", "Second"]
    assert messages_in(response)[-1] in ("Changed: First, Second.", "Changed: Second, First.")

    def state(event):
        event.refresh_from_db()
        names = (event.categories, event.tags, event.organizers)
        return (
            event.start_local, event.status, event.featured, *(sorted(map(str, rows.all())) for rows in names)
        )  # fmt: skip

    assert state(first) == ("2027-03-17 18:30:00", "draft", True, ["Kept", "New"], ["free"], ["Band", "Host"])
    assert state(second) == ("2027-03-18 18:30:00", "draft", True, ["New"], ["free"], ["Band"])
    assert state(other) == ("2027-03-12 19:00:00", "publish", False, ["Old"], [], [])


def test_a_change_is_one_revision(editor_browser):
    event = EventFactory(title="Talk")
    count = Event.history.filter(id=event.pk).count()

    run_action(editor_browser, LIST, "change_selected", [event], featured="yes", status="draft", days="1", **BULK)

    assert Event.history.filter(id=event.pk).count() == count + 1


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"days": "x"},
        {"days": "99999"},
        {"minutes": "1441"},
        {"status": "trash"},
        {"add_tags": ["0"]},
        {"image": "7"},
    ],
)
def test_invalid_changes_are_asked_for_again(editor_browser, data):
    event = EventFactory(title="Talk")

    response = run_action(editor_browser, LIST, "change_selected", [event], **data, **BULK)

    assert response.context["form"].errors
    assert Event.history.filter(id=event.pk).count() == 1


def test_dates_outside_the_calendar_are_refused(editor_browser):
    event = EventFactory(title="Last", start="9998-12-30 10:00", end="9998-12-30 12:00")

    response = run_action(editor_browser, LIST, "change_selected", [event], days="9", **BULK)

    assert messages_in(response) == ["Skipped: Last. The year must be between 1000 and 9998."]


def test_only_own_events_of_authors_change(author):
    own, others = EventFactory(title="Own", author=author), EventFactory(title="Others")

    response = run_action(browser_for(author), LIST, "change_selected", [own, others], featured="yes", **BULK)

    assert sorted(messages_in(response)) == ["Changed: Own.", "Skipped (no permission to change): Others."]
    assert [Event.objects.get(pk=event.pk).featured for event in (own, others)] == [True, False]


def test_contributors_are_not_offered_to_publish(contributor):
    event = EventFactory(title="Own", author=contributor, status="draft")
    client = browser_for(contributor)

    page = run_action(client, LIST, "change_selected", [event])
    response = run_action(client, LIST, "change_selected", [event], status="publish", **BULK)

    assert [value for value, _label in page.context["form"].fields["status"].choices] == ["", "draft", "pending"]
    assert list(response.context["form"].errors) == ["status"]


def test_events_are_duplicated_at_an_interval(editor, editor_browser):
    event = EventFactory(
        title="Class",
        start="2027-03-25 19:00",
        end="2027-03-25 21:00",
        time_zone="Europe/Rome",
        venues=[VenueFactory()],
    )

    response = run_action(editor_browser, LIST, "duplicate_repeatedly", [event], copies="2", interval="7", **BULK)

    assert messages_in(response) == ["Duplicated as draft: Class."]
    copies = Event.objects.exclude(pk=event.pk).order_by("start")
    # The clock changes on 28 March.
    assert [(copy.start_local, copy.status, copy.author) for copy in copies] == [
        ("2027-04-01 19:00:00", "draft", editor),
        ("2027-04-08 19:00:00", "draft", editor),
    ]
    assert [copy.end - copy.start for copy in copies] == [timedelta(hours=2)] * 2
    assert [list(copy.venues.all()) for copy in copies] == [list(event.venues.all())] * 2


@pytest.mark.parametrize(("copies", "interval"), [("0", "7"), ("53", "7"), ("2", "0"), ("", ""), ("x", "7")])
def test_invalid_numbers_of_copies_are_refused(editor_browser, copies, interval):
    event = EventFactory()

    response = run_action(
        editor_browser, LIST, "duplicate_repeatedly", [event], copies=copies, interval=interval, **BULK
    )

    assert response.context["form"].errors
    assert Event.objects.count() == 1


def test_too_many_copies_are_refused(editor_browser, monkeypatch):
    monkeypatch.setattr("events.admin.actions.MAX_NEW_EVENTS", 3)
    events = [EventFactory(), EventFactory()]

    response = run_action(editor_browser, LIST, "duplicate_repeatedly", events, copies="2", interval="1", **BULK)

    assert messages_in(response) == ["Nothing was duplicated: that would be more than 3 new events."]
    assert Event.objects.count() == 2


def test_an_event_is_duplicated_from_its_form(editor_browser, author_browser):
    event = EventFactory(title="Talk")
    page = editor_browser.get(f"{LIST}{event.pk}/change/").content.decode()

    response = editor_browser.post(f"{LIST}{event.pk}/duplicate/")
    copy = Event.objects.exclude(pk=event.pk).get()
    refused = author_browser.post(f"{LIST}{event.pk}/duplicate/")

    assert f'formaction="{LIST}{event.pk}/duplicate/"' in page
    assert response["Location"] == f"{LIST}{copy.pk}/change/"
    assert messages_in(refused) == ["Skipped (no permission to change): Talk."]
    assert editor_browser.get(f"{LIST}{event.pk}/duplicate/").status_code == 405
    assert Event.objects.count() == 2


# --- Undo -----------------------------------------------------------------------------------------


def test_a_bulk_change_is_undone_from_its_message(editor_browser):
    old, new = CategoryFactory(name="Old"), CategoryFactory(name="New")
    events = [EventFactory(start=f"2027-03-1{day} 19:00", categories=[old]) for day in (0, 1)]
    response = run_action(
        editor_browser, LIST, "change_selected", events, add_categories=[new.pk], remove_categories=[old.pk], days="3",
        featured="yes", **BULK,
    )  # fmt: skip
    page = editor_browser.get(LIST).content.decode()

    undone = editor_browser.post(undo_url(response))

    assert f'action="{undo_url(response)}"' in page
    assert [text.split(":")[0] for text in messages_in(undone)] == ["Undone"]
    assert sorted(Event.objects.values_list("start_local", "featured")) == [
        ("2027-03-10 19:00:00", False),
        ("2027-03-11 19:00:00", False),
    ]
    assert [list(event.categories.all()) for event in events] == [[old], [old]]


@pytest.mark.parametrize(
    ("action", "status", "changed"),
    [("back_to_draft", "publish", "draft"), ("move_to_trash", "private", "trash"), ("publish", "draft", "publish")],
)
def test_a_status_is_undone(editor_browser, action, status, changed):
    event = EventFactory(status=status)
    response = run_action(editor_browser, LIST, action, [event])
    assert Event.objects.get().status == changed

    editor_browser.post(undo_url(response))

    assert Event.objects.get().status == status


def test_undoing_copies_moves_them_to_the_trash(editor_browser):
    event = EventFactory()
    response = run_action(editor_browser, LIST, "duplicate_repeatedly", [event], copies="3", interval="7", **BULK)

    editor_browser.post(undo_url(response))

    assert sorted(Event.objects.values_list("status", flat=True)) == ["publish", "trash", "trash", "trash"]


def test_what_has_changed_since_stays(editor_browser):
    first, second = EventFactory(title="First"), EventFactory(title="Second")
    response = run_action(editor_browser, LIST, "feature", [first, second])
    run_action(editor_browser, LIST, "hide", [second])

    undone = editor_browser.post(undo_url(response))

    assert sorted(messages_in(undone)[-2:]) == [
        "Could not be undone (changed in the meantime): Second.",
        "Undone: First.",
    ]
    assert list(Event.objects.order_by("pk").values_list("featured", flat=True)) == [False, True]


def test_nobody_undoes_the_changes_of_others(editor_browser, author, administrator):
    event = EventFactory(author=author)
    url = undo_url(run_action(editor_browser, LIST, "feature", [event]))

    for client in (browser_for(author), browser_for(administrator)):
        assert messages_in(client.post(url)) == []
    assert browser_for(None).post(url).status_code == 302
    assert Event.objects.get().featured


def test_old_changes_are_not_undone(editor_browser):
    event = EventFactory()
    url = undo_url(run_action(editor_browser, LIST, "feature", [event]))
    Event.history.update(history_date=Event.history.latest("history_id").history_date - timedelta(hours=2))

    editor_browser.post(url)

    assert Event.objects.get().featured


@pytest.mark.parametrize(("query", "status"), [("", 404), ("?request=x", 404), ("?request=' OR 1=1", 404)])
def test_invalid_requests_are_rejected(editor_browser, query, status):
    assert editor_browser.post(f"{LIST}undo/{query}").status_code == status
    assert editor_browser.get(f"{LIST}undo/{query}").status_code == 405


def test_undoing_returns_to_the_page_of_the_message(editor_browser):
    event = EventFactory()
    url = undo_url(run_action(editor_browser, LIST, "feature", [event]))

    here = editor_browser.post(url, headers={"Referer": f"http://testserver{LIST}?featured=yes"})
    elsewhere = editor_browser.post(url, headers={"Referer": "https://example.com/"})

    assert (here["Location"], elsewhere["Location"]) == (f"http://testserver{LIST}?featured=yes", LIST)


# --- Publishing pending events


def test_publishing_submissions_approves_them(editor_browser, contributor):
    contributor.email = "contributor@example.org"
    contributor.save()
    event = submit_for_review(contributor, EVENT, "Talk")
    draft = EventFactory(title="Draft", status="draft")

    response = run_action(
        editor_browser, LIST, "change_selected", [event, draft], status="publish", featured="yes", **BULK
    )

    assert messages_in(response)[0] in ("Changed: Draft, Talk.", "Changed: Talk, Draft.")
    assert [change[0] for change in recorded_changes(event)][-2:] == ["changed", "approved"]
    assert [change[0] for change in recorded_changes(draft)][-1] == "changed"
    event.refresh_from_db()
    assert (event.status, event.featured) == ("publish", True)
    assert Review.objects.for_record(event).get().outcome == "approved"
    assert [(message.to, message.subject) for message in sent_mail()] == [
        (["contributor@example.org"], "Approved: Talk")
    ]
    editor_browser.post(undo_url(response))
    event.refresh_from_db()
    assert (event.status, event.featured) == ("pending", False)
