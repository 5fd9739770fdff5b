"""Recognizing the browsers in which a user has signed in, and telling the user about new ones.

A signed cookie contains the ids of the users who have signed in with the browser. The server stores nothing about
devices.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django_tasks import task

from calendar_site.accounts.models import User
from calendar_site.core import clock
from calendar_site.core.dates.formatting import format_in_sentence
from calendar_site.mail.messages import Link, Message, absolute_url, can_mail, send
from calendar_site.mail.models import MailPreferences, preferences_of, reader_language
from calendar_site.site_profile.current import load_name

COOKIE = "known_users"
COOKIE_LIFETIME = timedelta(days=365)
# The users who share a browser; with more, the first ones are forgotten.
MAX_USERS = 10
# Parts of user agents by name, in this order: most browsers name others as well.
BROWSERS = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "Firefox/": "Firefox",
    "FxiOS": "Firefox",
    "CriOS": "Chrome",
    "Chrome/": "Chrome",
    "Safari/": "Safari",
}
SYSTEMS = {
    "Android": "Android",
    "iPhone": "iOS",
    "iPad": "iPadOS",
    "Windows": "Windows",
    "Mac OS X": "macOS",
    "CrOS": "ChromeOS",
    "Linux": "Linux",
}

_signer = TimestampSigner(salt="accounts.devices")


def remember_sign_in(request: HttpRequest, response: HttpResponseBase, user: User) -> None:
    """Remember the browser and the language of a user who has just signed in.

    If the user has not signed in with this browser within a year, send an email, unless no browser of the user has ever
    been remembered: at the first sign-in of an account, and at the first one after an upgrade from a version without
    this function.
    """
    known = _known_users(request)
    preferences = preferences_of(user.pk)
    has_known_browser = preferences.has_signed_in
    _remember_language(preferences)
    if user.pk not in known and has_known_browser and preferences.wants_sign_ins and can_mail(user):
        send_sign_in.enqueue(user.pk, clock.now().isoformat(), *describe_user_agent(request))
    # Each sign-in renews the cookie.
    users = [*(user_id for user_id in known if user_id != user.pk), user.pk][-MAX_USERS:]
    response.set_cookie(
        COOKIE,
        _signer.sign_object(users),
        max_age=COOKIE_LIFETIME,
        path=settings.SESSION_COOKIE_PATH,
        secure=bool(settings.SESSION_COOKIE_SECURE),
        httponly=True,
        samesite="Lax",
    )


# The queue contains the path of this task: emails that wait during an upgrade would not be sent if it moved.
@task()
def send_sign_in(user_id: int, moment: str, browser: str, system: str) -> None:
    """Tell a user about a sign-in with a browser that was not used before. Unknown names are empty."""
    user = User.objects.filter(pk=user_id).first()
    if user is not None:
        with translation.override(reader_language(preferences_of(user_id))):
            send(_message(user, datetime.fromisoformat(moment), browser, system), user)


def describe_user_agent(request: HttpRequest) -> tuple[str, str]:
    """Return the names of the browser and the operating system, "" for unknown ones."""
    user_agent = request.headers.get("User-Agent", "")
    names = ((name for part, name in table.items() if part in user_agent) for table in (BROWSERS, SYSTEMS))
    browser, system = (next(found, "") for found in names)
    return browser, system


def _known_users(request: HttpRequest) -> list[int]:
    try:
        users: list[int] = _signer.unsign_object(request.COOKIES.get(COOKIE, ""), max_age=COOKIE_LIFETIME)
    except (BadSignature, ValueError):
        return []
    return users


def _remember_language(preferences: MailPreferences) -> None:
    language = get_language() or ""
    if preferences.sign_in_language != language:
        # Not `write_lock()`: signing in must not wait for an import.
        MailPreferences.objects.update_or_create(pk=preferences.pk, defaults={"sign_in_language": language})


def _message(user: User, moment: datetime, browser: str, system: str) -> Message:
    names = {"site": load_name(), "username": user.get_username(), "moment": format_in_sentence(moment)}
    paragraphs = [
        _("Your account was used to sign in with a new device or browser."),
        _("Username: %(username)s") % names,
        _("Time: %(moment)s") % names,
    ]
    if browser or system:
        paragraphs.append(_("Device: %(device)s") % {"device": ", ".join(filter(None, (browser, system)))})
    return Message(
        subject=_("New sign-in to %(site)s") % names,
        paragraphs=paragraphs,
        action=Link(_("This was not me"), absolute_url("admin:password_change")),
        closing=[
            _("If it was you, there is nothing to do."),
            _("If it was not you, change your password at once. This also ends all other sessions."),
        ],
        is_optional=True,
    )
