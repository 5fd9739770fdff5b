"""Querysets of events, venues and organizers: by status, and by what a user may read.

`core.permissions` decides who may read and change which rows; these querysets filter by its conditions.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from functools import lru_cache
from typing import Any, ClassVar, Self

from django.db import connection, models
from django.db.models import Q

from calendar_site.core import clock, permissions
from calendar_site.core.choices import PUBLIC_STATUSES, Status
from calendar_site.core.clock import Moments
from calendar_site.core.compiled_queries.queries import CompiledQuery
from calendar_site.core.compiled_queries.querysets import Column, CompiledQuerySet
from calendar_site.core.search.querysets import SearchQuerySet
from calendar_site.core.types import AnyUser


class ContentQuerySet(SearchQuerySet):
    # The column with the id of the record.
    id_column: ClassVar[str] = "pk"

    @property
    def record_model(self) -> Any:
        """The model of the records, on which permissions depend."""
        return self.model

    def slug_q(self, slugs: Collection[str]) -> Q:
        """Return the condition on rows outside the trash with one of these slugs. The unique index has no others."""
        return Q(~Q(status=Status.TRASH), slug__in=slugs)

    def published(self) -> Self:
        """Filter to rows that everybody may read now."""
        return self.filter(permissions.published_q())

    def seen_by_everybody(self) -> Self:
        """Filter to rows that everybody may read now, with all their fields, and finds in lists."""
        return self.published()

    def visible_to(self, user: AnyUser) -> Self:
        """Filter to rows that the user may read and that are not in the trash."""
        return self.filter(permissions.visible_q(user, self.record_model))

    def with_statuses(self, statuses: Collection[str], user: AnyUser) -> Self:
        """Filter to rows with any of these statuses that the user may read, in the trash only if it is among them.

        A scheduled row whose publication date has come counts as published, as everywhere.
        """
        wanted = Q(status__in=[status for status in statuses if status not in PUBLIC_STATUSES])
        if Status.PUBLISH in statuses:
            wanted |= permissions.published_q()
        if Status.FUTURE in statuses:
            wanted |= Q(status=Status.FUTURE, published_at__gt=clock.now_among(Moments.PUBLICATION))
        return self.filter(wanted).readable_by(user)

    def readable_by(self, user: AnyUser) -> Self:
        """Filter to rows that the user may read, in the trash too."""
        return self.filter(permissions.readable_q(user, self.record_model))

    def with_fields_visible_to(self, user: AnyUser) -> Self:
        """Filter to rows whose fields the user sees. Only events can hide theirs."""
        return self

    def with_fields_hidden_from(self, user: AnyUser) -> Self:
        """Filter to rows that hide their fields from the user. Only events can."""
        return self.none()

    def modified_after(self, moment: datetime) -> Self:
        return self.filter(modified_at__gt=moment)

    def modified_before(self, moment: datetime) -> Self:
        return self.filter(modified_at__lt=moment)

    def ordered_by(self, *columns: str, descending: bool) -> Self:
        """Order by these columns and by id, all in the same direction, so that an index serves both directions."""
        return self.order_by(*(f"-{column}" if descending else column for column in (*columns, self.id_column)))

    def pending(self) -> Self:
        """Filter to rows that wait for review."""
        return self.filter(status=Status.PENDING)

    def not_trashed(self) -> Self:
        """Filter to rows outside the trash."""
        return self.exclude(status=Status.TRASH)

    def trashed_before(self, moment: datetime) -> Self:
        """Filter to rows in the trash that were last changed, usually by moving them there, at or before `moment`."""
        return self.filter(status=Status.TRASH, modified_at__lte=moment)

    def due_ids(self) -> list[int]:
        """Return the ids of `due()` rows, which every response with counts of terms needs. One query."""
        now = connection.ops.adapt_datetimefield_value(clock.now_among(Moments.PUBLICATION))
        return [pk for (pk,) in _compiled_due_query(self.model).run((now,))]

    def next_publications(self, moment: datetime) -> list[Column]:
        """Return the publication dates after a moment at which rows of the model become public without a write."""
        rows = CompiledQuerySet(self.model)
        scheduled = rows.filter(status=Status.FUTURE, published_at__gt=moment)
        # Published by a machine whose clock is ahead.
        published = rows.filter(status=Status.PUBLISH, published_at__gt=moment, modified_at__gt=moment)
        return [Column(found.order_by("published_at"), "published_at") for found in (scheduled, published)]

    def due(self) -> Self:
        """Filter to scheduled rows whose publication date has come, before a write marks them published; unordered."""
        return self.due_at(clock.now_among(Moments.PUBLICATION))

    def due_at(self, moment: datetime) -> Self:
        return self.filter(status=Status.FUTURE, published_at__lte=moment).order_by()


@lru_cache
def _compiled_due_query(model: type[models.Model]) -> CompiledQuery:
    """Return the compiled query of `due()`. Its parameter is the current time."""
    return CompiledQuery(ContentQuerySet(model).due().values_list("pk"))
