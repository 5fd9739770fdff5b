"""The list of events."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast
from urllib.parse import urlencode

from django.core.paginator import EmptyPage, Page
from django.db.models import Case, F, IntegerField, Q, When
from django.http import HttpRequest
from django.utils.functional import cached_property

from calendar_site.back_office.lists.changelist import BoundedChangeList, BoundedPaginator, LongPage
from calendar_site.core import clock
from calendar_site.core.search.query import SearchQuery
from calendar_site.core.types import AnyUser
from events.admin.flag_switches import can_set_flags
from events.admin.prefetches import prefetch_category_names
from events.admin.time_filters import PeriodLink, StartFilter
from events.models import Event
from events.querysets import EventQuerySet
from organizers.models import Organizer
from venues.models import Venue

# Venues or organizers whose names match a search; a search that matches more is not about one of them.
MAX_MATCHING_NAMES = 50


def coming_first() -> tuple[Any, ...]:
    """Return the order: coming and ongoing events from the next one on, then past ones from the last one on."""
    is_coming = Q(end__gt=clock.now())
    return (
        Case(When(is_coming, then=0), default=1, output_field=IntegerField()).asc(),
        Case(When(is_coming, then=F("start_local"))).asc(),
        Case(When(is_coming, then=F("pk"))).asc(),
        "-start_local",
        "-pk",
    )


class ComingFirstPaginator(BoundedPaginator):
    """A paginator in the order of `coming_first()`, which no index has: long lists are read in two parts."""

    def page(self, number: Any) -> Page:
        if not self.is_long:
            return super().page(number)
        number = self.validate_number(number)
        first, rows = (number - 1) * self.per_page, cast("EventQuerySet", self.object_list)
        last, now = first + self.per_page + 1, clock.now()
        coming = rows.ending_after(now).order_by("start_local", "pk")
        found = list(coming[first:last])
        if len(found) < last - first:
            skipped = first + len(found) if found else coming.order_by().count()
            past = rows.ending_by(now).order_by("-start_local", "-pk")
            found += past[max(first - skipped, 0) : last - skipped]
        if not found:
            raise EmptyPage
        self.next_number = number + 1 if len(found) > self.per_page else None
        return LongPage(found[: self.per_page], number, self)


def find_events(events: EventQuerySet, text: str, user: AnyUser) -> EventQuerySet:
    """Filter to events that match the search, or whose venue or organizer has all of its words in the name.

    Two queries more than `matching_for()`. Events with a password are only found by their title.
    """
    found = events.matching_for(text, user)
    query = SearchQuery.parse(text)
    if not query.required or query.excluded or query.is_too_long:
        return found
    venues, organizers = (_ids_by_name(model, text, query.required, user) for model in (Venue, Organizer))
    if not venues and not organizers:
        return found
    every = events.order_by().with_fields_visible_to(user)
    parts = [found.order_by(), *([every.linked_to("venues", venues)] if venues else [])]
    parts += [every.linked_to("organizers", organizers)] if organizers else []
    condition = Q()
    for part in parts:
        condition |= Q(pk__in=part.values("pk"))
    return events.filter(condition)


def _ids_by_name(model: Any, text: str, words: Iterable[str], user: AnyUser) -> list[int]:
    """Return the ids of records with all words in their names; none if these are too many."""
    rows = model.objects.visible_to(user).matching(text)
    for word in words:
        rows = rows.filter(rows.in_title_q(word))
    ids = list(rows.order_by("pk").values_list("pk", flat=True)[: MAX_MATCHING_NAMES + 1])
    return ids if len(ids) <= MAX_MATCHING_NAMES else []


class EventChangeList(BoundedChangeList):
    """A list with links to years, months and days above it, and with switches in the rows that the user may change.

    Reads rows and periods when the page shows them: actions need neither.
    """

    queryset: Any
    filter_specs: list[Any]

    def get_results(self, request: HttpRequest) -> None:
        self.queryset = self.queryset.prefetch_related(prefetch_category_names())
        super().get_results(request)
        self.start_filter = next((spec for spec in self.filter_specs if isinstance(spec, StartFilter)), None)
        self.filter_specs = [spec for spec in self.filter_specs if spec is not self.start_filter]

    @cached_property
    def enclosing_periods(self) -> Sequence[PeriodLink]:
        return self.start_filter.enclosing_periods(self) if self.start_filter else ()

    @cached_property
    def contained_periods(self) -> Sequence[PeriodLink]:
        return self.start_filter.contained_periods(self) if self.start_filter else ()

    def prepare_rows(self, rows: Any, request: HttpRequest) -> list[Event]:
        rows = super().prepare_rows(rows, request)
        query = self.get_query_string()
        list_query = f"?{urlencode({'_changelist_filters': query[1:]})}" if len(query) > 1 else ""
        for event in rows:
            event.can_set_flags = can_set_flags(request.user, event)
            event.list_query = list_query
        return rows
