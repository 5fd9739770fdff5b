"""The emails about a new email address: a link to the new address, and a notice to the present one."""

from __future__ import annotations

from django.utils import translation
from django.utils.translation import gettext as _
from django_tasks import task

from calendar_site.accounts.email_change.tokens import LIFETIME, make_token
from calendar_site.accounts.models import PendingEmail
from calendar_site.core.dates.formatting import format_in_sentence
from calendar_site.mail.messages import Link, Message, absolute_url, build, is_mail_enabled, send
from calendar_site.mail.models import preferences_of, reader_language
from calendar_site.site_profile.current import load_name


@task()
def send_notice(user_id: int, language: str) -> None:
    """Tell a user at the present address about a new one. `language` is used if that of the user is not known."""
    pending = PendingEmail.objects.select_related("user").filter(user=user_id).first()
    if pending is not None:
        with translation.override(reader_language(preferences_of(user_id), language)):
            send(_notice(pending), pending.user)


@task()
def send_confirmation(user_id: int, language: str) -> None:
    """Send a link to the new address of a user that confirms it. `language` as in `send_notice`."""
    pending = PendingEmail.objects.select_related("user").filter(user=user_id).first()
    if pending is not None and pending.user.is_active and is_mail_enabled():
        with translation.override(reader_language(preferences_of(user_id), language)):
            build(_confirmation(pending), pending.email).send()


def _notice(pending: PendingEmail) -> Message:
    names = {"site": load_name(), "username": pending.user.get_username(), "email": pending.email}
    return Message(
        subject=_("New email address for %(site)s") % names,
        paragraphs=[
            _("A new email address was entered for your account. It replaces this one as soon as it is confirmed."),
            _("Username: %(username)s") % names,
            _("New email address: %(email)s") % names,
        ],
        action=Link(_("This was not me"), absolute_url("admin:password_change")),
        closing=[
            _("If it was you, there is nothing to do."),
            _("If it was not you, change your password at once. The new address can then no longer be confirmed."),
        ],
    )


def _confirmation(pending: PendingEmail) -> Message:
    names = {"site": load_name(), "username": pending.user.get_username()}
    moment = format_in_sentence(pending.requested_at + LIFETIME)
    return Message(
        subject=_("Confirm your email address for %(site)s") % names,
        paragraphs=[
            _("This email address was entered for an account at %(site)s. The username is: %(username)s") % names,
            _("Sign in to the account to confirm it."),
        ],
        action=Link(_("Confirm email address"), absolute_url("admin:confirm_email", make_token(pending))),
        closing=[
            _("The link is valid until %(moment)s. It works once.") % {"moment": moment},
            _("If you do not know why you got this email, ignore it."),
        ],
    )
