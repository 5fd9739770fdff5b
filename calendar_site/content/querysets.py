"""Querysets of events, venues and organizers: by status, and by what a user may read.

`core.permissions` decides who may read and change which rows; these querysets filter by its conditions.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from functools import lru_cache
from typing import Self

from django.db import connection, models
from django.db.models import Q
from django.utils import timezone

from calendar_site.core import permissions
from calendar_site.core.choices import PUBLIC_STATUSES, Status
from calendar_site.core.compiled_queries import CompiledQuery
from calendar_site.core.querysets import SearchQuerySet
from calendar_site.core.types import AnyUser


class ContentQuerySet(SearchQuerySet):
    def published(self) -> Self:
        """Filter to rows that everybody may read now."""
        return self.filter(permissions.published_q())

    def visible_to(self, user: AnyUser) -> Self:
        """Filter to rows that the user may read and that are not in the trash."""
        return self.filter(permissions.visible_q(user, self.model))

    def with_statuses(self, statuses: Collection[str], user: AnyUser) -> Self:
        """Filter to rows with any of these statuses that the user may read, in the trash only if it is among them.

        A scheduled row whose publication date has come counts as published, as everywhere.
        """
        wanted = Q(status__in=[status for status in statuses if status not in PUBLIC_STATUSES])
        if Status.PUBLISH in statuses:
            wanted |= permissions.published_q()
        if Status.FUTURE in statuses:
            wanted |= Q(status=Status.FUTURE, published_at__gt=timezone.now())
        return self.filter(wanted).readable_by(user)

    def readable_by(self, user: AnyUser) -> Self:
        """Filter to rows that the user may read, in the trash too."""
        return self.filter(permissions.readable_q(user, self.model))

    def with_fields_visible_to(self, user: AnyUser) -> Self:
        """Filter to rows whose fields the user sees. Only events can hide theirs."""
        return self

    def with_fields_hidden_from(self, user: AnyUser) -> Self:
        """Filter to rows that hide their fields from the user. Only events can."""
        return self.none()

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
        now = connection.ops.adapt_datetimefield_value(timezone.now())
        return [pk for (pk,) in _compiled_due_query(self.model).run((now, Status.FUTURE.value))]

    def due(self) -> Self:
        """Filter to scheduled rows whose publication date has come, before a write marks them published; unordered."""
        return self.filter(status=Status.FUTURE, published_at__lte=timezone.now()).order_by()


@lru_cache
def _compiled_due_query(model: type[models.Model]) -> CompiledQuery:
    """Return the compiled query of `due()`. Its parameters are the current time and the status `future`."""
    return CompiledQuery(ContentQuerySet(model).due().values_list("pk"))
