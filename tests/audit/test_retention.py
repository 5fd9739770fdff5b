"""The command `prune_history`."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.management import CommandError, call_command

from calendar_site.audit import retention
from calendar_site.content.services import delete_linked, save_content
from events.services import save_event
from taxonomy.services import save_term
from tests.factories import OPERATOR, EventFactory, TagFactory, VenueFactory
from tests.support.history import all_revisions, last_revision, recorded_changes
from venues.models import Venue

pytestmark = pytest.mark.django_db

START = datetime(2027, 1, 1, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def move_to_day(time_machine):
    """Moves to a day of the test."""
    time_machine.move_to(START, tick=False)
    return lambda number: time_machine.move_to(START + timedelta(days=number), tick=False)


def recorded_titles(record):
    return [state.title for state in type(record).history.filter(id=record.pk).order_by("history_id")]


def prune(capsys, **options):
    call_command("prune_history", **options)
    return capsys.readouterr().out.strip()


def test_old_states_go_and_the_newest_of_each_record_stays(move_to_day, capsys):
    old, busy, tag = VenueFactory(title="Old"), EventFactory(title="0"), TagFactory(name="Free")
    save_content(old, changes={"title": "Still old"}, user=OPERATOR)
    for number in (1, 2, 3):
        move_to_day(number)
        save_event(busy, changes={"title": str(number)}, user=OPERATOR)
    save_term(tag, changes={"name": "Gratis"}, user=OPERATOR)
    move_to_day(12)

    said = prune(capsys, days=10)

    # What is exactly as old as that stays.
    assert recorded_titles(old) == ["Still old"]
    assert recorded_titles(busy) == ["2", "3"]
    assert len(recorded_changes(tag)) == 1
    assert said == "Deleted 4 revisions (1 of tags, 1 of venues, 2 of events)."


def test_of_what_is_gone_nothing_stays(move_to_day, capsys):
    gone, late = VenueFactory(), VenueFactory()
    delete_linked(Venue.objects.filter(pk=gone.pk), user=OPERATOR)
    move_to_day(5)
    delete_linked(Venue.objects.filter(pk=late.pk), user=OPERATOR)

    prune(capsys, days=1)

    assert recorded_changes(gone) == []
    assert recorded_changes(late) == [("deleted", "", "command", [])]


def test_a_dry_run_only_counts(move_to_day, capsys):
    venue = VenueFactory()
    save_content(venue, changes={"title": "New"}, user=OPERATOR)
    before = all_revisions()
    move_to_day(5)

    assert prune(capsys, days=1, dry_run=True) == "Would delete 1 revision (1 of venues)."
    assert all_revisions() == before
    assert prune(capsys, days=1) == "Deleted 1 revision (1 of venues)."
    assert prune(capsys, days=1) == "Deleted 0 revisions."
    assert prune(capsys, days=0) == "Deleted 0 revisions."


def test_it_goes_on_until_all_is_done(move_to_day, capsys, monkeypatch):
    monkeypatch.setattr(retention, "BATCH_SIZE", 2)
    venues = VenueFactory.create_batch(3)
    for number in range(4):
        for venue in venues:
            save_content(venue, changes={"title": f"{venue.pk} {number}"}, user=OPERATOR)
    newest = [last_revision(venue).pk for venue in venues]
    move_to_day(5)

    assert prune(capsys, days=1) == "Deleted 12 revisions (12 of venues)."
    assert sorted(Venue.history.values_list("history_id", flat=True)) == newest


@pytest.mark.parametrize("days", ["-1", "x", "1.5", "100001", ""])
def test_days_are_a_whole_number(days):
    with pytest.raises(CommandError, match="whole number from 0 to 100000"):
        call_command("prune_history", "--days", days)
