"""The common services of events, venues and organizers."""

import pytest
from django.core.exceptions import ValidationError
from django.core.files.storage import default_storage

from calendar_site.audit.models import ChangeKind
from calendar_site.audit.recorder import SAVE, Action
from calendar_site.content.services import apply_content, save_content
from calendar_site.content.signals import status_changed
from calendar_site.media.library import prepare_image
from calendar_site.media.models import Image
from events.services import event_services
from organizers.services import organizer_services
from tests.factories import OPERATOR, EventFactory, OrganizerFactory, VenueFactory
from tests.support.image_files import plain_image
from venues.models import Venue
from venues.services import venue_services

pytestmark = pytest.mark.django_db

KINDS = [(EventFactory, event_services), (VenueFactory, venue_services), (OrganizerFactory, organizer_services)]


@pytest.fixture
def announced():
    """The arguments of `status_changed`, each time that it is sent."""
    sent = []

    def receive(sender, row, old_status, user, action, **kwargs):
        sent.append((sender, row.status, old_status, user, action))

    status_changed.connect(receive)
    yield sent
    status_changed.disconnect(receive)


@pytest.mark.parametrize(("factory", "services"), KINDS, ids=["event", "venue", "organizer"])
def test_status_of_a_new_record_and_each_change_of_it_are_announced(announced, factory, services):
    row = factory(status="pending")
    model = type(row)
    action = Action(ChangeKind.APPROVED, "Good")

    services.save(row, changes={"status": "publish"}, user=OPERATOR, action=action)
    services.save(row, changes={"title": "Another"}, user=OPERATOR)
    services.trash(row, user=None)

    assert announced == [
        (model, "pending", None, OPERATOR, SAVE),
        (model, "publish", "pending", OPERATOR, action),
        (model, "trash", "publish", None, SAVE),
    ]


def test_status_is_announced_inside_the_write(editor):
    venue = VenueFactory(status="draft")

    def refuse(**kwargs):
        raise ValidationError("Not now.")

    status_changed.connect(refuse)
    try:
        with pytest.raises(ValidationError):
            save_content(venue, changes={"status": "publish"}, user=editor)
    finally:
        status_changed.disconnect(refuse)

    assert Venue.objects.get().status == "draft"
    assert Venue.history.count() == 1


def test_new_image_is_stored_by_the_write_alone(editor):
    new = prepare_image(plain_image(), "hall.png")

    venue = save_content(Venue(), changes={"title": "Hall", "image": new}, user=editor)

    assert Venue.objects.get().image == Image.objects.get() == venue.image
    assert venue.image.author == editor
    assert default_storage.exists(venue.image.file.name)


def test_new_image_of_a_write_that_is_refused_leaves_nothing(editor, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    new = prepare_image(plain_image(), "hall.png")

    with pytest.raises(ValidationError):
        save_content(Venue(), changes={"title": "", "image": new}, user=editor)

    assert not Image.objects.exists()
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_applying_changes_twice_is_applying_them_once(editor):
    venue = VenueFactory(title="Hall")
    changes = {"title": "Big hall", "status": "draft", "custom_values": {"stage": "Main"}}

    apply_content(venue, changes=changes, user=editor)
    once = {**venue.__dict__}
    apply_content(venue, changes=changes, user=editor)

    assert {**venue.__dict__} == once
