"""Hide the events of a series in the write that makes it less visible.

A background task gives most events of a long series its new values later. What it must not leave public until then are
events that became private, scheduled, protected or hidden from listings: they get these columns at once, without a
revision. The task first gives them back their former columns, in one transaction, so that their history, their reviews
and the event counts of terms are as if the task alone had changed them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from calendar_site.core.choices import PUBLIC_STATUSES
from calendar_site.core.permissions import is_published
from events.counts import updating_term_counts
from events.models import Event, Series

HIDING_COLUMNS = ("status", "published_at", "password", "hide_from_listings")

# The former values of hidden events, by their ids.
HiddenEvents = dict[int, dict[str, Any]]


def hide_events(series: Series, former: Mapping[str, Any], ids: Iterable[int]) -> HiddenEvents:
    """Give public events the columns of the series that make them less visible, and return their former values.

    `former` are the former values of the series. An event that deviated from them keeps its own. Must run inside
    `write_lock()`. One query, and some for each set of columns.
    """
    hiding = _hiding_values(series, former)
    if not hiding:
        return {}
    rows = Event.objects.filter(pk__in=list(ids), status__in=PUBLIC_STATUSES).values("pk", *HIDING_COLUMNS)
    updates: dict[int, dict[str, Any]] = {}
    hidden: HiddenEvents = {}
    for row in rows:
        values = {name: value for name, value in hiding.items() if name == "status" or row[name] == former[name]}
        if "published_at" in hiding and "published_at" not in values:
            # An event with a publish date of its own is not scheduled with the others.
            del values["status"]
        if values:
            updates[row["pk"]] = values
            hidden[row["pk"]] = {name: _to_json(row[name]) for name in values}
    _update(updates)
    return hidden


def show_events(hidden: HiddenEvents) -> None:
    """Give hidden events back their former values, for a write that changes them next."""
    _update(hidden)


def _hiding_values(series: Series, former: Mapping[str, Any]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    if former["status"] in PUBLIC_STATUSES and not is_published(series):
        values["status"] = series.status
        if series.status in PUBLIC_STATUSES:
            values["published_at"] = series.published_at
    if series.password and series.password != former["password"]:
        values["password"] = series.password
    if series.template.get("columns", {}).get("hide_from_listings") and not former["hide_from_listings"]:
        values["hide_from_listings"] = True
    return values


def _to_json(value: Any) -> Any:
    # Not by the encoder of the column, which shortens times to milliseconds.
    return value.isoformat() if hasattr(value, "isoformat") else value


def _update(values_by_id: Mapping[int, dict[str, Any]]) -> None:
    by_values: dict[tuple[tuple[str, Any], ...], list[int]] = {}
    for pk, values in values_by_id.items():
        by_values.setdefault(tuple(sorted(values.items())), []).append(pk)
    for columns, ids in by_values.items():
        events = Event.objects.filter(pk__in=ids)
        with updating_term_counts(events):
            events.update(**dict(columns))
