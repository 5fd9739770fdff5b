"""Which rows somebody may see: decided here for every output."""

from __future__ import annotations

import re
from datetime import datetime
from functools import lru_cache
from typing import Any, Self

from django.contrib.auth import get_user_model
from django.db import connection, models
from django.db.models import Count, Exists, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from calendar_site.content import rules
from calendar_site.content.choices import PUBLIC_STATUSES, PUBLISHED_STATUSES, Status
from calendar_site.content.statements import Statement
from calendar_site.content.text import fold, words


def published_q(prefix: str = "") -> Q:
    """Rows that everybody may see; `prefix` is the path to them, such as `venue__`."""
    return Q(**{f"{prefix}status__in": PUBLIC_STATUSES, f"{prefix}published_at__lte": timezone.now()})


def visible_q(user: Any, model: type[models.Model], prefix: str = "") -> Q:
    """Rows of `model` that the user may see and that are not in the trash."""
    if rules.can_edit_others(user, model):
        return ~Q(**{f"{prefix}status": Status.TRASH})
    if rules.may(user, "change", model):
        own = Q(**{f"{prefix}author": user.pk}) & ~Q(**{f"{prefix}status": Status.TRASH})
        return published_q(prefix) | own
    return published_q(prefix)


def editable_q(user: Any, model: type[models.Model]) -> Q:
    """Rows that the user may change: `rules.can_edit`, for many rows at once."""
    if not rules.may(user, "change", model):
        return Q(pk__in=[])
    if rules.can_edit_others(user, model):
        # Not the empty Q, which OR passes over.
        return ~Q(pk__in=[])
    own = Q(author=user.pk)
    # An image is never published by itself.
    may_publish = rules.can_publish(user, model) or not hasattr(model, "status")
    return own if may_publish else own & ~Q(status__in=PUBLISHED_STATUSES)


class SearchQuerySet(models.QuerySet):
    """Rows with a `search_text`: the folded text of each searchable field on a line of its own."""

    def having_words(self, query: str) -> Self:
        """Rows with every word of `query`, as a part of a word, anywhere in the searched fields."""
        rows = self
        for word in words(query):
            rows = rows.filter(search_text__contains=word)
        return rows

    def having_words_in_one_field(self, query: str) -> Self:
        """Rows with every word of `query` within one and the same field, in any order."""
        rows, wanted = self.having_words(query), words(query)
        if len(wanted) < 2:
            return rows
        ahead = "".join(rf"(?=[^\n]*{re.escape(word)})" for word in wanted)
        return rows.filter(search_text__regex=rf"(?:^|\n){ahead}")


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
        if rules.can_edit_others(user, self.model):
            return self
        if rules.may(user, "change", self.model):
            return self.filter(published_q() | Q(author=user.pk))
        return self.published()

    def showing_fields_to(self, user: Any) -> Self:
        """Those whose fields the user sees, where he may see them at all."""
        return self

    def hiding_fields_from(self, user: Any) -> Self:
        """The others: those that show him no more than that they are there."""
        return self.none()

    def waiting(self) -> Self:
        """Rows that somebody has submitted for review."""
        return self.filter(status=Status.PENDING)

    def outside_trash(self) -> Self:
        return self.exclude(status=Status.TRASH)

    def trashed_until(self, moment: datetime) -> Self:
        """Rows in the trash that were last changed, and so put there, at `moment` or before."""
        return self.filter(status=Status.TRASH, modified_at__lte=moment)

    def due_ids(self) -> list[int]:
        """The ids of `due()` rows, which every answer with counts of terms has to know."""
        now = connection.ops.adapt_datetimefield_value(timezone.now())
        return [pk for (pk,) in _due_statement(self.model).run((now, Status.FUTURE.value))]

    def due(self) -> Self:
        """Scheduled rows whose publication date has come and that no write has marked published yet, in no order."""
        return self.filter(status=Status.FUTURE, published_at__lte=timezone.now()).order_by()


class ImageQuerySet(SearchQuerySet):
    def having_words(self, query: str) -> Self:
        """Images with every word of `query` in what is said about them, or in the name of who took them in."""
        rows, wanted = self, words(query)
        names = get_user_model()._default_manager.values_list("pk", "username") if wanted else ()
        authors = [(pk, fold(name)) for pk, name in names]
        for word in wanted:
            found = [pk for pk, name in authors if word in name]
            rows = rows.filter(Q(search_text__contains=word) | Q(author__in=found))
        return rows

    def counting_uses(self) -> Self:
        """With `use_count`: how many records show the image, of whatever kind and status."""
        counts = [
            Coalesce(Subquery(rows.values("image").annotate(amount=Count("*")).values("amount")), 0)
            for rows in self._uses()
        ]
        return self.annotate(use_count=sum(counts, models.Value(0)))

    def used(self, wanted: bool) -> Self:
        """Images that some record shows, or that none does."""
        shown: Any = Q()
        for rows in self._uses():
            shown |= Exists(rows)
        return self.filter(shown if wanted else ~shown)

    def _uses(self) -> list[ContentQuerySet]:
        return [rows.order_by().filter(image=OuterRef("pk")) for rows in rows_with(self.model)]


def rows_with(image_model: type[models.Model]) -> list[ContentQuerySet]:
    """The records of each kind that has images."""
    relations: Any = image_model._meta.get_fields(include_hidden=True)
    rows = [relation.related_model._default_manager.all() for relation in relations if relation.one_to_many]
    return [found for found in rows if isinstance(found, ContentQuerySet)]


@lru_cache
def _due_statement(model: Any) -> Statement:
    """Takes the present and the status."""
    return Statement(model._default_manager.due().values_list("pk"))
