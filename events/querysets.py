"""Querysets of events: the conditions of the domain, to be chained.

How the lists of the API are found, by which index or table, is in `events.listing`.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache
from typing import Any, Self

from django.db import connection
from django.db.models import Case, Exists, OuterRef, Q, When

from calendar_site.content.querysets import ContentQuerySet
from calendar_site.core import clock
from calendar_site.core.choices import Status
from calendar_site.core.clock import Moments
from calendar_site.core.compiled_queries.querysets import Column, CompiledQuerySet, exists, fetch_columns
from calendar_site.core.database.driver import run_as_health_check
from calendar_site.core.permissions import EVERY_ROW, editable_q, visible_q
from calendar_site.core.search.index import restrict
from calendar_site.core.search.query import SearchQuery
from calendar_site.core.types import AnyUser
from events.scheduled_querysets import ScheduledQuerySet


def found_by_terms_q(prefix: str = "") -> Q:
    """Return the condition of `found_by_terms()`. `prefix` is the path to the events, such as `event__`."""
    return Q(**{f"{prefix}password": "", f"{prefix}hide_from_listings": False})


class EventQuerySet(ScheduledQuerySet):
    # --- Visibility

    @property
    def protected_q(self) -> Q:
        return ~Q(password="")

    def fields_visible_q(self, user: AnyUser) -> Q:
        if self.sees_every_field(user):
            # The condition below would be left out of the SQL, which could not be compiled once then.
            return EVERY_ROW
        # By excluding the few events with a password, which have an index, so that counting reads no other events.
        return ~Q(pk__in=self.events.with_fields_hidden_from(user).order_by().values("pk"))

    def with_field_visibility(self, user: AnyUser) -> Self:
        """Annotate `has_visible_fields`; see `with_fields_visible_to`."""
        return self.annotate(has_visible_fields=Case(When(self.fields_visible_q(user), then=True), default=False))

    def matching_for(self, text: str, user: AnyUser) -> Self:
        """Filter to events as other rows, by the fields that the user sees, which may be the title alone."""
        if self.sees_every_field(user):
            return self.matching(text)
        # Not `fields_visible_q()`: events are read for their search text anyway.
        is_visible = ~self.fields_hidden_q(user)

        def contains(term: str) -> Q:
            return Q(is_visible | self.in_title_q(term), search_text__contains=term)

        query = SearchQuery.parse(text)
        return restrict(self, query.required)._matching(query, contains)

    def found_by_terms(self) -> Self:
        """Filter to events that anonymous visitors find by their categories and tags if they are published (D32)."""
        return self.filter(found_by_terms_q())

    def seen_by_everybody(self) -> Self:
        # Not super(): a CompiledQuerySet calls this method without being an instance of this class.
        return self.published().found_by_terms()

    def due_ids_found_by_terms(self) -> list[int]:
        """Return the ids of `due()` events that term counts include. One query, a second one if events are due."""
        ids = self.due_ids()
        return list(self.filter(pk__in=ids).found_by_terms().values_list("pk", flat=True)) if ids else []

    def early(self) -> Self:
        """Filter to published events whose publication date has not come, which no service leaves; unordered."""
        later = clock.now_among(Moments.PUBLICATION)
        return self.filter(status=Status.PUBLISH, published_at__gt=later).order_by()

    def early_ids(self) -> list[int]:
        """Return the ids of `early()` events. One query."""
        return [pk for (pk,) in fetch_columns(self.early(), ("pk",))]

    def has_unsettled(self) -> bool:
        """Return whether some events are public although scheduled, or published but not yet public. One query.

        The statuses of other events say whether they are public.
        """
        now = connection.ops.adapt_datetimefield_value(clock.now_among(Moments.PUBLICATION))
        ((is_unsettled,),) = run_as_health_check(_unsettled_sql(self.record_model), (now, now))
        return bool(is_unsettled)

    def next_ends(self, moment: datetime) -> list[Column]:
        """Return the ends of all events after a moment, found by the index of the end."""
        rows = with_index_of_end(CompiledQuerySet(self.model)).filter(end__gt=moment)
        return [Column(rows.order_by("end"), "end")]

    # --- Linked records

    def linked_to(self, relation: str, ids: Iterable[int]) -> Self:
        """Filter to events linked to any of these records by `relation`, such as `venues`."""
        field = self._field(relation)
        links = field.remote_field.through._default_manager.filter(**{f"{field.m2m_reverse_field_name()}__in": ids})
        return self.filter(pk__in=links.order_by().values("event"))

    def in_categories(self, ids: Iterable[int]) -> Self:
        """Filter to events in any of these categories or their subcategories. One query for the subcategories."""
        categories = self._field("categories").related_model._default_manager
        return self.linked_to("categories", categories.descendant_ids(ids))

    def without_venues(self) -> Self:
        links = self._field("venues").remote_field.through._default_manager
        return self.filter(~Exists(links.filter(event=OuterRef("pk"))))

    def ticketed(self, has_tickets: bool) -> Self:
        """Filter to events with tickets, or to those without."""
        tickets = Exists(self._field("tickets").related_model._default_manager.filter(event=OuterRef("pk")))
        return self.filter(tickets if has_tickets else ~tickets)

    def _field(self, name: str) -> Any:
        # By name, because the module of the models imports this one.
        return self.model._meta.get_field(name)

    def ancestor_ids(self, event_id: int) -> list[int]:
        """Return the ids of the event and of its ancestors. One query for each."""
        ids: list[int] = []
        parent: int | None = event_id
        while parent is not None and parent not in ids:
            ids.append(parent)
            parent = self.events.filter(pk=parent).values_list("parent", flat=True).first()
        return ids


def with_index_of_end(events: Any) -> Any:
    """Let planners use the index of the end, whose condition is always true.

    They would also read an index without a condition for lists whose events are not at its ends.
    """
    return events.filter(pk__gt=0)


@lru_cache
def _unsettled_sql(model: Any) -> str:
    """Return the SQL for whether there are `due()` or `early()` events. Its parameter, twice, is the current time.

    It reads one end of a partial index for each, whatever the time is, so PostgreSQL can keep the plan.
    """
    first, last = (
        f"(SELECT {function}(published_at) FROM {model._meta.db_table} WHERE status = '{status}')"  # noqa: S608
        for function, status in (("MIN", Status.FUTURE), ("MAX", Status.PUBLISH))
    )
    return f"SELECT {first} <= %s OR {last} > %s"


class SeriesQuerySet(ContentQuerySet):
    def visible_to(self, user: AnyUser) -> Self:
        """Filter to series that the user may read.

        Those who may not change a series see it without a password, and if a list shows them one of its events.
        """
        rows = self.filter(visible_q(user, self.record_model))
        is_editable = editable_q(user, self.record_model)
        if is_editable is EVERY_ROW:
            return rows
        # By name, because the module of the models imports this one.
        events = self.all_of(self.record_model._meta.apps.get_model("events", "Event")).visible_to(user)
        shown = events.listed().with_fields_visible_to(user).filter(series=OuterRef("pk")).order_by()
        return rows.filter(is_editable | Q(Q(password=""), exists(shown)))
