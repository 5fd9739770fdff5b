"""The one rule of rights, where it is asked by others than the API: rows of values, and records without a status."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from calendar_site.accounts.services import create_user
from calendar_site.content import rules
from calendar_site.content.choices import Status
from calendar_site.content.models import Image
from events.models import Event
from taxonomy.models import Tag
from tests.factories import EventFactory

pytestmark = pytest.mark.django_db

ROLES = ("anonymous", "subscriber", "contributor", "author", "editor", "administrator")


def person(role):
    return AnonymousUser() if role == "anonymous" else create_user(role, role)


@pytest.mark.parametrize("role", ROLES)
def test_row_of_values_is_read_by_whom_the_record_is_read(role):
    user = person(role)
    own = {"author": user} if user.pk else {}

    for status in Status.values:
        for fields in ({}, own):
            event = EventFactory(status=status, **fields)
            row = Event.objects.filter(pk=event.pk).values_list("status", "author_id", "published_at", named=True).get()

            assert rules.can_read(user, row, Event) == rules.can_read(user, event)


@pytest.mark.parametrize("role", ROLES)
def test_what_may_be_read_alone_may_be_read_in_lists(role):
    user = person(role)
    own = {"author": user} if user.pk else {}
    events = [EventFactory(status=status, **fields) for status in Status.values for fields in ({}, own)]
    later = [
        EventFactory(status="future", published_at=timezone.now() + timedelta(days=1), **fields) for fields in ({}, own)
    ]

    readable = {event.pk for event in events + later if rules.can_read(user, event)}

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
def test_draft_is_changed_by_its_author_and_editors(role, changes_own, changes_others):
    user = person(role)
    own, others = EventFactory(author=user, status="draft"), EventFactory(status="draft")

    assert (rules.can_edit(user, own), rules.can_edit(user, others)) == (changes_own, changes_others)
    assert (rules.can_delete(user, own), rules.can_delete(user, others)) == (changes_own, changes_others)


def test_term_belongs_to_nobody():
    tag = Tag(name="Jazz")

    assert [role for role in ROLES[1:] if rules.can_edit(person(role), tag)] == ["editor", "administrator"]


@pytest.mark.parametrize(
    ("role", "makes", "others"), [("contributor", False, False), ("author", True, False), ("editor", True, True)]
)
def test_images_are_made_by_authors_and_changed_by_who_made_them(role, makes, others):
    user = person(role)

    assert rules.can_create(user, Image) == makes
    assert rules.can_edit(user, Image(author=user)) == makes
    assert rules.can_edit(user, Image(author=create_user("other", "author"))) == others
