"""Conditions in the database and rules for a single row agree for every row and reader."""

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import AnonymousUser, Permission

from calendar_site.accounts.models import User
from calendar_site.accounts.services import create_user
from calendar_site.core import permissions
from calendar_site.core.choices import Status
from calendar_site.core.permissions import editable_q
from tests.factories import EventFactory, OrganizerFactory, UserFactory, VenueFactory

NOW = datetime(2027, 3, 10, 12, tzinfo=UTC)
ROLES = ("subscriber", "contributor", "author", "editor", "administrator")


@pytest.fixture(params=[EventFactory, VenueFactory, OrganizerFactory], ids=["events", "venues", "organizers"])
def rows_and_readers(request, db, time_machine):
    """Rows of every status and of several authors, one of them Scheduled for a moment that has come; and readers."""
    time_machine.move_to(NOW, tick=False)
    readers = [create_user(role, role) for role in ROLES]
    readers += [UserFactory(), User.objects.create(username="superuser", is_superuser=True)]
    readers.append(proofreader := UserFactory())
    proofreader.user_permissions.set(Permission.objects.filter(codename__regex="^(change|change_others)_"))
    for author in [*readers, UserFactory()]:
        for status in Status.values:
            ahead = timedelta(days=1) if status == "future" else timedelta()
            request.param(author=author, status=status, published_at=NOW + ahead)
        request.param(author=author, published_at=NOW + timedelta(seconds=1))
    time_machine.move_to(NOW + timedelta(seconds=1), tick=False)
    return request.param._meta.model.objects.all(), [*readers, AnonymousUser()]


def test_what_lists_show_is_what_may_be_read(rows_and_readers):
    rows, readers = rows_and_readers

    for reader in readers:
        shown = set(rows.visible_to(reader).values_list("pk", flat=True))
        assert shown == {row.pk for row in rows if permissions.can_read(reader, row) and row.status != Status.TRASH}, (
            reader
        )


def test_what_is_found_by_status_is_what_may_be_read(rows_and_readers):
    rows, readers = rows_and_readers

    for reader in readers:
        shown = set(rows.with_statuses(Status.values, reader).values_list("pk", flat=True))
        assert shown == {row.pk for row in rows if permissions.can_read(reader, row)}, reader


def test_what_is_editable_is_what_may_be_edited(rows_and_readers):
    rows, readers = rows_and_readers

    for reader in readers:
        editable = set(rows.filter(editable_q(reader, rows.model)).values_list("pk", flat=True))
        assert editable == {row.pk for row in rows if permissions.can_edit(reader, row)}, reader


def test_what_is_published_is_public(rows_and_readers):
    rows, readers = rows_and_readers
    published = set(rows.published().values_list("pk", flat=True))

    assert published == {row.pk for row in rows if permissions.is_published(row)}
    assert published == set(rows.visible_to(readers[-1]).values_list("pk", flat=True))
    # Those of nine authors: published, and Scheduled for a moment that has come.
    assert len(published) == 18
    assert {row.status for row in rows.filter(pk__in=published)} == {Status.PUBLISH, Status.FUTURE}


def test_what_is_due_is_scheduled_for_a_moment_that_has_come(rows_and_readers):
    rows, _readers = rows_and_readers

    assert {row.published_at for row in rows.due()} == {NOW + timedelta(seconds=1)}
    assert rows.due().count() == 9
