"""The prices of an event and its tickets, in the language of the reader."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple
from urllib.parse import urlsplit

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from calendar_site.core import clock
from calendar_site.core.dates.conversion import Zone
from calendar_site.core.text.html import link_url
from calendar_site.website.time_display import format_moment, format_zone_note
from events.costs import FREE, RANGE_SEPARATOR
from events.loading import EventRow, TicketRow
from events.models import Event

# Signs that stand for one currency only; the other currencies are written by their codes.
CURRENCY_SIGNS = {
    "AUD": "A$", "BRL": "R$", "CAD": "CA$", "EUR": "€", "GBP": "£", "HKD": "HK$", "ILS": "₪", "INR": "₹",
    "JPY": "¥", "KRW": "₩", "MXN": "MX$", "NZD": "NZ$", "PHP": "₱", "TWD": "NT$", "USD": "$", "VND": "₫",
}  # fmt: skip


class TicketDisplay(NamedTuple):
    """A ticket as text. `sale_period` and `seller` (the host of `url`) are "" if they are not known."""

    name: str
    price: str
    sale_period: str
    is_sold_out: bool
    url: str
    seller: str


def display_tickets(tickets: Iterable[TicketRow], zone: Zone) -> list[TicketDisplay]:
    """Return the tickets of an event, with their dates in the time zone of the event."""
    return [
        TicketDisplay(
            name=ticket.name,
            price=format_price(ticket.price, ticket.currency),
            sale_period="" if ticket.sold_out else _format_sale_period(ticket, zone),
            is_sold_out=ticket.sold_out,
            url=link_url(ticket.url),
            seller=urlsplit(link_url(ticket.url)).hostname or "",
        )
        for ticket in tickets
    ]


def format_price(amount: Decimal, currency: str) -> str:
    """Return a price with non-breaking spaces: `€12.50`, `$1,200`, `CHF 15`, in German `12,50 €`."""
    if not amount:
        return _("Free")
    number = number_format(amount, 0 if amount == amount.to_integral_value() else 2, force_grouping=True)
    if currency in CURRENCY_SIGNS:
        text = pgettext("a price, with a sign such as €", "%(sign)s%(amount)s")
    else:
        text = pgettext("a price, with letters such as CHF", "%(letters)s %(amount)s")
    price = text % {"sign": CURRENCY_SIGNS.get(currency), "letters": currency, "amount": number}
    return price.replace(" ", "\N{NO-BREAK SPACE}")


def format_cost(event: Event | EventRow) -> str:
    """Return the cost of an event as it was written, with `Free` in the language of the reader."""
    has_free = event.cost == FREE or "0" in event.cost_values
    parts = event.cost.split(RANGE_SEPARATOR) if has_free else [event.cost]
    return RANGE_SEPARATOR.join(_("Free") if part == FREE else part for part in parts)


def _format_sale_period(ticket: TicketRow, zone: Zone) -> str:
    """Return when the ticket is on sale, without dates in the past, or when the sale ended."""
    starts, ends = ticket.available_from, ticket.available_until
    if ends and clock.has_passed(ends):
        return _("Sales ended on %(end)s") % {"end": _format_local(ends, zone)}
    is_on_sale = not starts or clock.has_passed(starts)
    if starts and ends and not is_on_sale:
        period = {"start": _format_local(starts, zone), "end": _format_local(ends, zone)}
        return _("On sale from %(start)s to %(end)s") % period
    if starts and not is_on_sale:
        return _("On sale from %(start)s") % {"start": _format_local(starts, zone)}
    return _("On sale until %(end)s") % {"end": _format_local(ends, zone)} if ends else ""


def _format_local(moment: datetime, zone: Zone) -> str:
    return format_moment(moment.astimezone(zone.tz), format_zone_note(zone, moment))
