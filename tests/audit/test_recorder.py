"""Recording: revisions contain the action of a write and unchanged values."""

import pytest

from calendar_site.audit.models import ChangeKind
from calendar_site.audit.recorder import Action, record_revision
from calendar_site.content.services import save_content
from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.fields import HTMLField, PlainTextField
from tests.factories import OPERATOR, VenueFactory
from tests.support.history import last_revision, recorded_changes, recorded_models
from venues.models import Venue

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall():
    return VenueFactory(title="Hall")


def test_action_is_recorded_with_the_change(hall):
    action = Action(ChangeKind.APPROVED, "Well done.", {"merged": [5]})

    save_content(hall, changes={"title": "Big hall"}, user=OPERATOR, action=action)

    revision = last_revision(hall)
    assert (revision.history_kind, revision.history_change_reason) == ("approved", "Well done.")
    assert (revision.history_extra, revision.history_changed) == ({"merged": [5]}, ["title"])


def test_action_is_recorded_of_a_row_that_was_loaded_again(hall):
    with write_lock():
        again = Venue.objects.get(pk=hall.pk)
        again.title = "Big hall"
        again.save()
        record_revision(again, None, action=Action(ChangeKind.SENT_BACK, "Which hall?"))

    assert (last_revision(hall).history_kind, last_revision(hall).history_change_reason) == (
        "sent_back",
        "Which hall?",
    )


def test_action_with_extra_state_is_recorded_without_a_change(hall):
    save_content(hall, changes={}, user=OPERATOR, action=Action(note="Nothing else"))
    unchanged = len(recorded_changes(hall))

    save_content(hall, changes={}, user=OPERATOR, action=Action(ChangeKind.MERGED, extra={"merged": [5]}))

    assert unchanged == 1
    assert recorded_changes(hall)[1:] == [("merged", "", "command", [])]


def test_second_part_of_a_write_keeps_its_action(hall):
    with write_lock():
        save_content(hall, changes={"title": "Big hall"}, user=OPERATOR, action=Action(ChangeKind.APPROVED, "Good"))
        save_content(hall, changes={"city": "Rome"}, user=OPERATOR)

    assert recorded_changes(hall)[1:] == [("approved", "", "command", ["title", "city"])]
    assert last_revision(hall).history_change_reason == "Good"


def test_next_write_has_an_action_of_its_own(hall):
    save_content(hall, changes={"title": "Big hall"}, user=OPERATOR, action=Action(ChangeKind.APPROVED, "Good"))

    save_content(hall, changes={"city": "Rome"}, user=OPERATOR)

    assert (last_revision(hall).history_kind, last_revision(hall).history_change_reason) == ("changed", "")


def test_revisions_store_values_as_they_are():
    fields = [field for model in recorded_models() for field in model.history.model._meta.concrete_fields]

    assert [field for field in fields if isinstance(field, HTMLField | PlainTextField)] == []
