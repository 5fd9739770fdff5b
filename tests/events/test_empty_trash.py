"""The command `empty_trash`: it deletes only records that have been in the trash long enough."""

from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from django.core.management import execute_from_command_line

from events.models import Event
from organizers.models import Organizer
from tests.factories import CategoryFactory, EventFactory, OrganizerFactory, TicketFactory, VenueFactory
from tests.support.api_client import API
from venues.models import Venue

NOW = datetime(2027, 3, 10, 12, tzinfo=UTC)

pytestmark = [pytest.mark.django_db, pytest.mark.time_machine(NOW, tick=False)]
COLLECTIONS = {Event: "events", Venue: "venues", Organizer: "organizers"}


@pytest.fixture
def empty_trash(run_command):
    """Return a function that runs the command and returns the lines that it prints."""
    return partial(run_command, "empty_trash")


@pytest.fixture
def trash(time_machine, editor_api):
    """Puts a record in the trash through the API, so long ago."""

    def put_in_trash(row, **ago):
        time_machine.move_to(NOW - timedelta(**ago), tick=False)
        answer = editor_api.delete(f"{API}/{COLLECTIONS[type(row)]}/{row.pk}")
        assert (answer.status_code, answer.json()["status"]) == (200, "trash")
        time_machine.move_to(NOW, tick=False)
        return row

    return put_in_trash


def all_titles():
    return {str(row) for model in COLLECTIONS for row in model.objects.all()}


def test_what_is_old_enough_goes(empty_trash, trash):
    for name, factory in (("event", EventFactory), ("venue", VenueFactory), ("organizer", OrganizerFactory)):
        trash(factory(title=f"{name} of long ago"), days=31)
        trash(factory(title=f"{name} of thirty days ago"), days=30)
        trash(factory(title=f"{name} of a second less"), days=30, seconds=-1)
        factory(title=f"{name} in use")
        factory(title=f"{name} of somebody's drafts", status="draft")

    assert empty_trash("--days", "30") == ["Deleted 2 events, 2 venues, 2 organizers."]
    assert all_titles() == {
        f"{name} {age}"
        for name in ("event", "venue", "organizer")
        for age in ("of a second less", "in use", "of somebody's drafts")
    }


def test_old_records_outside_the_trash_stay(empty_trash, time_machine):
    time_machine.move_to(NOW - timedelta(days=400))
    EventFactory(title="Old event", start="2026-01-01 10:00")
    time_machine.move_to(NOW)

    assert empty_trash("--days", "0") == ["Deleted 0 events, 0 venues, 0 organizers."]
    assert all_titles() == {"Old event"}


def test_no_days_empty_the_whole_trash(empty_trash, trash):
    trash(EventFactory(), seconds=0)

    assert empty_trash("--days", "0") == ["Deleted 1 event, 0 venues, 0 organizers."]
    assert all_titles() == set()


def test_most_days_are_accepted(empty_trash, trash):
    trash(EventFactory(title="Event"), days=900)

    assert empty_trash("--days", "100000") == ["Deleted 0 events, 0 venues, 0 organizers."]
    assert all_titles() == {"Event"}


def test_dry_run_deletes_nothing(empty_trash, trash):
    trash(EventFactory(title="Event"), days=31)
    trash(VenueFactory(title="Venue"), days=31)
    trash(OrganizerFactory(title="Organizer"), days=3)

    assert empty_trash("--days", "30", "--dry-run") == ["Would delete 1 event, 1 venue, 0 organizers."]
    assert all_titles() == {"Event", "Venue", "Organizer"}


def test_change_in_the_trash_begins_the_time_anew(empty_trash, trash, time_machine):
    event = trash(EventFactory(title="Event"), days=40)
    time_machine.move_to(NOW - timedelta(days=10))
    event.refresh_from_db()
    event.title = "Changed in the trash"
    event.save()
    time_machine.move_to(NOW)

    assert empty_trash("--days", "30") == ["Deleted 0 events, 0 venues, 0 organizers."]
    assert empty_trash("--days", "10") == ["Deleted 1 event, 0 venues, 0 organizers."]


def test_record_that_came_back_stays(empty_trash, trash, editor_api):
    event = trash(EventFactory(title="Event"), days=40)
    assert editor_api.post(f"{API}/events/{event.pk}", {"status": "publish"}).status_code == 200

    assert empty_trash("--days", "0") == ["Deleted 0 events, 0 venues, 0 organizers."]
    assert all_titles() == {"Event"}


def test_parts_of_a_deleted_event_stand_on(empty_trash, trash, client):
    whole = EventFactory(title="Festival")
    part = EventFactory(title="Concert", parent=whole)
    before = client.get(f"{API}/events/{part.pk}").json()
    trash(whole, days=31)

    empty_trash("--days", "30")

    assert before["post_parent"] == whole.pk
    assert client.get(f"{API}/events/{part.pk}").json() == {**before, "post_parent": 0}
    assert client.get(f"{API}/events/{whole.pk}").status_code == 404


def test_what_a_deleted_event_links_to_stays(empty_trash, trash, client):
    category, venue, organizer = CategoryFactory(name="Music"), VenueFactory(title="Hall"), OrganizerFactory(title="Us")
    links = {"categories": [category], "venues": [venue], "organizers": [organizer]}
    gone, staying = EventFactory(**links), EventFactory(title="Event", **links)
    TicketFactory(event=gone)
    trash(gone, days=31)

    assert empty_trash("--days", "30") == ["Deleted 1 event, 0 venues, 0 organizers."]
    assert all_titles() == {"Event", "Hall", "Us"}
    answer = client.get(f"{API}/events/{staying.pk}").json()
    assert [(term["name"], term["count"]) for term in answer["categories"]] == [("Music", 1)]
    assert (answer["venue"]["venue"], answer["organizer"][0]["organizer"]) == ("Hall", "Us")


def test_events_of_a_deleted_venue_and_organizer_stand_on(empty_trash, trash, client):
    venue, organizer = VenueFactory(), OrganizerFactory()
    event = EventFactory(title="Event", venues=[venue, VenueFactory(title="Hall")], organizers=[organizer])
    trash(venue, days=31)
    trash(organizer, days=31)

    assert empty_trash("--days", "30") == ["Deleted 0 events, 1 venue, 1 organizer."]
    answer = client.get(f"{API}/events/{event.pk}").json()
    assert (answer["venue"]["venue"], answer["organizer"]) == ("Hall", [])


@pytest.mark.parametrize("days", ["", "-1", "1.5", "1e3", "ten", "100001", pytest.param("9" * 5000, id="huge")])
def test_what_is_no_number_of_days_is_refused(capsys, days):
    assert_command_exits(capsys, "argument --days: Must be a whole number from 0 to 100000.", f"--days={days}")


def test_days_are_required(capsys):
    assert_command_exits(capsys, "the following arguments are required: --days")
    assert_command_exits(capsys, "argument --days: expected one argument", "--days")
    assert_command_exits(capsys, "unrecognized arguments: --all", "--days", "1", "--all")


def assert_command_exits(capsys, sentence, *arguments):
    with pytest.raises(SystemExit) as end:
        execute_from_command_line(["manage.py", "empty_trash", *arguments])

    assert end.value.code == 1
    assert sentence in capsys.readouterr().err
