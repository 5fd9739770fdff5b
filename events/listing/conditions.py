"""The condition of each parameter of the list of events, on events and on links that stand for them.

A parameter that is not in the table is answered on the event by its own filter: it may be slow, but is never wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum, auto
from typing import Any, NamedTuple

from django.db.models import F, OuterRef, Q

from calendar_site.core.compiled_queries.querysets import exists, fetch_columns
from calendar_site.core.search.index import IsAmong, IsOneOf
from calendar_site.core.types import AnyUser
from events.choices import COMMON_VALUES
from events.costs import FREE
from events.index_models import IndexedCategory, IndexedOrganizer, IndexedTag, IndexedTicketed, IndexedVenue
from events.listing import places
from events.listing.figures import Figures
from events.listing.query import EventListQuery
from events.models import Event, Ticket
from venues.models import Venue

# The links to the records of a parameter. Venues come first, because they usually have the fewest events.
LINKS: dict[str, Any] = {
    "venue": IndexedVenue,
    "organizer": IndexedOrganizer,
    "tags": IndexedTag,
    "categories": IndexedCategory,
    "ticketed": IndexedTicketed,
}
# With this many events that have a feature or are at a venue with it, they are checked one by one.
MIN_CHECKED_ACCESSIBLE = 2000
# With this many modified events, it is faster to read the index of a window, which contains the last change.
MIN_CHECKED_MODIFIED = 500


def linked_ids(name: str, value: Any) -> list[int]:
    """Return the ids of the records whose links a parameter of `LINKS` asks for."""
    return [IndexedTicketed.TICKETED] if name == "ticketed" else value


class Index(Enum):
    """The index by which events are found."""

    # By the local start, in which most lists are ordered. It has every column that most lists filter by.
    WINDOW = auto()
    # That of the order of the list, such as the title.
    ORDER = auto()
    END = auto()


class ListContext(NamedTuple):
    """The query, figures and index that conditions may depend on."""

    query: EventListQuery
    figures: Figures
    found_by: Index


class LinkForm(Enum):
    """How a condition is answered by links."""

    # Links have the columns.
    SAME = auto()
    # Each link looks up its event.
    LOOKS_UP_EVENT = auto()
    # An index finds the few events, or their texts must be read anyway: the list reads events instead of links.
    READS_EVENTS = auto()


Apply = Callable[[Any, Any, ListContext], Any]


class Condition(NamedTuple):
    """Returns the rows that have a value. `apply` works for events and, with `LinkForm.SAME`, for links as well."""

    apply: Apply
    link_form: LinkForm


def condition_of(name: str, query: EventListQuery) -> Condition:
    """Return the condition of a parameter of the query."""
    known = CONDITIONS.get(name)
    if known:
        return known
    apply_filter = query.filters[name]
    return Condition(lambda rows, value, _context: apply_filter(rows, value), LinkForm.READS_EVENTS)


def apply_condition(condition: Condition, rows: Any, value: Any, context: ListContext) -> Any:
    """Return the rows with the value. `rows` are events or links."""
    if rows.model is Event or condition.link_form is LinkForm.SAME:
        return condition.apply(rows, value, context)
    events = condition.apply(rows.events, value, context)
    return rows.filter(exists(events.filter(pk=OuterRef("event_id"))))


# --- Conditions


def _ignore(rows: Any, _value: Any, _context: ListContext) -> Any:
    """Return all rows: the parameter says how the list is shown, or belongs to another parameter."""
    return rows


def _with_status(rows: Any, statuses: list[str], context: ListContext) -> Any:
    return rows.with_statuses(statuses, context.query.user)


def _with_column(column: str) -> Apply:
    return lambda rows, value, _context: rows.filter(**{column: value})


def _with_choice(column: str) -> Apply:
    return lambda rows, choices, _context: with_value_among(rows, column, choices)


def with_value_among(rows: Any, column: str, values: Iterable[str]) -> Any:
    """Filter to events with one of these values in a column of `COMMON_VALUES`."""
    common = COMMON_VALUES[column]
    # The condition of the index, which has the events with other values.
    conditions = [] if common in values else [~Q(**{column: common})]
    return rows.filter(*conditions, **{f"{column}__in": values})


def _linked(name: str) -> Apply:
    model = LINKS[name]

    def apply(rows: Any, ids: list[int], _context: ListContext) -> Any:
        # EXISTS, so that a second link adds no duplicate row.
        links = rows.all_of(model).filter(linked_id__in=list(ids))
        return rows.filter(exists(links.filter(event_id=OuterRef(rows.id_column))))

    return apply


def linked_to(rows: Any, name: str, ids: list[int], context: ListContext) -> Any:
    """Filter to events that are linked to any of these records by a parameter of `LINKS`."""
    return CONDITIONS[name].apply(rows, ids, context)


def _ticketed(rows: Any, has_tickets: bool, _context: ListContext) -> Any:
    tickets = exists(rows.all_of(Ticket).filter(event=OuterRef(rows.id_column)))
    return rows.filter(tickets if has_tickets else ~tickets)


def _free(rows: Any, is_free: bool, _context: ListContext) -> Any:
    tickets = rows.all_of(Ticket).filter(event=OuterRef("pk"))
    has_free_tickets_only = Q(exists(tickets)) & ~Q(exists(tickets.filter(price__gt=0)))
    # Costs such as 0 and $0 are stored as this word.
    free = Q(cost__iexact=FREE) | (Q(cost="") & has_free_tickets_only)
    return rows.filter(free if is_free else ~free)


def _matching(rows: Any, text: str, context: ListContext) -> Any:
    return rows.matching_for(text, context.query.user)


def _accessible(rows: Any, features: list[str], context: ListContext) -> Any:
    return with_accessibility(rows, features, context.query.user)


def with_accessibility(rows: Any, features: Iterable[str], user: AnyUser) -> Any:
    """Filter to events that have each of these features themselves, or at a venue that the user may see.

    Three queries for each feature: a few events are found by their ids.
    """
    for feature in features:
        venues = rows.all_of(Venue).visible_to(user).filter(accessibility__contains=feature).order_by()
        venue_ids = [pk for (pk,) in fetch_columns(venues, ("pk",))]
        links = rows.all_of(IndexedVenue)
        # The first condition as in that of the index.
        own = rows.all_of(Event).filter(~Q(accessibility=""), accessibility__contains=feature).order_by()
        ids = [
            pk
            for found, column in ((own, "pk"), (links.to_any_of_many(venue_ids).order_by(), "event_id"))
            for (pk,) in fetch_columns(found, (column,), slice(0, MIN_CHECKED_ACCESSIBLE))
        ]
        if len(ids) < MIN_CHECKED_ACCESSIBLE:
            rows = rows.filter(IsOneOf(F("pk"), ids))
            continue
        at_venue = exists(links.filter(IsAmong(F("linked_id"), venue_ids), event_id=OuterRef("pk")))
        rows = rows.filter(Q(pk__in=own.values("pk")) | Q(at_venue))
    return rows


def _modified(lookup: str) -> Apply:
    def apply(rows: Any, moment: Any, _context: ListContext) -> Any:
        condition = Q(**{lookup: moment})
        # A few events are found by their ids, and not by their starts.
        modified = rows.all_of(Event).filter(condition).order_by()
        ids = [pk for (pk,) in fetch_columns(modified, ("pk",), slice(0, MIN_CHECKED_MODIFIED))]
        found = rows.filter(condition)
        return found if len(ids) == MIN_CHECKED_MODIFIED else found.filter(IsOneOf(F("pk"), ids))

    return apply


def _located(rows: Any, has_coordinates: bool, context: ListContext) -> Any:
    return places.with_coordinates(rows, context.query.user, has_coordinates)


def _in_circle(rows: Any, _latitude: float, context: ListContext) -> Any:
    figures = context.figures
    if figures.has_most_venues:
        return places.at_other_venues(rows, figures.other_venue_ids)
    return places.at_many_venues(rows, figures.venue_ids)


def _on_days(name: str, lookup: str, in_window: Callable[[Any, Any, ListContext], Any]) -> Apply:
    """Return the condition of a parameter about days.

    `in_window` also filters by the local start, by which the window is found; another index would only read more.
    """

    def apply(rows: Any, _value: Any, context: ListContext) -> Any:
        moment = context.query.days[name]
        is_found_by_start = context.found_by is Index.WINDOW
        return in_window(rows, moment, context) if is_found_by_start else rows.filter(**{lookup: moment})

    return apply


def within_window(rows: Any, context: ListContext) -> Any:
    """Filter to events from the first start to the last end of the query."""
    first, last = context.query.first_start, context.query.last_end
    is_found_by_start = context.found_by is Index.WINDOW
    if first is not None:
        rows = rows.starting_from(first) if is_found_by_start else rows.filter(start__gte=first)
    if last is not None:
        rows = rows.ending_by(last) if is_found_by_start else rows.filter(end__lte=last)
    return rows


def _same(apply: Apply) -> Condition:
    return Condition(apply, LinkForm.SAME)


def _looked_up(apply: Apply) -> Condition:
    return Condition(apply, LinkForm.LOOKS_UP_EVENT)


def _events_only(apply: Apply) -> Condition:
    return Condition(apply, LinkForm.READS_EVENTS)


IGNORED = _same(_ignore)

CONDITIONS: dict[str, Condition] = {
    **dict.fromkeys(("page", "per_page", "order", "orderby", "timezone", "strict_dates"), IGNORED),
    # The window has both, and their defaults.
    **dict.fromkeys(("start_date", "end_date"), IGNORED),
    # The center is in `geoloc_lat`.
    **dict.fromkeys(("geoloc_lng", "geoloc_radius"), IGNORED),
    "status": _same(_with_status),
    "starts_before": _same(
        _on_days("starts_before", "start__lt", lambda rows, moment, _context: rows.starting_before(moment))
    ),
    "starts_after": _same(
        _on_days("starts_after", "start__gt", lambda rows, moment, _context: rows.starting_after(moment))
    ),
    "ends_before": _same(_on_days("ends_before", "end__lt", lambda rows, moment, _context: rows.ending_before(moment))),
    "ends_after": _same(
        _on_days(
            "ends_after",
            "end__gt",
            lambda rows, moment, context: rows.ending_after(moment, context.figures.long_starts),
        )
    ),
    **{name: _same(_linked(name)) for name in ("venue", "organizer", "tags", "categories")},
    "ticketed": _same(_ticketed),
    "geoloc": _same(_located),
    "geoloc_lat": _same(_in_circle),
    "free": _looked_up(_free),
    "featured": _looked_up(_with_column("featured")),
    "post_parent": _looked_up(_with_column("parent")),
    "series": _looked_up(_with_column("series")),
    "event_status": _looked_up(_with_choice("event_status")),
    "attendance_mode": _looked_up(_with_choice("attendance_mode")),
    "search": _events_only(_matching),
    "accessibility": _events_only(_accessible),
    "modified_after": _events_only(_modified("modified_at__gt")),
    "modified_before": _events_only(_modified("modified_at__lt")),
}
