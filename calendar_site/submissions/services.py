"""Submitting, editing and withdrawing events without an account."""

from __future__ import annotations

import hashlib
import secrets
from typing import NamedTuple

from django.utils.translation import get_language

from calendar_site.core import clock
from calendar_site.core.choices import Status
from calendar_site.core.database.write_lock import write_lock
from calendar_site.media.library import PreparedImage, store_image
from calendar_site.review.models import Review
from calendar_site.submissions.account import visitors_account
from calendar_site.submissions.models import MistakeReport, PublicSubmission
from calendar_site.submissions.tasks import send_receipt
from events.changes import EventChanges
from events.models import Event
from events.services import save_event, trash_event

EDITABLE = (Status.PENDING, Status.DRAFT)


class Sender(NamedTuple):
    name: str
    email: str


class StoredSubmission(NamedTuple):
    """A submission, and the token for its link, which is not stored."""

    submission: PublicSubmission
    token: str


def submit_event(changes: EventChanges, sender: Sender, image: PreparedImage | None = None) -> StoredSubmission:
    """Save an event for the review queue, and queue the email with the link to edit it.

    Raises ValidationError, and PermissionDenied if the account of visitors may not add events.
    """
    token = secrets.token_urlsafe(24)
    account = visitors_account()
    with write_lock():
        event = save_event(Event(), changes=_pending(changes, image), user=account)
        submission = PublicSubmission.objects.create(
            event=event,
            sender_name=sender.name,
            sender_email=sender.email,
            language=get_language() or "en",
            token_hash=hash_token(token),
            created_at=clock.now(),
        )
        _name_sender(submission)
        send_receipt.enqueue(submission.pk, token)
    return StoredSubmission(submission, token)


def edit_submission(
    submission: PublicSubmission, changes: EventChanges, image: PreparedImage | None = None
) -> PublicSubmission:
    """Save changes to an event that is not public, and submit it again if it was sent back."""
    with write_lock():
        submission.event.refresh_from_db()
        if submission.event.status in EDITABLE:
            save_event(submission.event, changes=_pending(changes, image), user=visitors_account())
            _name_sender(submission)
    return submission


def withdraw_submission(submission: PublicSubmission) -> None:
    """Move the event to the trash, also one that has been published."""
    with write_lock():
        submission.event.refresh_from_db()
        if submission.event.status != Status.TRASH:
            trash_event(submission.event, user=visitors_account())


def find_submission(token: str) -> PublicSubmission | None:
    """Return the submission with this token, None without one and after the event. One query."""
    found = PublicSubmission.objects.select_related("event").filter(token_hash=hash_token(token)).first()
    return found if found and found.event.end > clock.now() else None


def report_mistake(event: Event, text: str, email: str) -> MistakeReport:
    """Store the report of a mistake in an event."""
    return MistakeReport.objects.create(event=event, text=text, email=email, created_at=clock.now())


def hash_token(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _pending(changes: EventChanges, image: PreparedImage | None) -> EventChanges:
    stored: EventChanges = {**changes, "status": Status.PENDING}
    if image is not None:
        stored["image"] = store_image(image, user=visitors_account())
    return stored


def _name_sender(submission: PublicSubmission) -> None:
    """Show the sender in the review queue, instead of the account of all visitors."""
    limit = Review._meta.get_field("submitted_by_name").max_length
    name = f"{submission.sender_name} ({submission.sender_email})"[:limit]
    Review.objects.for_record(submission.event).open().update(submitted_by_name=name)
