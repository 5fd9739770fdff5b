"""The emails with links with which users set a password."""

from __future__ import annotations

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _
from django_tasks import task

from calendar_site.accounts.models import User
from calendar_site.accounts.password_links.tokens import INVITATIONS, PASSWORD_RESETS, LinkTokens
from calendar_site.core import clock
from calendar_site.core.date_format import format_in_sentence
from calendar_site.mail.messages import Link, Message, absolute_url, send
from calendar_site.mail.models import preferences_of, reader_language


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
    """Send each of these users a link with which they set a new password.

    The list is empty if nobody has the address that was entered: see `request_password_reset`.
    """
    for user in User.objects.filter(pk__in=user_ids):
        with translation.override(reader_language(preferences_of(user.pk), language)):
            send(_password_reset(user), user)


def _invitation(user: User) -> Message:
    names = {"site": settings.SITE_NAME, "username": user.get_username()}
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
    names = {"site": settings.SITE_NAME, "username": user.get_username()}
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
