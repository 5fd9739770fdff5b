"""Display formats of event values in the history."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any, Protocol

from django.utils.formats import number_format
from django.utils.translation import pgettext

from calendar_site.core.dates.conversion import parse_zone
from calendar_site.core.dates.formatting import format_date_and_time, format_day_without_weekday
from calendar_site.core.text.plain_text import join_label

# The relations in the template of a series, in the order in which histories show them.
_RELATIONS = ("categories", "tags", "venues", "organizers", "tickets")


class HasZone(Protocol):
    """An event or a revision of one."""

    @property
    def time_zone(self) -> str: ...
    @property
    def all_day(self) -> bool: ...


def format_local_time(moment: datetime, event: HasZone) -> str:
    """Return a moment in the time zone of the event, only the day if the event is all day.

    `event` is an event or a revision of one.
    """
    local = moment.astimezone(parse_zone(event.time_zone).tz)
    return format_day_without_weekday(local) if event.all_day else format_date_and_time(local)


def format_local_dates(dates: str | list[str], series: HasZone) -> str:
    """Return a line for each local time (`YYYY-MM-DD HH:MM:SS`), only the day if the series is all day."""
    format_date = format_day_without_weekday if series.all_day else format_date_and_time
    texts = [dates] if isinstance(dates, str) else dates
    return "\n".join(format_date(datetime.fromisoformat(text)) for text in texts)


def read_template(template: dict[str, Any]) -> dict[str, Any]:
    """Return the values of events in the template of a series, by field; the parts of the cost together."""
    columns = dict(template.get("columns", {}))
    values = {f"custom_values.{name}": value for name, value in sorted(columns.pop("custom_values", {}).items())}
    parts = [columns.pop(name, "") for name in ("cost_symbol", "cost_position", "cost_values")]
    columns["cost"] = (columns.get("cost", ""), *parts)
    # PostgreSQL does not keep the order of keys in JSON.
    fields = {name.removesuffix("_id"): value for name, value in sorted(columns.items())}
    relations = template.get("relations", {})
    return {**fields, **values, **{name: relations[name] for name in _RELATIONS if name in relations}}


def format_tickets(tickets: list[dict[str, Any]], event: HasZone) -> str:
    """Return a line for each recorded ticket."""
    return "\n".join(_format_ticket(ticket, event) for ticket in tickets)


def _format_ticket(ticket: dict[str, Any], event: HasZone) -> str:
    price = f"{number_format(Decimal(ticket['price']), 2)} {ticket['currency']}"
    details = [
        price,
        _format_sale_period(ticket, event),
        pgettext("ticket", "sold out") if ticket["sold_out"] else "",
        ticket["url"],
    ]
    return join_label(ticket["name"], ", ".join(filter(None, details)))


def _format_sale_period(ticket: dict[str, Any], event: HasZone) -> str:
    bounds = (ticket["available_from"], ticket["available_until"])
    if not any(bounds):
        return ""
    tz = parse_zone(event.time_zone).tz
    return " – ".join(
        format_date_and_time(datetime.fromisoformat(bound).astimezone(tz)) if bound else "…" for bound in bounds
    )
