"""The requests of the benchmark, and the targets of the project."""

from __future__ import annotations

import base64
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from load import get_request

BASE = "/cal/events/v1"
NEAR = "?geoloc_lat=52.5&geoloc_lng=13.4&geoloc_radius=30"
FLOOR = "/floor"


class Case(NamedTuple):
    """A request that is measured."""

    name: str
    path: str
    is_signed_in: bool = False
    # The least rate relative to the floor, with an empty cache; None for no target.
    target: float | None = None
    # Whether the floor implements the parameters.
    has_floor: bool = True

    def headers(self, parameters: dict[str, Any]) -> dict[str, str]:
        return authorization(parameters) if self.is_signed_in else {}

    def request(self, port: int, parameters: dict[str, Any], prefix: str = "") -> bytes:
        """Return the bytes of the request to the service, or with FLOOR as prefix to the floor."""
        return get_request(port, prefix + self.path, self.headers(parameters))


def authorization(parameters: dict[str, Any]) -> dict[str, str]:
    credentials = base64.b64encode(f"benchmark:{parameters['secret']}".encode()).decode()
    return {"Authorization": f"Basic {credentials}"}


def cases(parameters: dict[str, Any]) -> list[Case]:
    """Return the cases that are compared with the floor."""
    events, words = f"{BASE}/events", parameters["words"]
    month = window(10, 40)
    running = f"?ends_after={day(0)}&starts_before={day(30)}"
    return [
        Case("events, default page", events, target=0.9),
        Case("events, 50 on a page", f"{events}?per_page=50", target=0.9),
        Case("events, page 20", f"{events}?page=20", target=0.9),
        Case("events, page 500", f"{events}?page=500", target=0.9),
        Case("events, a month", f"{events}{month}", target=0.7),
        Case("events, one category", f"{events}?categories={parameters['category']}", target=0.7),
        Case("events, one tag", f"{events}?tags={parameters['tag']}", target=0.7),
        Case("events, one venue", f"{events}?venue={parameters['venue']}", target=0.7),
        Case("events, running", f"{events}{running}", target=0.7),
        Case("events, near a point", f"{events}{NEAR}"),
        Case("events, search of a common word", f"{events}?search={words['common']}", target=0.7),
        Case("events, search of an occasional word", f"{events}?search={words['occasional']}", target=0.7),
        Case("events, search of a rare word", f"{events}?search={words['rare']}", target=0.7),
        Case("events, search without results", f"{events}?search={words['none']}", target=0.7),
        Case("events, default page, signed in", events, True, 0.7),
        Case("events, 50 on a page, signed in", f"{events}?per_page=50", True, 0.7),
        Case("events, one category, signed in", f"{events}?categories={parameters['category']}", True, 0.7),
        Case("events, search, signed in", f"{events}?search={words['common']}", True, 0.7),
        Case("one event by id", f"{events}/{parameters['event']}", target=0.6),
        Case("one event by slug", f"{events}/by-slug/{parameters['slug']}", target=0.6),
        Case("venues", f"{BASE}/venues", target=0.6),
        Case("venues with upcoming events", f"{BASE}/venues?only_with_upcoming=true", target=0.6),
        Case("organizers", f"{BASE}/organizers", target=0.6),
        Case("categories", f"{BASE}/categories", target=0.6),
        Case("tags", f"{BASE}/tags", target=0.6),
    ]


def growth_cases(parameters: dict[str, Any]) -> list[Case]:
    """Return the cases whose CPU time is compared between numbers of events."""
    events = f"{BASE}/events"
    combined = f"{window(10, 40)}&categories={parameters['category']}&venue={parameters['venue']}"
    earth = "?geoloc_lat=48&geoloc_lng=10&geoloc_radius=10000"
    return [
        *cases(parameters),
        Case("events, a month, one category and one venue", f"{events}{combined}"),
        Case("events, around half the world", f"{events}{earth}"),
        Case("events, with coordinates", f"{events}?geoloc=true", has_floor=False),
        Case("events, with tickets", f"{events}?ticketed=true", has_floor=False),
        Case("events, by end", f"{events}?orderby=end_date", has_floor=False),
        Case("events, nearest first", f"{events}{NEAR}&orderby=distance", has_floor=False),
        Case("events, one venue by title", f"{events}?venue={parameters['venue']}&orderby=title", has_floor=False),
        Case("events, two categories", f"{events}?categories={','.join(parameters['categories'])}", has_floor=False),
        Case(
            "events, category and tag",
            f"{events}?categories={parameters['category']}&tags={parameters['tag']}",
            has_floor=False,
        ),
        Case("events, scheduled ones", f"{events}?event_status=scheduled", has_floor=False),
        Case("events, cancelled ones", f"{events}?event_status=cancelled", has_floor=False),
        Case("events, in person", f"{events}?attendance_mode=in_person", has_floor=False),
        Case("events, with an accessibility feature", f"{events}?accessibility=quiet_hour", has_floor=False),
    ]


def window(first: int, last: int) -> str:
    return f"?start_date={day(first)}&end_date={day(last)}"


def day(number: int) -> str:
    """Return the day that is this many days ahead. Not days of a month, whose events depend on the day of the run."""
    return f"{datetime.now(UTC).date() + timedelta(days=number)}"
