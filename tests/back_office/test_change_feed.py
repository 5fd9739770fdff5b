"""The page of the latest changes, and their section on the start page."""

from datetime import UTC, datetime, timedelta

import pytest

from calendar_site.accounts.services import create_user
from calendar_site.audit.models import Channel
from calendar_site.audit.recorder import recorded_via
from calendar_site.content.services import save_content, trash_linked
from calendar_site.revisions import feed
from events.models import Event
from events.services import delete_events, save_event
from organizers.models import Organizer
from tests.factories import (
    OPERATOR,
    CategoryFactory,
    EventFactory,
    OrganizerFactory,
    TagFactory,
    UserFactory,
    VenueFactory,
)
from tests.support.admin import browser_for, submit_form
from venues.models import Venue

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

PAGE = "/admin/changes/"


@pytest.fixture(autouse=True)
def some_day(time_machine):
    """Each state is a second later than the one before."""
    return time_machine.move_to("2027-03-10 12:00Z", tick=False)


@pytest.fixture
def later(time_machine):
    moments = iter(range(1, 1000))
    return lambda: time_machine.move_to(datetime(2027, 3, 10, 12, tzinfo=UTC) + timedelta(seconds=next(moments)))


def rows(response):
    assert response.status_code == 200, response
    return [(row.title, row.entry.kind) for row in response.context["rows"]]


def test_the_last_changes_of_all_kinds_come_newest_first(editor, later):
    for make, name in ((EventFactory, "Jazz"), (VenueFactory, "Hall"), (OrganizerFactory, "Us")):
        later()
        make(title=name)
    for make, name in ((TagFactory, "Free"), (CategoryFactory, "Music")):
        later()
        make(name=name)
    later()
    save_event(Event.objects.get(), changes={"title": "Blues"}, user=editor)

    response = browser_for(editor).get(PAGE)

    assert rows(response) == [
        ("Blues", "changed"),
        ("Music", "created"),
        ("Free", "created"),
        ("Us", "created"),
        ("Hall", "created"),
        ("Jazz", "created"),
    ]
    newest = response.context["rows"][0]
    event = Event.objects.get()
    assert newest.entry.fields == ["Title"]
    assert newest.history_url == f"/admin/events/event/{event.pk}/history/"
    assert browser_for(editor).get(newest.compare_url).status_code == 200


def test_others_see_the_changes_of_their_own_records(author, contributor, later):
    for title, whose in (("Hers", author), ("His", contributor), ("Others", UserFactory())):
        later()
        EventFactory(title=title, author=whose)
        VenueFactory(title=f"{title}, hall", author=whose, status="draft")

    assert rows(browser_for(author).get(PAGE)) == [("Hers", "created"), ("Hers, hall", "created")]
    # What is published is not his to change any more.
    assert rows(browser_for(contributor).get(PAGE)) == [("His, hall", "created")]


def test_accounts_are_told_to_who_manages_them_all(db, later):
    administrator, editor = create_user("administrator", "administrator"), create_user("editor", "editor")
    chief = UserFactory(username="chief", is_superuser=True, is_staff=True)
    later()
    submit_form(browser_for(chief), f"/admin/accounts/user/{administrator.pk}/change/", first_name="Ada")

    assert rows(browser_for(chief).get(PAGE, {"type": "accounts.user"})) == [
        ("administrator", "changed"),
        ("editor", "created"),
        ("administrator", "created"),
    ]
    assert rows(browser_for(administrator).get(PAGE, {"type": "accounts.user"}))[0] == ("administrator", "changed")
    assert rows(browser_for(editor).get(PAGE, {"type": "accounts.user"})) == []


def test_a_stranger_sees_nothing(subscriber):
    assert browser_for(None).get(PAGE).status_code == 302
    assert browser_for(subscriber).get(PAGE).status_code == 302
    subscriber.is_staff = True
    subscriber.save()
    assert browser_for(subscriber).get(PAGE).status_code == 403
    assert PAGE not in browser_for(subscriber).get("/admin/").content.decode()


def test_the_menu_leads_there(contributor):
    assert f'href="{PAGE}"' in browser_for(contributor).get("/admin/").content.decode()


