"""The permission rules outside the API: rows of values, and records without a status."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from calendar_site.accounts.services import create_user
from calendar_site.core import permissions
from calendar_site.core.choices import Status
from calendar_site.media.models import Image
from events.models import Event
from taxonomy.models import Tag
from tests.factories import EventFactory

pytestmark = pytest.mark.django_db

ROLES = ("anonymous", "subscriber", "contributor", "author", "editor", "administrator")


def user_with_role(role):
    return AnonymousUser() if role == "anonymous" else create_user(role, role)


@pytest.mark.parametrize("role", ROLES)
def test_row_of_values_is_readable_like_its_record(role):
    user = user_with_role(role)
    own = {"author": user} if user.pk else {}

    for status in Status.values:
        for fields in ({}, own):
            event = EventFactory(status=status, **fields)
            row = Event.objects.filter(pk=event.pk).values_list("status", "author_id", "published_at", named=True).get()

            assert permissions.can_read(user, row, Event) == permissions.can_read(user, event)


@pytest.mark.parametrize("role", ROLES)
def test_readable_records_are_readable_in_lists(role):
    user = user_with_role(role)
    own = {"author": user} if user.pk else {}
    events = [EventFactory(status=status, **fields) for status in Status.values for fields in ({}, own)]
    later = [
        EventFactory(status="future", published_at=timezone.now() + timedelta(days=1), **fields) for fields in ({}, own)
    ]

    readable = {event.pk for event in events + later if permissions.can_read(user, event)}

    assert set(Event.objects.readable_by(user).values_list("pk", flat=True)) == readable
    shown = {event.pk for event in events + later if event.pk in readable and event.status != Status.TRASH}
    assert set(Event.objects.visible_to(user).values_list("pk", flat=True)) == shown


@pytest.mark.parametrize(
    ("role", "changes_own", "changes_others"),
    [
        ("subscriber", False, False),
        ("contributor", True, False),
        ("author", True, False),
        ("editor", True, True),
        ("administrator", True, True),
    ],
)
def test_draft_is_editable_by_its_author_and_editors(role, changes_own, changes_others):
    user = user_with_role(role)
    own, others = EventFactory(author=user, status="draft"), EventFactory(status="draft")

    assert (permissions.can_edit(user, own), permissions.can_edit(user, others)) == (changes_own, changes_others)
    assert (permissions.can_delete(user, own), permissions.can_delete(user, others)) == (changes_own, changes_others)


def test_term_has_no_author():
    tag = Tag(name="Jazz")

    editors = [role for role in ROLES[1:] if permissions.can_edit(user_with_role(role), tag)]

    assert editors == ["editor", "administrator"]


@pytest.mark.parametrize(
    ("role", "makes", "others"), [("contributor", False, False), ("author", True, False), ("editor", True, True)]
)
def test_images_are_created_by_authors_and_edited_by_their_author(role, makes, others):
    user = user_with_role(role)

    assert permissions.can_create(user, Image) == makes
    assert permissions.can_edit(user, Image(author=user)) == makes
    assert permissions.can_edit(user, Image(author=create_user("other", "author"))) == others
