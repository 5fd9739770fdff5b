"""The emails with links with which users set a password."""

from __future__ import annotations

from django.utils import translation
from django.utils.translation import gettext as _
from django_tasks import task

from calendar_site.accounts.models import User
from calendar_site.accounts.password_links.tokens import INVITATIONS, PASSWORD_RESETS, LinkTokens
from calendar_site.core import clock
from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.dates.formatting import format_in_sentence
from calendar_site.mail.messages import Link, Message, absolute_url, send
from calendar_site.mail.models import preferences_of, reader_language
from calendar_site.site_profile.current import load_name


@task()
def send_invitation(user_id: int, language: str) -> None:
    """Send the link with which a new user sets a password, unless there is a password meanwhile.

    `language` is used if the language of the user is not known.
    """
    user = User.objects.filter(pk=user_id).first()
    if user is None or user.has_usable_password() or user.invited_at is None:
        return
    with translation.override(reader_language(preferences_of(user.pk), language)):
        send(_invitation(user), user)


@task()
def send_password_resets(user_ids: list[int], language: str) -> None:
    """Queue an email to each of these users, so that the failure of one email does not repeat the others.

    The list is empty if nobody has the address that was entered: see `request_password_reset`.
    """
    with write_lock():
        for user_id in user_ids:
            send_password_reset.enqueue(user_id, language)


@task()
def send_password_reset(user_id: int, language: str) -> None:
    """Send a user a link with which to set a new password. `language` is used if that of the user is not known."""
    user = User.objects.filter(pk=user_id).first()
    if user is None:
        return
    with translation.override(reader_language(preferences_of(user.pk), language)):
        send(_password_reset(user), user)


def _invitation(user: User) -> Message:
    names = {"site": load_name(), "username": user.get_username()}
    return Message(
        subject=_("Your account at %(site)s") % names,
        paragraphs=[
            _("An account at %(site)s has been created for you. Your username is: %(username)s") % names,
            _("Choose a password to sign in."),
        ],
        action=Link(_("Choose a password"), _url(INVITATIONS, user)),
        closing=[_expiry(INVITATIONS), _("If you do not know why you got this email, ignore it.")],
    )


def _password_reset(user: User) -> Message:
    names = {"site": load_name(), "username": user.get_username()}
    return Message(
        subject=_("New password for %(site)s") % names,
        paragraphs=[
            _("Someone has asked to set a new password for your account. Your username is: %(username)s") % names
        ],
        action=Link(_("Set a new password"), _url(PASSWORD_RESETS, user)),
        closing=[
            _expiry(PASSWORD_RESETS),
            _("If it was not you, ignore this email. Your password stays as it is."),
        ],
    )


def _url(tokens: LinkTokens, user: User) -> str:
    return absolute_url(f"admin:{tokens.url_name}", *tokens.make_arguments(user))


def _expiry(tokens: LinkTokens) -> str:
    text = _("The link is valid until %(moment)s. It works once.")
    return text % {"moment": format_in_sentence(clock.now() + tokens.max_age)}
