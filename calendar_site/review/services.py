"""Opening and closing reviews, and deciding on them."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple, TypeVar
from unicodedata import category

from django.core.exceptions import PermissionDenied, ValidationError
from django.utils.translation import gettext as _

from calendar_site.audit.models import ChangeKind
from calendar_site.audit.record_services import ContentServices
from calendar_site.audit.recorder import Action
from calendar_site.content.models import Content
from calendar_site.core import clock, permissions
from calendar_site.core.choices import PUBLISHED_STATUSES, Status
from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.types import AnyUser
from calendar_site.review.choices import ReviewOutcome
from calendar_site.review.models import Review
from calendar_site.review.signals import decision_made, review_closed, review_opened

Row = TypeVar("Row", bound=Content)


class NotPending(Exception):
    """The record is no longer pending. The message is for the reviewer."""

    @classmethod
    def of(cls, row: Any) -> NotPending:
        text = _("“%(title)s” is no longer pending review. Its status is now: %(status)s.")
        return cls(text % {"title": row, "status": Status(row.status).label})


class ChangedSince(Exception):
    """The record has changed since the reviewer looked at it; the message is for the reviewer."""


class Decision(NamedTuple):
    """The status that a reviewer gives to a record, and the action that explains it."""

    status: Status
    action: Action


def approval(note: str) -> Decision:
    """Return the decision to publish a record. Raises ValidationError for a long note."""
    return Decision(Status.PUBLISH, Action(ChangeKind.APPROVED, clean_note(note)))


def return_to_author(note: str) -> Decision:
    """Return the decision to make a record a draft again. Raises ValidationError for a long note, and without one."""
    action = Action(ChangeKind.SENT_BACK, clean_note(note))
    if not action.note:
        raise ValidationError({"note": _("Enter a note that says what is missing or what should change.")})
    return Decision(Status.DRAFT, action)


def approve(
    row: Row, *, services: ContentServices[Row], user: AnyUser, note: str = "", seen_id: int | None = None
) -> Row:
    """Publish a pending record, or schedule it if its publication date is in the future.

    `seen_id` is the id of the revision that the user saw (`newest_revision_id`), None to decide on the current one.
    Raises NotPending, ChangedSince, PermissionDenied, and ValidationError for a long note and for changes that
    `services` reject.
    """
    return decide(row, approval(note), services=services, user=user, seen_id=seen_id)


def save_or_approve(row: Row, *, services: ContentServices[Row], changes: Any, user: AnyUser) -> Row:
    """Save the changes. Publishing a pending record that the user may review approves it, after its other changes.

    Raises the exceptions of `services.save`.
    """
    is_published = row.status == Status.PENDING and changes.get("status") == Status.PUBLISH
    if not is_published or not permissions.can_review(user, row):
        return services.save(row, changes=changes, user=user)
    others = {name: value for name, value in changes.items() if name != "status"}
    with write_lock():
        if others:
            row = services.save(row, changes=others, user=user)
        return approve(row, services=services, user=user)


def send_back(row: Row, *, services: ContentServices[Row], user: AnyUser, note: str, seen_id: int | None = None) -> Row:
    """Make a pending record a draft again, with a note that gives the reason. Raises the exceptions of `approve`."""
    return decide(row, return_to_author(note), services=services, user=user, seen_id=seen_id)


def clean_note(note: str) -> str:
    """Return the note as plain text without control characters. Raises ValidationError if it is too long."""
    lines = note.replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ")
    text = "".join(char for char in lines if char == "\n" or category(char) not in ("Cc", "Cs")).strip()
    limit = Review.MAX_NOTE_LENGTH
    if len(text) > limit:
        raise ValidationError({"note": _("A note can have at most %(limit)s characters.") % {"limit": limit}})
    return text


def newest_revision_id(row: Content) -> int:
    """Return the id of the newest revision in the history of the record, 0 if it has none."""
    return _revisions(row).values_list("history_id", flat=True).first() or 0


def open_review(row: Content, *, user: AnyUser) -> None:
    """Open a review of a record that has become pending.

    If SQL or a bulk update changed the status of a pending record, its review is still open. It becomes the review of
    the new submission, because a record has only one that is open.
    """
    review = _submission(row, user=user, submitted_at=clock.now())
    review.pk = Review.objects.for_record(row).open().values_list("pk", flat=True).first()
    review.save()
    review_opened.send(sender=Review, review=review)


def get_open_review(row: Content) -> Review:
    """Return the open review of a pending record.

    A record that became pending without the services has none: return an unsaved one, as if its author had submitted it
    when it was last modified.
    """
    found = Review.objects.for_record(row).open().first()
    return found or _submission(row, user=row.author, submitted_at=row.modified_at)


def close_review(row: Content, *, user: AnyUser, action: Action) -> None:
    """Close the open review of a record that is no longer pending."""
    if action.kind in (ChangeKind.APPROVED, ChangeKind.SENT_BACK):
        outcome = ReviewOutcome(action.kind)
    else:
        outcomes = {Status.DRAFT: ReviewOutcome.WITHDRAWN, Status.TRASH: ReviewOutcome.TRASHED}
        outcome = outcomes.get(Status(row.status), ReviewOutcome.PUBLISHED)
    review = get_open_review(row)
    review.outcome, review.note = outcome, action.note
    if outcome == ReviewOutcome.SENT_BACK:
        review.revision = _revisions(row).first()
    _set_decided(review, user)
    review.save()
    review_closed.send(sender=Review, review=review)


def keep_public_revision(row: Content, *, user: AnyUser) -> None:
    """Save the last public revision of an unpublished record, with which its next submission is compared."""
    review = Review(model_label=row._meta.label_lower, record_id=row.pk, outcome=ReviewOutcome.UNPUBLISHED)
    review.revision = _revisions(row).filter(status__in=PUBLISHED_STATUSES).first()
    _set_decided(review, user)
    review.save()


def _revisions(row: Content) -> Any:
    """Return the history of the record, the newest revision first."""
    return type(row).history.filter(id=row.pk).order_by("-history_id")


def _submission(row: Content, *, user: AnyUser, submitted_at: datetime) -> Review:
    # A command on the server submits in the name of the author.
    submitter = user if _is_account(user) else row.author
    return Review(
        model_label=row._meta.label_lower,
        record_id=row.pk,
        submitted_at=submitted_at,
        submitted_by_id=submitter.pk,
        submitted_by_name=submitter.get_username(),
    )


def _set_decided(review: Review, user: AnyUser) -> None:
    review.decided_at = clock.now()
    if _is_account(user):
        review.decided_by_id, review.decided_by_name = user.pk, user.get_username()


def _is_account(user: AnyUser) -> bool:
    """Return whether this is a saved user: commands on the server have none, or one that is never saved."""
    return user is not None and user.pk is not None


def decide(
    row: Row, decision: Decision, *, services: ContentServices[Row], user: AnyUser, seen_id: int | None = None
) -> Row:
    """Give a pending record the status of the decision. Raises the exceptions of `approve`."""
    if seen_id is not None and permissions.can_review(user, row):
        decision_made.send(sender=type(row), row=row)
    with write_lock():
        # Read again inside the lock: another reviewer may have decided meanwhile.
        rows: Any = type(row)._default_manager
        current: Row | None = rows.filter(pk=row.pk).first()
        if current is None:
            raise NotPending(_("“%(title)s” no longer exists.") % {"title": row})
        if not permissions.can_review(user, current):
            raise PermissionDenied
        if current.status != Status.PENDING:
            raise NotPending.of(current)
        if seen_id is not None and seen_id != newest_revision_id(current):
            raise ChangedSince(_("The record has changed since you opened this page. You now see the current version."))
        # The review is closed by the signal that this sends: see `receivers`.
        return services.save(current, changes={"status": decision.status}, user=user, action=decision.action)
