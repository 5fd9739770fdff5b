"""Inviting users, and letting users who have forgotten their password set a new one."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from calendar_site.accounts.models import User
from calendar_site.accounts.password_links.tasks import send_invitation, send_password_resets
from calendar_site.accounts.password_links.tokens import LinkTokens
from calendar_site.accounts.services import record_account_changes
from calendar_site.core import clock
from calendar_site.core.database.write_lock import write_lock
from calendar_site.mail.messages import can_mail


class LinkInvalid(Exception):
    """The link was used meanwhile, or has expired."""


def invite(user: User, *, by: User | None) -> None:
    """Allow the user to set a password with a link, and send it if the service can send emails to the user.

    Links of earlier invitations become invalid. Raises ValidationError if the account is inactive or has a password.
    """
    if not user.is_active:
        raise ValidationError(_("The account is inactive."))
    if user.has_usable_password():
        raise ValidationError(_("The account already has a password."))
    with record_account_changes(user, by=by):
        user.invited_at = clock.now()
        user.save(update_fields=["invited_at"])
        if can_mail(user):
            send_invitation.enqueue(user.pk, get_language() or "")


def request_password_reset(email: str) -> None:
    """Send a link to the users with this address who have a password or an invitation.

    Takes the same queries if there are none, so that the time of the response does not reveal which addresses exist.
    """
    with write_lock():
        users = [
            user.pk for user in User.objects.filter(email__iexact=email, is_active=True) if _may_set_password(user)
        ]
        send_password_resets.enqueue(users, get_language() or "")


def set_password(
    user: User, password: str, *, tokens: LinkTokens, token: str | None, revoke_application_passwords: bool = False
) -> User:
    """Save a new password, which was validated, end all sessions of the user, and return the saved user.

    If the user chooses so, also revokes all application passwords: somebody who knew the old password may have created
    one.
    Raises LinkInvalid if the token is no longer valid, because another request has used it.
    """
    with write_lock():
        # Read again inside the lock.
        current = User.objects.filter(pk=user.pk).first()
        if current is None or not tokens.check_token(current, token):
            raise LinkInvalid
        with record_account_changes(current, by=current):
            current.set_password(password)
            current.sessions_ended_at = clock.now()
            current.save(update_fields=["password", "sessions_ended_at"])
            if revoke_application_passwords:
                current.application_passwords.all().delete()
    return current


def _may_set_password(user: User) -> bool:
    return user.has_usable_password() or user.invited_at is not None
