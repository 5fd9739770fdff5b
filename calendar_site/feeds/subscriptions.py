"""The parameters of the original's addresses for subscriptions, which select the events of a calendar (D50).

The original hands such URLs to calendar programs. A subscriber of one category must never get the whole calendar, so a
calendar with an unknown term or filter is empty.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from django.http import HttpRequest, QueryDict

from calendar_site.core import clock
from calendar_site.core.clock import Moments
from calendar_site.core.dates.conversion import day_start, site_zone
from calendar_site.core.dates.parser import parse_wire_date
from calendar_site.core.slugs import decode_slug
from calendar_site.core.text.plain_text import shorten
from events.protection.protected_fields import Reader
from events.querysets import EventQuerySet
from taxonomy.models import Category, Tag

logger = logging.getLogger(__name__)

# Filters of the original begin with these. Others are not about its events.
FILTER_PREFIXES = ("tribe_", "tribe-")
# How the original shows its pages, which makes no difference to a calendar.
IGNORED = {"tribe_paged", "tribe_eventcategory_display", "tribe-bar-view", "tribe_redirected"}
MAX_SEARCH_LENGTH = 500


def select_events(parameters: QueryDict, events: EventQuerySet, reader: Reader) -> EventQuerySet:
    """Filter events as the parameters of a request say; none for an unknown term, value or filter."""
    for name in parameters:
        values = [value for text in parameters.getlist(name) for value in text.split(",") if value.strip()]
        key = name.removesuffix("[]")
        if key in FILTERS:
            events = FILTERS[key](events, values, reader) if values else events
        elif key.startswith(FILTER_PREFIXES) and key not in IGNORED:
            logger.info("A calendar was requested with the unknown filter %r, and is empty.", shorten(key, 50))
            return events.none()
    return events


def is_selection(request: HttpRequest) -> bool:
    """Return whether any parameter of the request selects events."""
    names = {name.removesuffix("[]") for name in request.GET}
    return any(name in FILTERS or name.startswith(FILTER_PREFIXES) for name in names)


def is_past(request: HttpRequest) -> bool:
    """Return whether the calendar is that of past events."""
    return "past" in (request.GET.get("tribe_event_display"), request.GET.get("eventDisplay"))


def _in_categories(events: EventQuerySet, paths: list[str], reader: Reader) -> EventQuerySet:
    """Filter to the events of categories and their subcategories, by slug or `parent/child`."""
    ids = [category.pk for path in paths if (category := _find_category(path)) is not None]
    if len(ids) < len(paths):
        return events.none()
    return events.with_fields_visible_to(reader.user).linked_to("categories", Category.objects.descendant_ids(ids))


def _find_category(path: str) -> Category | None:
    *parents, slug = (decode_slug(part) for part in path.strip("/ ").split("/"))
    category = Category.objects.filter(slug=slug).select_related("parent").first()
    current = category
    for parent in reversed(parents):
        current = current.parent if current else None
        if current is None or current.slug != parent:
            return None
    return category


def _tagged(events: EventQuerySet, slugs: list[str], reader: Reader) -> EventQuerySet:
    wanted = {decode_slug(slug.strip()) for slug in slugs}
    ids = list(Tag.objects.filter(slug__in=wanted).values_list("pk", flat=True))
    if len(ids) < len(wanted):
        return events.none()
    return events.with_fields_visible_to(reader.user).linked_to("tags", ids)


def _from_day(events: EventQuerySet, days: list[str], reader: Reader) -> EventQuerySet:
    try:
        return events.ending_after(day_start(parse_wire_date(days[-1], site_zone())))
    except ValueError:
        return events.none()


def _matching(events: EventQuerySet, words: list[str], reader: Reader) -> EventQuerySet:
    return events.matching_for(" ".join(words)[:MAX_SEARCH_LENGTH], reader.user)


def _displayed(events: EventQuerySet, views: list[str], reader: Reader) -> EventQuerySet:
    """Filter to events that are over, for the display `past`. The others differ in their pages only."""
    return events.ending_by(clock.now_among(Moments.EVENT_END)) if "past" in views else events


Select = Callable[[EventQuerySet, list[str], Reader], EventQuerySet]
FILTERS: dict[str, Select] = {
    "tribe_events_cat": _in_categories,
    "post_tag": _tagged,
    "tribe-bar-date": _from_day,
    "tribe-bar-search": _matching,
    "tribe_event_display": _displayed,
    "eventDisplay": _displayed,
}
