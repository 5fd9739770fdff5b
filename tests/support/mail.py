"""Reading the emails that background tasks have sent."""

import re
from typing import NamedTuple

from django.core import mail

from tests.support.background_tasks import run_worker
from tests.support.html_page import parse_html

LINK = re.compile(r"http://127\.0\.0\.1:8000(/admin/\S+)")


class SentMail(NamedTuple):
    """An email: its recipients, subject, and plain text."""

    to: list[str]
    subject: str
    text: str


def sent_mail() -> list[SentMail]:
    """Run the background tasks that are due, and return the emails sent since the last call, by recipient and subject.

    They are sorted because tasks that were queued at the same time, as with a stopped clock, run in any order.
    """
    run_worker()
    sent = [SentMail(message.to, message.subject, message.body) for message in mail.outbox]
    mail.outbox.clear()
    return sorted(sent)


def sent_html() -> list[str]:
    """Run the background tasks that are due, and return the visible text of the HTML of each email."""
    run_worker()
    return [parse_html(message.alternatives[0].content).one("body").text for message in mail.outbox]


def link_in(message: SentMail) -> str:
    """Return the path of the first link to the admin in an email."""
    return LINK.search(message.text)[1]
