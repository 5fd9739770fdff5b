"""Building emails, as plain text and as HTML with the same content, and sending them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import get_script_prefix, reverse
from django.utils.translation import get_language

from calendar_site.core.text.plain_text import shorten
from calendar_site.site_profile.current import load_name

MAX_SUBJECT_LENGTH = 150
# French quotation marks and colons need them.
NO_BREAK_SPACES = "\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"


class Link(NamedTuple):
    """A link with an absolute URL. `detail` is a line below the label."""

    label: str
    url: str
    detail: str = ""


class Message(NamedTuple):
    """The content of an email as plain text, in the current language."""

    subject: str
    paragraphs: Sequence[str]
    # Text that somebody has written, such as a note.
    quote: str = ""
    links: Sequence[Link] = ()
    # The link that is shown as a button.
    action: Link | None = None
    # Paragraphs below the button, in small print.
    closing: Sequence[str] = ()
    # Whether users can turn this kind of email off.
    is_optional: bool = False


def is_mail_enabled() -> bool:
    """Return whether the service can send emails: EMAIL_URL is set, or emails go to files in development."""
    return bool(settings.MAIL_ENABLED)


def can_mail(user: Any) -> bool:
    """Return whether the service can send emails to this user."""
    return is_mail_enabled() and bool(user.is_active and user.email)


def absolute_url(name: str, *args: Any) -> str:
    """Return the URL of a page of the site below PUBLIC_URL, without the language of the current request."""
    return f"{settings.MAIL_BASE_URL}/{reverse(name, args=args).removeprefix(get_script_prefix())}"


def send(message: Message, user: Any) -> None:
    """Send an email to a user. Only background tasks call this: the mail server may take long to answer.

    Raises OSError, which includes SMTPException, if the server does not accept the email. Does nothing for inactive
    users and users without an email address.
    """
    if can_mail(user):
        build(message, user.email).send()


def build(message: Message, recipient: str) -> EmailMultiAlternatives:
    """Return the email with its headers. The current language is that of the reader."""
    preferences_url = absolute_url("admin:mail_preferences") if message.is_optional else ""
    context = {
        **message._asdict(),
        "subject": _single_line(message.subject),
        "site_name": load_name(),
        "site_url": f"{settings.MAIL_BASE_URL}/",
        "preferences_url": preferences_url,
        "language": get_language(),
    }
    # RFC 3834: mail servers and absence notes do not reply to such emails.
    headers = {"Auto-Submitted": "auto-generated"}
    if preferences_url:
        headers["List-Unsubscribe"] = f"<{preferences_url}>"
    text = render_to_string("mail/message.txt", context).strip()
    mail = EmailMultiAlternatives(context["subject"], f"{text}\n", to=[recipient], headers=headers)
    mail.attach_alternative(render_to_string("mail/message.html", context), "text/html")
    return mail


def _single_line(text: str) -> str:
    """Return the text without line breaks and control characters, which are not allowed in headers."""
    printable = "".join(char if char.isprintable() or char in NO_BREAK_SPACES else " " for char in text)
    words = filter(None, printable.split(" "))
    return shorten(" ".join(words), MAX_SUBJECT_LENGTH)