def test_changes_are_filtered(editor, later):
    venue = VenueFactory(title="Hall")
    later()
    with recorded_via(Channel.API):
        save_content(Organizer(), changes={"title": "Us"}, user=editor)
    later()
    trash_linked(venue, user=OPERATOR)
    client = browser_for(editor)

    def filtered(**value):
        return rows(client.get(PAGE, value))

    everything = [("Hall", "moved to trash"), ("Us", "created"), ("Hall", "created")]
    assert filtered() == everything
    assert filtered(type="venues.venue") == [everything[0], everything[2]]
    assert filtered(user="me") == filtered(channel="api") == [everything[1]]
    assert filtered(action="trashed") == [everything[0]]
    assert filtered(action="created", channel="command", type="venues.venue") == [everything[2]]
    assert filtered(action="x", channel="x", type="x", user="x") == everything


def test_moves_to_the_trash_do_not_name_the_status(editor, later):
    hall = VenueFactory(title="Hall")
    later()
    save_content(hall, changes={"title": "Big hall", "status": "draft"}, user=editor)
    later()
    trash_linked(hall, user=editor)

    response = browser_for(editor).get(PAGE)

    assert [(row.entry.kind, row.entry.fields) for row in response.context["rows"]] == [
        ("moved to trash", []),
        ("changed", ["Name", "Status"]),
        ("created", []),
    ]
    french = " ".join(browser_for(editor).get(f"/fr{PAGE}").content.decode().split())
    assert "</strong> : Nom, Statut" in french


def test_what_was_deleted_is_found_and_leads_to_its_history(editor, later):
    EventFactory(title="Gone", status="trash")
    later()
    delete_events(Event.objects.all(), user=editor)
    client = browser_for(editor)

    response = client.get(PAGE, {"action": "deleted"})

    assert rows(response) == [("Gone", "deleted permanently")]
    assert client.get(response.context["rows"][0].history_url).status_code == 200


def test_pages_miss_nothing_and_repeat_nothing(editor, later):
    # Many at one moment, of several kinds.
    for _turn in range(3):
        later()
        EventFactory.create_batch(20, title="Event")
        VenueFactory.create_batch(20, title="Venue")
        TagFactory.create_batch(20)
    client, seen, query = browser_for(editor), [], "?who="
    while query:
        response = client.get(f"{PAGE}{query}")
        seen += [(row.model, row.entry.revision.history_id) for row in response.context["rows"]]
        query = response.context["older"]

    assert (len(seen), len(set(seen))) == (180, 180)


@pytest.mark.parametrize(
    "after",
    [
        "x",
        "2027-03-10 events.event 1",
        "2027-03-10T12:00:00+00:00 x -1",
        "0001-01-01T00:00:00+14:00 events.event 5",
        "9999-12-31T23:59:59-14:00 events.event 5",
        "\0",
        "a b c",
    ],
)
def test_what_is_no_place_is_the_beginning(editor, after):
    EventFactory(title="Jazz")

    assert rows(browser_for(editor).get(PAGE, {"after": after})) == [("Jazz", "created")]


@pytest.mark.parametrize("count", [1, 3])
def test_last_changes_query_count(editor, author, count, django_assert_num_queries):
    for factory in (EventFactory, VenueFactory, OrganizerFactory):
        factory.create_batch(count, author=author)
    clients = browser_for(editor), browser_for(author)

    # session, user, permissions; then one for each of six kinds of record
    with django_assert_num_queries(10):
        assert len(rows(clients[0].get(PAGE))) == 3 * count
    # as before; two for each kind that the author has any of, one for images, and one for categories
    with django_assert_num_queries(12):
        assert len(rows(clients[1].get(PAGE))) == 3 * count


def test_who_has_many_records_sees_their_changes_alone(author, monkeypatch):
    monkeypatch.setattr(feed, "MAX_IDS", 2)
    EventFactory(title="Other")
    VenueFactory.create_batch(2, title="Hall", author=author)
    EventFactory.create_batch(3, title="Mine", author=author)

    found = rows(browser_for(author).get(PAGE))

    assert sorted(found) == [("Hall", "created")] * 2 + [("Mine", "created")] * 3


def test_overview_lists_recent_changes(editor, author, later):
    for number in range(9):
        later()
        EventFactory(title=str(number), start="2020-01-01", end="2020-01-01", author=author if number == 4 else editor)
    assert Venue.objects.count() == 0

    def box(user):
        sections = browser_for(user).get("/admin/").context["sections"]
        return next(section for section in sections if str(section["title"]) == "Recent changes")

    assert [row["title"] for row in box(editor)["rows"]] == list("87654321")
    assert box(editor)["list_url"] == PAGE
    assert box(author)["rows"] == [
        {
            "title": "4",
            "detail": "created, 10 Mar 2027, 12:00",
            "url": f"/admin/events/event/{Event.objects.get(title='4').pk}/history/",
        }
    ]
