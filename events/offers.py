"""What an event and its tickets cost, in words."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from calendar_site.content.dates import Zone, abbreviation
from events.costs import FREE, TO
from events.loading import TicketRow
from events.when import moment_in_words, zone_note

# Signs that stand for one currency alone; the others are written by their letters.
SIGNS = {
    "AUD": "A$", "BRL": "R$", "CAD": "CA$", "EUR": "€", "GBP": "£", "HKD": "HK$", "ILS": "₪", "INR": "₹",
    "JPY": "¥", "KRW": "₩", "MXN": "MX$", "NZD": "NZ$", "PHP": "₱", "TWD": "NT$", "USD": "$", "VND": "₫",
}  # fmt: skip


class Offer(NamedTuple):
    """A ticket in words; `sale` says when it is sold, `host` who sells it, each "" where that is not known."""

    name: str
    price: str
    sale: str
    is_sold_out: bool
    url: str
    host: str


def offers(tickets: Iterable[TicketRow], zone: Zone) -> list[Offer]:
    """The tickets of an event as they are loaded, their dates on the clock of its zone.

    Not as they are answered: that does not say which turn of an hour is meant that summer time doubles.
    """
    now = timezone.now()
    return [
        Offer(
            name=ticket.name,
            price=price(ticket.price, ticket.currency),
            sale="" if ticket.sold_out else _sale(ticket, zone, now),
            is_sold_out=ticket.sold_out,
            url=ticket.url,
            host=urlsplit(ticket.url).hostname or "",
        )
        for ticket in tickets
    ]


def price(amount: Decimal, currency: str) -> str:
    """A price as people write it, in one piece: `€12.50`, `$1,200`, `CHF 15`, in German `12,50 €`."""
    if not amount:
        return _("Free")
    written = number_format(amount, 0 if amount == amount.to_integral_value() else 2, force_grouping=True)
    if currency in SIGNS:
        text = pgettext("a price, with a sign such as €", "%(sign)s%(amount)s")
    else:
        text = pgettext("a price, with letters such as CHF", "%(letters)s %(amount)s")
    whole = text % {"sign": SIGNS.get(currency), "letters": currency, "amount": written}
    return whole.replace(" ", "\N{NO-BREAK SPACE}")


def cost(event: dict[str, Any]) -> str:
    """What the event (as the API answers it) costs: its text, with `Free` in the reader's language."""
    free = event["cost"] == FREE or "0" in event["cost_details"]["values"]
    parts = event["cost"].split(TO) if free else [event["cost"]]
    return TO.join(_("Free") if part == FREE else part for part in parts)


def _sale(ticket: TicketRow, zone: Zone, now: datetime) -> str:
    """When the ticket is sold, as far as that is still to come; or that it was sold."""
    begins, ends = ticket.available_from, ticket.available_until
    if ends and ends <= now:
        return _("The sale ended on %(end)s") % {"end": _in_words(ends, zone)}
    if begins and begins > now and ends:
        return _("On sale from %(start)s to %(end)s") % {"start": _in_words(begins, zone), "end": _in_words(ends, zone)}
    if begins and begins > now:
        return _("On sale from %(start)s") % {"start": _in_words(begins, zone)}
    return _("On sale until %(end)s") % {"end": _in_words(ends, zone)} if ends else ""


def _in_words(moment: datetime, zone: Zone) -> str:
    return moment_in_words(moment.astimezone(zone.tz), zone_note(zone.name, abbreviation(moment, zone)))
