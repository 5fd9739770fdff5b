"""The parameters by which visitors filter calendars: some of those of the API's list, with the same meaning."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, NamedTuple, cast

from django.core.exceptions import BadRequest
from django.http import HttpRequest

from calendar_site.core.compiled_queries.querysets import CompiledQuerySet
from calendar_site.core.types import AnyUser
from events.filtersets import EventFilterSet
from events.listing.event_list import EventList
from events.models import Event
from events.scheduled_querysets import MAX_UTC_OFFSET

PARAMETERS = (
    "search",
    "categories",
    "tags",
    "venue",
    "organizer",
    "series",
    "featured",
    "free",
    "ticketed",
    "attendance_mode",
    "accessibility",
    "near",
)


# The list takes coordinates in several parameters; visitors have one, such as `near=44.65,-63.57`.
_COORDINATES = re.compile(r"(-?[0-9]{1,2}(?:\.[0-9]{1,9})?),(-?[0-9]{1,3}(?:\.[0-9]{1,9})?)")


class InvalidFilter(BadRequest):
    """A parameter has a value that the list does not accept. The argument has the messages by parameter."""


def sent_filters(request: HttpRequest) -> dict[str, str]:
    """Return the filters in a request. Several values of one are separated by commas, as in the API."""
    found = {name: [value for value in request.GET.getlist(name) if value.strip()] for name in PARAMETERS}
    # Calendar files have a parameter of the same name, which says how they show series.
    found["series"] = [value for value in found["series"] if value.isdecimal()]
    return {name: ",".join(values) for name, values in found.items() if values}


class _FilterRequest(NamedTuple):
    """The part of a request that filters read."""

    user: AnyUser


def find_events(user: AnyUser, parameters: Mapping[str, str]) -> EventList:
    """Return the events with these parameters of the API's list that the user may see. Raises InvalidFilter."""
    # PostgreSQL raises an error for it. The API refuses it before it reads parameters.
    if with_null := [name for name, value in parameters.items() if "\0" in value]:
        raise InvalidFilter({name: ["NUL"] for name in with_null})
    events = EventFilterSet(
        _list_parameters(parameters), cast("Any", CompiledQuerySet(Event)), request=cast("Any", _FilterRequest(user))
    )
    if not events.is_valid():
        raise InvalidFilter(events.errors)
    return EventList(events.list_query)


def parse_place(text: str) -> tuple[str, str]:
    """Return the latitude and longitude of the parameter `near`, in degrees. Raises InvalidFilter."""
    if not (match := _COORDINATES.fullmatch(text)):
        raise InvalidFilter({"near": ["Must be a latitude and a longitude."]})
    return match[1], match[2]


def _list_parameters(parameters: Mapping[str, str]) -> dict[str, str]:
    """Return the parameters of the API's list for those of visitors."""
    others = {name: value for name, value in parameters.items() if name != "near"}
    if "near" not in parameters:
        return others
    latitude, longitude = parse_place(parameters["near"])
    return {**others, "geoloc_lat": latitude, "geoloc_lng": longitude}


def after(moment: datetime) -> dict[str, str]:
    """Return the parameters for events that end after a moment, by their local start."""
    return {"strict_dates": "true", "ends_after": _to_parameter(moment)}


def starting_before(moment: datetime) -> dict[str, str]:
    """Return the parameter for events that start before a moment, for exact dates."""
    return {"starts_before": _to_parameter(moment)}


def ended_by(moment: datetime) -> dict[str, str]:
    """Return the parameters for events that are over at a moment, the last one first."""
    by = _to_parameter(moment)
    # `ends_before` would leave out an event that ends at this moment. `starts_before` excludes no event that has ended,
    # but the list would otherwise begin yesterday.
    return {"strict_dates": "true", "end_date": by, "starts_before": by, "orderby": "start_date", "order": "desc"}


def _to_parameter(moment: datetime) -> str:
    """Return a moment in the whole seconds of parameters."""
    return moment.astimezone(UTC).replace(microsecond=0).isoformat()


def around(first: date, last: date) -> dict[str, str]:
    """Return the parameters for all events on these days in any time zone, and for some on the days around them."""
    begins, ends = (
        datetime.combine(first, time(), UTC) - MAX_UTC_OFFSET,
        datetime.combine(last + timedelta(days=1), time(), UTC) + MAX_UTC_OFFSET,
    )
    return {"strict_dates": "true", "ends_after": _to_parameter(begins), "starts_before": _to_parameter(ends)}
