"""How a list of events is found and counted: pure functions of the query and of a few figures.

Whatever the plan, a list has the same events: those of `conditions.py`. docs/lists.md explains the choices.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple, Protocol

from calendar_site.api.lists.pagination import Page
from events.choices import COMMON_VALUES
from events.listing.conditions import LINKS, Index, LinkForm, condition_of
from events.listing.query import DAY_PARAMETERS, PLACE_PARAMETERS, EventListQuery
from events.listing.tables.tallies import TERMS

# Fewer events are read and sorted in the time of a query.
MIN_READ_IN_ORDER = 500
# The links of so many venues are read without asking how many events there are.
MAX_VENUES_READ_AT_ONCE = 500
# Orders by columns that links do not have.
ORDERS_OF_EVENTS = {"title", "modified"}
# Orders that an index of events has, and that do not begin with events of the past.
INDEXED_ORDERS = {("title", "asc"), ("title", "desc"), ("modified", "desc")}
# An index finds the few events of a parent or series.
FOUND_BY_INDEX = {"post_parent", "series"}
# Parameters that the tally of days knows, or that do not change the total.
TALLIED = {
    "page", "per_page", "start_date", "end_date", *DAY_PARAMETERS, "strict_dates", "featured", "order", "orderby",
    "timezone", "geoloc_lng", "geoloc_radius",
}  # fmt: skip
# The tallies of terms do not know which events are featured.
TALLIED_OF_TERMS = TALLIED - {"featured"}


class MeasuredFigures(Protocol):
    """The figures of `figures.Figures` that plans depend on."""

    @property
    def is_sqlite(self) -> bool: ...
    @property
    def newest_id(self) -> int: ...
    @property
    def has_most_venues(self) -> bool: ...
    @property
    def venue_ids(self) -> list[int]: ...
    @property
    def has_many_events(self) -> bool: ...


class RowsPlan(NamedTuple):
    """How the rows of a list are found."""

    # The parameter whose links are read instead of events, "" for events.
    links: str = ""
    found_by: Index = Index.WINDOW
    # Whether the rows are in the order of the list, and one for each event. Totals need neither.
    is_ordered: bool = True
    # Parameters whose conditions are left out.
    without: frozenset[str] = frozenset()
    # Whether the events of the links are read, for a column that the links do not have.
    looks_up_events: bool = False


class Counting(Enum):
    """A way to count the events of a list."""

    ROWS = auto()
    # The different events of links, of which an event may have several.
    EVENTS_OF_LINKS = auto()
    # The events without a visible venue in the circle, or with coordinates.
    EVENTS_ELSEWHERE = auto()
    # Events with another value of a choice.
    OTHER_VALUES = auto()
    # All events of the days by their tally, minus those that parameters exclude.
    DAYS = auto()
    # The events of a category or tag, by its tally of days.
    DAYS_OF_TERM = auto()


class CountPlan(NamedTuple):
    """How events are counted."""

    counting: Counting
    rows: RowsPlan
    # The parameter of OTHER_VALUES.
    parameter: str = ""
    # What DAYS subtracts. Each event is excluded by one of these only.
    minus: tuple[CountPlan, ...] = ()


# --- Pages


def plan_rows(query: EventListQuery) -> RowsPlan:
    """Return how the rows of a list are found if nothing is known about their number."""
    return RowsPlan(links=_links_of_rows(query))


def plan_page(query: EventListQuery, figures: MeasuredFigures, page: Page) -> RowsPlan:
    """Return how the rows of a page are found soonest."""
    key, direction = query.order.key, query.order.direction
    usual = plan_rows(query)
    # PostgreSQL decides by itself whether to follow an index of the order.
    if (key, direction) in INDEXED_ORDERS and figures.is_sqlite and reads_less_in_order(page, figures):
        return RowsPlan(found_by=Index.ORDER)
    if _can_follow_ends(query, usual) and reads_less_in_order(page, figures):
        return RowsPlan(found_by=Index.END)
    if key == "start_date" and _repeats_events(query, usual.links) and reads_less_in_order(page, figures):
        # The links of several records would have to be merged.
        return RowsPlan()
    links = _links_to_look_up(query, figures, page)
    return RowsPlan(links=links, is_ordered=False, looks_up_events=True) if links else usual


def reads_less_in_order(page: Page, figures: MeasuredFigures) -> bool:
    """Return whether a page is found sooner by reading all events in its order than by reading the whole list.

    The list has many of all events then, so that the first events in the order contain the page.
    """
    if page.total < MIN_READ_IN_ORDER:
        return False
    return page.rows.stop * figures.newest_id < page.total * page.total


def _can_follow_ends(query: EventListQuery, usual: RowsPlan) -> bool:
    """Return whether the index of the end has the list in its order, and begins with events of the list."""
    if query.order.key != "end_date" or query.ignores_dates_and_places or usual.links:
        return False
    return not (query.order.is_descending and "starts_before" in query.values)


def _links_to_look_up(query: EventListQuery, figures: MeasuredFigures, page: Page) -> str:
    """Return the parameter whose links find the events of a page that needs more columns than links have.

    These are a column that the list is ordered by, or the distance. "" for none.
    """
    key, direction = query.order.key, query.order.direction
    is_ordered_by_event = key in ORDERS_OF_EVENTS and bool(_linked_parameter(query))
    if not (query.circle or is_ordered_by_event) or FOUND_BY_INDEX & query.values.keys():
        return ""
    has_index = (key, direction) in INDEXED_ORDERS or key == "start_date"
    if has_index and reads_less_in_order(page, figures):
        return ""
    return _links_of_total(query, figures)


def _links_of_rows(query: EventListQuery) -> str:
    """Return the parameter whose links are the rows of the list, "" for events."""
    if query.circle or query.order.key in ORDERS_OF_EVENTS or _reads_events(query):
        return ""
    return _linked_parameter(query)


def _links_of_total(query: EventListQuery, figures: MeasuredFigures) -> str:
    """Return the parameter whose links are counted instead of events, "" for events."""
    if _reads_events(query):
        return ""
    name = _linked_parameter(query)
    if name != "venue" and _has_few_venues(query, figures):
        return "geoloc_lat"
    if name or not (query.circle or query.values.get("geoloc")):
        return name
    if not figures.has_many_events:
        # Their venues are looked up.
        return ""
    return "geoloc_lat" if query.circle else "geoloc"


def _linked_parameter(query: EventListQuery) -> str:
    name = next((name for name in LINKS if name in query.values), "")
    finds_nothing = name == "ticketed" and (not query.values[name] or FOUND_BY_INDEX & query.values.keys())
    return "" if finds_nothing else name


def _reads_events(query: EventListQuery) -> bool:
    """Return whether links cannot answer a parameter, so that events are read."""
    return any(condition_of(name, query).link_form is LinkForm.READS_EVENTS for name in query.values)


def _repeats_events(query: EventListQuery, links: str) -> bool:
    """Return whether an event may have several of the links to the records of this parameter."""
    if not links or links == "ticketed":
        return False
    return links not in LINKS or len(query.values[links]) > 1


def _has_few_venues(query: EventListQuery, figures: MeasuredFigures) -> bool:
    """Return whether few venues are in the circle."""
    return bool(query.circle and not figures.has_most_venues and len(figures.venue_ids) <= MAX_VENUES_READ_AT_ONCE)


# --- Totals


def plan_total(query: EventListQuery, figures: MeasuredFigures) -> CountPlan:
    """Return how the events of a list are counted: those of long lists by tallies, others by links or one by one."""
    names = _untallied(query)
    first_rare = next((name for name in names if not _has_common_value(name, query, figures)), "")
    if not first_rare:
        minus = tuple(_excluded_by(name, frozenset(names[at:]), query, figures) for at, name in enumerate(names))
        return CountPlan(Counting.DAYS, RowsPlan(is_ordered=not names, without=frozenset(names)), minus=minus)
    if first_rare == "geoloc" and not query.values["geoloc"]:
        return _elsewhere(frozenset({"geoloc"}))
    links, usual = _links_of_total(query, figures), plan_rows(query)
    is_repeated = _repeats_events(query, links)
    if links == usual.links and not is_repeated and not query.circle:
        is_tallied = links in TERMS and query.values.keys() - {links} <= TALLIED_OF_TERMS
        return CountPlan(Counting.DAYS_OF_TERM if is_tallied else Counting.ROWS, usual)
    rows = RowsPlan(links=links, is_ordered=False)
    return CountPlan(Counting.EVENTS_OF_LINKS if is_repeated else Counting.ROWS, rows)


def _untallied(query: EventListQuery) -> list[str]:
    """Return the parameters that the tally of days does not know, those of a place last."""
    # All events within a circle have coordinates.
    superfluous = {"geoloc"} if query.circle else set()
    names = [name for name in query.values if name not in TALLIED | superfluous]
    # It takes a query to know whether most venues have a place.
    return sorted(names, key=PLACE_PARAMETERS.__contains__)


def _has_common_value(name: str, query: EventListQuery, figures: MeasuredFigures) -> bool:
    """Return whether nearly all events have a value that the parameter asks for."""
    value = query.values[name]
    if name == "ticketed":
        return value is False
    if name == "geoloc":
        return value is figures.has_most_venues
    if name == "geoloc_lat":
        return figures.has_most_venues
    return name in COMMON_VALUES and COMMON_VALUES[name] in value


def _excluded_by(name: str, without: frozenset[str], query: EventListQuery, figures: MeasuredFigures) -> CountPlan:
    """Return how the events are counted that a parameter excludes, among those that `without` does not."""
    if name in PLACE_PARAMETERS and figures.has_most_venues:
        return _elsewhere(without)
    if name in ("geoloc", "ticketed"):
        return CountPlan(Counting.EVENTS_OF_LINKS, RowsPlan(links=name, is_ordered=False, without=without))
    return CountPlan(Counting.OTHER_VALUES, RowsPlan(is_ordered=False, without=without), parameter=name)


def _elsewhere(without: frozenset[str]) -> CountPlan:
    return CountPlan(Counting.EVENTS_ELSEWHERE, RowsPlan(is_ordered=False, without=without))
