"""The services of each kind of record, used by code that handles all kinds."""

from typing import Any, NamedTuple

import pytest

from calendar_site.audit.models import ChangeKind
from calendar_site.audit.record_services import ContentServices, RecordServices
from calendar_site.audit.recorder import Action
from calendar_site.custom_fields.models import CustomField
from calendar_site.custom_fields.services import custom_field_services
from calendar_site.media.library import image_services
from calendar_site.media.models import Image
from events.models import Event
from events.services import event_services
from organizers.models import Organizer
from organizers.services import organizer_services
from taxonomy.models import Category, Tag
from taxonomy.services import category_services, tag_services
from tests.factories import (
    OPERATOR,
    CategoryFactory,
    CustomFieldFactory,
    EventFactory,
    ImageFactory,
    OrganizerFactory,
    TagFactory,
    VenueFactory,
)
from tests.support.history import recorded_changes
from venues.models import Venue
from venues.services import venue_services

pytestmark = pytest.mark.django_db


class RecordKind(NamedTuple):
    model: Any
    factory: Any
    services: RecordServices[Any]
    # A field to change.
    name: str


KINDS = [
    RecordKind(Event, EventFactory, event_services, "title"),
    RecordKind(Venue, VenueFactory, venue_services, "title"),
    RecordKind(Organizer, OrganizerFactory, organizer_services, "title"),
    RecordKind(Category, CategoryFactory, category_services, "name"),
    RecordKind(Tag, TagFactory, tag_services, "name"),
    RecordKind(Image, ImageFactory, image_services, "name"),
    RecordKind(CustomField, CustomFieldFactory, custom_field_services, "label"),
]
CONTENT_KINDS = [kind for kind in KINDS if isinstance(kind.services, ContentServices)]


def by_name(kind: RecordKind) -> str:
    return kind.model.__name__


@pytest.fixture
def row(kind):
    """A record as a form or a view reads it."""
    return kind.model.objects.get(pk=kind.factory().pk)


@pytest.mark.parametrize("kind", KINDS, ids=by_name)
def test_save_returns_the_saved_row_and_records_the_action(kind, row):
    saved = kind.services.save(row, changes={kind.name: "New"}, user=OPERATOR, action=Action(ChangeKind.RESTORED))

    assert saved is row
    assert getattr(kind.model.objects.get(), kind.name) == "New"
    assert recorded_changes(row)[-1] == ("restored", "", "command", [kind.name])


@pytest.mark.parametrize("kind", KINDS, ids=by_name)
def test_apply_saves_nothing(kind, row):
    before = kind.model.objects.values().get()

    kind.services.apply(row, changes={kind.name: "New"}, user=OPERATOR)

    assert getattr(row, kind.name) == "New"
    assert kind.model.objects.values().get() == before


@pytest.mark.parametrize("kind", KINDS, ids=by_name)
def test_delete_records_each_row_and_returns_their_number(kind, row):
    other = kind.factory()

    count = kind.services.delete(kind.model.objects.all(), user=None)

    assert (count, kind.model.objects.count()) == (2, 0)
    assert [recorded_changes(gone)[-1] for gone in (row, other)] == [("deleted", "", "command", [])] * 2


@pytest.mark.parametrize("kind", CONTENT_KINDS, ids=by_name)
def test_trash_records_the_action(kind, row):
    kind.services.trash(row, user=OPERATOR, action=Action(note="Not needed"))

    assert kind.model.objects.get().status == "trash"
    assert recorded_changes(row)[-1] == ("trashed", "", "command", ["status"])
    assert kind.model.history.first().history_change_reason == "Not needed"


@pytest.mark.parametrize("kind", KINDS[1:], ids=by_name)
def test_only_events_have_extra_state(kind, row):
    event = EventFactory(title="Concert")

    assert kind.services.extra_state([row]) == {}
    assert event_services.extra_state([event]) == {
        event.pk: {"categories": [], "tags": [], "venues": [], "organizers": [], "tickets": []}
    }
