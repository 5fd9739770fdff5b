"""What only events have, in the words of their history."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from calendar_site.content.dates import parse_zone
from calendar_site.content.days import bare_day, date_and_clock


def on_its_clock(moment: datetime, state: Any) -> str:
    """A moment as the clock on the event's wall shows it; of a whole day only the day."""
    local = moment.astimezone(parse_zone(state.time_zone).tz)
    return bare_day(local) if state.all_day else date_and_clock(local)


def tickets_in_words(tickets: list[dict[str, Any]], state: Any) -> str:
    """A line for each ticket."""
    return "\n".join(_ticket_in_words(ticket, state) for ticket in tickets)


def _ticket_in_words(ticket: dict[str, Any], state: Any) -> str:
    price = f"{number_format(Decimal(ticket['price']), 2)} {ticket['currency']}"
    facts = [price, _sale(ticket, state), _("sold out") if ticket["sold_out"] else "", ticket["url"]]
    return _("%(name)s: %(facts)s") % {"name": ticket["name"], "facts": ", ".join(filter(None, facts))}


def _sale(ticket: dict[str, Any], state: Any) -> str:
    bounds = (ticket["available_from"], ticket["available_until"])
    if not any(bounds):
        return ""
    tz = parse_zone(state.time_zone).tz
    return " – ".join(
        date_and_clock(datetime.fromisoformat(bound).astimezone(tz)) if bound else "…" for bound in bounds
    )
