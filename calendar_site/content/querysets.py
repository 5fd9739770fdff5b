"""Which rows somebody may see: decided here for every output."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from typing import Any, Self

from django.db import connection, models
from django.db.models import Q
from django.utils import timezone

from calendar_site.core import permissions
from calendar_site.core.choices import PUBLIC_STATUSES, PUBLISHED_STATUSES, Status
from calendar_site.core.compiled_queries import CompiledQuery
from calendar_site.core.querysets import SearchQuerySet


def published_q(prefix: str = "") -> Q:
    """Rows that everybody may see; `prefix` is the path to them, such as `venue__`."""
    return Q(**{f"{prefix}status__in": PUBLIC_STATUSES, f"{prefix}published_at__lte": timezone.now()})


def visible_q(user: Any, model: type[models.Model], prefix: str = "") -> Q:
    """Rows of `model` that the user may see and that are not in the trash."""
    if permissions.can_edit_others(user, model):
        return ~Q(**{f"{prefix}status": Status.TRASH})
    if permissions.has_model_permission(user, "change", model):
        own = Q(**{f"{prefix}author": user.pk}) & ~Q(**{f"{prefix}status": Status.TRASH})
        return published_q(prefix) | own
    return published_q(prefix)


def editable_q(user: Any, model: type[models.Model]) -> Q:
    """Rows that the user may change: `permissions.can_edit`, for many rows at once."""
    if not permissions.has_model_permission(user, "change", model):
        return Q(pk__in=[])
    if permissions.can_edit_others(user, model):
        # Not the empty Q, which OR passes over.
        return ~Q(pk__in=[])
    own = Q(author=user.pk)
    # An image is never published by itself.
    may_publish = permissions.can_publish(user, model) or not hasattr(model, "status")
    return own if may_publish else own & ~Q(status__in=PUBLISHED_STATUSES)


class ContentQuerySet(SearchQuerySet):
    def published(self) -> Self:
        return self.filter(published_q())

    def visible_to(self, user: Any) -> Self:
        """Rows the user may see, the trash left out."""
        return self.filter(visible_q(user, self.model))

    def with_statuses(self, statuses: list[str], user: Any) -> Self:
        """Rows with any of these statuses that the user may see; the trash only where it is named.

        A scheduled row whose date has come counts as published, as everywhere.
        """
        now = timezone.now()
        wanted = Q(status__in=[s for s in statuses if s not in (Status.PUBLISH, Status.FUTURE)])
        if Status.PUBLISH in statuses:
            wanted |= published_q()
        if Status.FUTURE in statuses:
            wanted |= Q(status=Status.FUTURE, published_at__gt=now)
        return self.filter(wanted).readable_by(user)

    def readable_by(self, user: Any) -> Self:
        """Like `visible_to`, with the rows in the trash that are the user's to edit."""
        if permissions.can_edit_others(user, self.model):
            return self
        if permissions.has_model_permission(user, "change", self.model):
            return self.filter(published_q() | Q(author=user.pk))
        return self.published()

    def with_fields_visible_to(self, user: Any) -> Self:
        """Those whose fields the user sees, where he may see them at all."""
        return self

    def with_fields_hidden_from(self, user: Any) -> Self:
        """The others: those that show him no more than that they are there."""
        return self.none()

    def pending(self) -> Self:
        """Rows that somebody has submitted for review."""
        return self.filter(status=Status.PENDING)

    def not_trashed(self) -> Self:
        return self.exclude(status=Status.TRASH)

    def trashed_before(self, moment: datetime) -> Self:
        """Rows in the trash that were last changed, and so put there, at `moment` or before."""
        return self.filter(status=Status.TRASH, modified_at__lte=moment)

    def due_ids(self) -> list[int]:
        """The ids of `due()` rows, which every answer with counts of terms has to know."""
        now = connection.ops.adapt_datetimefield_value(timezone.now())
        return [pk for (pk,) in _compiled_due_query(self.model).run((now, Status.FUTURE.value))]

    def due(self) -> Self:
        """Scheduled rows whose publication date has come and that no write has marked published yet, in no order."""
        return self.filter(status=Status.FUTURE, published_at__lte=timezone.now()).order_by()


@lru_cache
def _compiled_due_query(model: Any) -> CompiledQuery:
    """Takes the present and the status."""
    return CompiledQuery(model._default_manager.due().values_list("pk"))
