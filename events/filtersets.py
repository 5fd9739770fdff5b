"""The parameters of the list of events."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from calendar_site.api.filters import (
    BooleanFilter,
    ContentFilterSet,
    DateFilter,
    DayFilter,
    IdsFilter,
    NumberFilter,
    PositiveFilter,
    SwitchFilter,
    TermsFilter,
)
from calendar_site.content.dates import day_end, day_start, parse_wire_date, site_zone, wire
from calendar_site.content.geography import Circle
from events.models import Event
from events.querysets import EventQuerySet
from organizers.models import Organizer
from taxonomy.models import Category, Tag
from venues.models import Venue

MONTHS_AHEAD = "+24 months"
DEFAULT_RADIUS = 25
# Half the way around the earth, in kilometres.
LARGEST_RADIUS = 20_038
# Parameters about fields that an event with a password shows to few (events/access.py).
PROTECTED = {"categories", "tags", "venue", "organizer", "featured", "ticketed", "geoloc", "geoloc_lat"}


class EventFilterSet(ContentFilterSet):
    """Dates are in the site's zone; `search` looks into title, description and excerpt."""

    start_date = DateFilter(
        describe=gettext_lazy("Events that start on this day or later. One that began before and goes on is left out."),
        default=lambda: wire(first_moment()),
    )
    end_date = DateFilter(
        describe=gettext_lazy("Events that end on this day or sooner."), default=lambda: wire(last_moment())
    )
    starts_before = DayFilter(describe=gettext_lazy("Events that start on this day or sooner."))
    starts_after = DayFilter(describe=gettext_lazy("Events that start after this day."))
    ends_before = DayFilter(describe=gettext_lazy("Events that end on this day or sooner."))
    ends_after = DayFilter(describe=gettext_lazy("Events that end after this day."))
    strict_dates = SwitchFilter(
        describe=gettext_lazy("Whether dates mean their exact times instead of whole days."),
        default=False,
        schema={"type": "boolean"},
    )
    categories = TermsFilter(
        describe=gettext_lazy("Events in any of these categories or of those below them, by id or slug.")
    )
    tags = TermsFilter(describe=gettext_lazy("Events with any of these tags, by id or slug."))
    venue = IdsFilter(describe=gettext_lazy("Events at any of these venues, by id."))
    organizer = IdsFilter(describe=gettext_lazy("Events of any of these organizers, by id."))
    featured = BooleanFilter(describe=gettext_lazy("True: only featured events. False: only the others."))
    include = IdsFilter(describe=gettext_lazy("Only the events with these ids, whatever their dates."))
    post_parent = PositiveFilter(describe=gettext_lazy("Only events that are part of this event, by its id."))
    ticketed = BooleanFilter(describe=gettext_lazy("True: only events with tickets. False: only those without."))

    geoloc = BooleanFilter(
        describe=gettext_lazy("True: only events at a venue with coordinates. False: only events at no such venue.")
    )
    geoloc_lat = NumberFilter(
        describe=gettext_lazy("The latitude of the place to look around, in degrees; needs geoloc_lng."),
        schema={"minimum": -90, "maximum": 90},
    )
    geoloc_lng = NumberFilter(
        describe=gettext_lazy("The longitude of the place to look around, in degrees; needs geoloc_lat."),
        schema={"minimum": -180, "maximum": 180},
    )
    geoloc_radius = NumberFilter(
        describe=gettext_lazy("How far around the place to look, in kilometres."),
        default=DEFAULT_RADIUS,
        schema={"minimum": 0, "maximum": LARGEST_RADIUS},
    )

    def faults(self) -> dict[str, Any]:
        faults = super().faults()
        for name, model in (("categories", Category), ("tags", Tag)):
            if name in self.given and (unknown := self._unknown_terms(name, model)):
                faults[name] = _("Unknown: %(names)s.") % {"names": ", ".join(map(str, unknown))}
        for name, model in (("venue", Venue), ("organizer", Organizer), ("post_parent", Event)):
            if name in self.given and (unknown := self._unknown_records(name, model)):
                faults[name] = _("Unknown: %(names)s.") % {"names": ", ".join(map(str, unknown))}
        return faults | self._faults_of_place()

    def _faults_of_place(self) -> dict[str, Any]:
        given = self.given
        for name, other in (("geoloc_lat", "geoloc_lng"), ("geoloc_lng", "geoloc_lat")):
            if name in given and other not in self.data:
                return {name: _("This needs %(name)s as well.") % {"name": other}}
        if "geoloc_lat" in given and given.get("geoloc") is False:
            return {"geoloc": _("Where a place is given, this can only be true.")}
        return {}

    def _unknown_terms(self, name: str, model: Any) -> list[Any]:
        """Terms asked for that there are not. Keeps the ids of the others, for the filter."""
        found: set[int] = set()
        asked = self.given[name]
        numbers = [int(item) for item in asked if str(item).isdecimal() and len(str(item)) < 19]
        slugs = [str(item) for item in asked]
        known = list(model.objects.filter(pk__in=numbers).values_list("pk", "slug"))
        known += model.objects.filter(slug__in=slugs).values_list("pk", "slug")
        names = {str(pk) for pk, _slug in known} | {slug for _pk, slug in known}
        found.update(pk for pk, _slug in known)
        self.term_ids = {**getattr(self, "term_ids", {}), name: found}
        return [item for item in asked if str(item) not in names]

    def _unknown_records(self, name: str, model: Any) -> list[int]:
        asked = self.given[name]
        asked = asked if isinstance(asked, list) else [asked]
        known = set(model.objects.visible_to(self.user).filter(pk__in=asked).values_list("pk", flat=True))
        return [pk for pk in asked if pk not in known]

    def filter_queryset(self, queryset: EventQuerySet) -> EventQuerySet:
        given = self.given
        events = self.seen(queryset).listed()
        if PROTECTED & given.keys():
            events = events.showing_fields_to(self.user)
        if "search" in given:
            events = events.having_words_for(given["search"], self.user)
        if "categories" in given:
            events = events.in_categories(Category.objects.with_descendants(list(self.term_ids["categories"])))
        if "tags" in given:
            events = events.tagged(list(self.term_ids["tags"]))
        if "venue" in given:
            events = events.at_venues(given["venue"])
        if "organizer" in given:
            events = events.by_organizers(given["organizer"])
        if "featured" in given:
            events = events.filter(featured=given["featured"])
        if "post_parent" in given:
            events = events.filter(parent=given["post_parent"])
        if "ticketed" in given:
            events = events.ticketed(given["ticketed"])
        if "include" in given:
            return events.filter(pk__in=given["include"]).by_publication()
        return self._in_place(self._in_time(events).by_wall_clock())

    def _in_place(self, events: EventQuerySet) -> EventQuerySet:
        given = self.given
        if "geoloc_lat" in given:
            radius = given.get("geoloc_radius", DEFAULT_RADIUS)
            circle = Circle(given["geoloc_lat"], given["geoloc_lng"], radius)
            return events.near(circle, self.user).order_by("start_local", "distance", "pk")
        if "geoloc" in given:
            return events.at_places(self.user, given["geoloc"])
        return events

    # --- Dates

    @property
    def is_strict(self) -> bool:
        return self.given.get("strict_dates", False)

    def window(self) -> tuple[datetime | None, datetime | None]:
        """First start and last end of the list.

        Unsaid, the window goes from yesterday to 24 months ahead, but any of the four other date parameters
        switches that off (wire.md, "Listing").
        """
        given = self.given
        if not {"start_date", "end_date"} & given.keys() and RELATIVE.keys() & given.keys():
            return None, None
        first, last = given.get("start_date"), given.get("end_date")
        if first is None:
            first = first_moment()
            if self.is_strict:
                first = day_end(first).replace(second=0)
        elif not self.is_strict:
            first = day_start(first)
        if last is None:
            last = parse_wire_date(MONTHS_AHEAD, site_zone())
        return first, last if self.is_strict else day_end(last)

    def _in_time(self, events: EventQuerySet) -> EventQuerySet:
        first, last = self.window()
        if first is not None and last is not None:
            events = events.starting_from(first).ending_by(last)
        for name, narrow in RELATIVE.items():
            if name in self.given:
                moment = self.given[name]
                events = narrow(events, moment if self.is_strict else day_end(moment))
        return events

    def in_force(self) -> dict[str, str]:
        force = super().in_force()
        first, last = (None, None) if "include" in self.given else self.window()
        if first is not None and last is not None:
            force |= {"start_date": wire(first), "end_date": wire(last)}
        return force


def first_moment() -> datetime:
    """Where lists begin that no date is asked of: with yesterday."""
    today = timezone.now().astimezone(site_zone().tz).replace(microsecond=0)
    return day_start(day_start(today) - timedelta(hours=12))


def last_moment() -> datetime:
    """Where such lists end."""
    return day_end(parse_wire_date(MONTHS_AHEAD, site_zone()))


RELATIVE = {
    "starts_before": EventQuerySet.starting_before,
    "starts_after": EventQuerySet.starting_after,
    "ends_before": EventQuerySet.ending_before,
    "ends_after": EventQuerySet.ending_after,
}
