"""The tickets of an event, in words."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from calendar_site.content.dates import Zone, abbreviation, at_wall, parse_zone
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


def offers(event: dict[str, Any]) -> list[Offer]:
    """The tickets of an event (as the API answers it), their dates on the event's clock."""
    zone, now = parse_zone(event["timezone"]), timezone.now()
    return [
        Offer(
            name=ticket["name"],
            price=price(ticket["price"], ticket["currency"]),
            sale="" if ticket["sold_out"] else _sale(ticket, zone, now),
            is_sold_out=ticket["sold_out"],
            url=ticket["url"],
            host=urlsplit(ticket["url"]).hostname or "",
        )
        for ticket in event["tickets"]
    ]


def price(amount: str, currency: str) -> str:
    """A price as people write it, such as `€12.50`, `$1,200` or `CHF 15`."""
    number = Decimal(amount)
    if not number:
        return _("Free")
    written = number_format(number, 0 if number == number.to_integral_value() else 2, force_grouping=True)
    return f"{SIGNS[currency]}{written}" if currency in SIGNS else f"{currency}\N{NO-BREAK SPACE}{written}"


def _sale(ticket: dict[str, Any], zone: Zone, now: datetime) -> str:
    """When the ticket is sold, as far as that is still to come; or that it was sold."""
    begins, ends = (_moment(ticket[key], zone) for key in ("available_from", "available_until"))
    if ends and ends <= now:
        return _("The sale ended on %(end)s") % {"end": _in_words(ends, zone)}
    if begins and begins > now and ends:
        return _("On sale from %(start)s to %(end)s") % {"start": _in_words(begins, zone), "end": _in_words(ends, zone)}
    if begins and begins > now:
        return _("On sale from %(start)s") % {"start": _in_words(begins, zone)}
    return _("On sale until %(end)s") % {"end": _in_words(ends, zone)} if ends else ""


def _moment(wire_date: str, zone: Zone) -> datetime | None:
    return at_wall(wire_date, zone) if wire_date else None


def _in_words(moment: datetime, zone: Zone) -> str:
    return moment_in_words(moment, zone_note(zone.name, abbreviation(moment, zone)))
