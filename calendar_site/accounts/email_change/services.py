"""Entering a new email address, and confirming it."""

from __future__ import annotations

from django.utils.translation import get_language

from calendar_site.accounts.email_change.tasks import send_confirmation, send_notice
from calendar_site.accounts.email_change.tokens import expired_before, find_pending_email
from calendar_site.accounts.models import PendingEmail, User
from calendar_site.accounts.password_links.services import LinkInvalid
from calendar_site.accounts.services import record_account_changes
from calendar_site.core import clock
from calendar_site.core.database.write_lock import write_lock


def request_email_change(user: User, email: str) -> None:
    """Send a link to a new address of the user, and a notice to the present one. Links to others become invalid."""
    language = get_language() or ""
    with write_lock():
        values = {"email": email, "requested_at": clock.now()}
        PendingEmail.objects.update_or_create(user=user, defaults=values)
        # First, so that the notice is not behind a slow mail server of the new address.
        send_notice.enqueue(user.pk, language)
        send_confirmation.enqueue(user.pk, language)


def confirm_email_change(user: User, token: str) -> User:
    """Give the user the new address that the token confirms, and return the saved user. Raises LinkInvalid."""
    with write_lock():
        pending = find_pending_email(user, token)
        if pending is None:
            raise LinkInvalid
        current = pending.user
        with record_account_changes(current, by=current):
            current.email = pending.email
            current.save(update_fields=["email"])
        pending.delete()
    return current


def delete_expired_email_changes() -> None:
    """Delete new addresses that were not confirmed in time."""
    with write_lock():
        PendingEmail.objects.filter(requested_at__lt=expired_before()).delete()
