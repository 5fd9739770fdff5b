"""The history of changes that are made by commands, and the revisions that each service writes."""

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.models import ProtectedError
from django.test.utils import CaptureQueriesContext

from calendar_site.audit.models import Channel
from calendar_site.audit.recorder import record_revision, recorded_via
from calendar_site.content.services import save_content
from calendar_site.core.database.write_lock import write_lock
from calendar_site.custom_fields.models import CustomField
from calendar_site.custom_fields.services import delete_custom_field
from calendar_site.media.library import delete_image, prepare_image, save_image, store_image
from calendar_site.media.models import Image
from events.models import Event
from organizers.models import Organizer
from tests.factories import CustomFieldFactory, EventFactory, ImageFactory, OrganizerFactory, VenueFactory
from tests.support.history import all_revisions, last_revision, recorded_changes
from tests.support.image_files import plain_image
from venues.models import Venue

pytestmark = pytest.mark.django_db

MADE = ("created", "", "command", [])


def test_emptying_the_trash_is_recorded_by_nobody():
    rows = [factory(status="trash", title="Gone") for factory in (EventFactory, VenueFactory, OrganizerFactory)]
    EventFactory()

    call_command("empty_trash", days=0)

    assert [recorded_changes(row) for row in rows] == [[MADE, ("deleted", "", "command", [])]] * 3
    assert [last_revision(row).title for row in rows] == ["Gone"] * 3


def test_emptying_the_trash_costs_the_same_however_full_it_is():
    costs = []
    for count in (1, 20):
        EventFactory.create_batch(count, status="trash", venues=[VenueFactory()])
        VenueFactory.create_batch(count, status="trash")
        with CaptureQueriesContext(connection) as queries:
            call_command("empty_trash", days=0)
        costs.append(len(queries))

    assert costs[0] == costs[1]
    assert Event.history.filter(history_kind="deleted").count() == 21


def test_a_dry_run_records_nothing():
    EventFactory(status="trash")
    before = all_revisions()

    call_command("empty_trash", "--dry-run", days=0)

    assert all_revisions() == before


def test_what_an_import_writes_says_so(editor):
    with recorded_via(Channel.IMPORT):
        organizer = save_content(Organizer(), changes={"title": "Us"}, user=editor)

    assert recorded_changes(organizer) == [("created", "editor", "import", [])]


def test_an_image_is_recorded_without_its_files(editor):
    image = store_image(prepare_image(plain_image(), "hall.png"), user=editor)
    store_image(prepare_image(plain_image(), "again.png"), user=editor)
    save_image(image, changes={"alt": "A hall", "focus_x": 0.9}, user=editor)
    save_image(image, changes={"alt": "A hall"}, user=editor)
    gone = Image.objects.get()
    delete_image(image, user=editor)

    assert recorded_changes(gone) == [
        ("created", "editor", "command", []),
        ("changed", "editor", "command", ["alt", "focus_x"]),
        ("deleted", "editor", "command", []),
    ]
    assert last_revision(gone).alt == "A hall"
    assert gone.file.name not in str(all_revisions())


def test_an_image_that_stays_is_not_recorded_as_deleted():
    image = ImageFactory()
    EventFactory(image=image)

    with pytest.raises(ProtectedError):
        delete_image(image, user=None)

    assert recorded_changes(image) == []


@pytest.mark.parametrize("count", [1, 3])
def test_a_dropped_custom_field_tells_how_many_records_held_something(editor, count):
    field = CustomFieldFactory(name="stage")
    events = EventFactory.create_batch(count, custom_values={"stage": "Main", "door": 5})
    venue = VenueFactory(custom_values={"stage": "Other"})

    delete_custom_field(CustomField.objects.get(), user=editor)

    assert recorded_changes(field) == [("deleted", "editor", "command", [])]
    assert last_revision(field).history_extra == {"records": count}
    assert [recorded_changes(row) for row in (*events, venue)] == [[MADE]] * (count + 1)
    assert last_revision(events[0]).custom_values == {"stage": "Main", "door": 5}


def test_two_writes_of_one_record_in_one_transaction_are_one_state(editor):
    with write_lock():
        venue = save_content(Venue(), changes={"title": "Hall"}, user=editor)
        save_content(venue, changes={"city": "Rome"}, user=editor)
    with write_lock():
        save_content(venue, changes={"city": "Paris"}, user=editor)
        save_content(venue, changes={"title": "Grand hall"}, user=editor)

    assert recorded_changes(venue) == [
        ("created", "editor", "command", []),
        ("changed", "editor", "command", ["city", "title"]),
    ]
    assert (last_revision(venue).city, last_revision(venue).title) == ("Paris", "Grand hall")


def test_recording_needs_a_write():
    venue = VenueFactory()

    venue.title = "New"
    with pytest.raises(RuntimeError, match="outside of write_lock"):
        record_revision(venue, None)
