"""Querysets of images, and of the records that use them."""

from __future__ import annotations

from typing import Any, Self

from django.contrib.auth import get_user_model
from django.db import models
from django.db.models import Count, Exists, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from calendar_site.audit.models import TrackedModel
from calendar_site.core.querysets import SearchQuerySet
from calendar_site.core.text import normalize_for_search, search_words


class ImageQuerySet(SearchQuerySet):
    def matching(self, query: str) -> Self:
        """Filter to images with every word of `query` in their texts or in the user name of their author."""
        rows, words = self, search_words(query)
        names = get_user_model()._default_manager.values_list("pk", "username") if words else ()
        authors = [(pk, normalize_for_search(name)) for pk, name in names]
        for word in words:
            author_ids = [pk for pk, name in authors if word in name]
            rows = rows.filter(Q(search_text__contains=word) | Q(author__in=author_ids))
        return rows

    def with_use_counts(self) -> Self:
        """Annotate `use_count`: the number of records of any kind and status that use the image."""
        counts = [
            Coalesce(Subquery(rows.values("image").annotate(count=Count("*")).values("count")), 0)
            for rows in self._uses()
        ]
        return self.annotate(use_count=sum(counts, models.Value(0)))

    def in_use(self, is_used: bool) -> Self:
        """Filter to images that a record uses, or to those that none does."""
        used: Any = Q()
        for rows in self._uses():
            used |= Exists(rows)
        return self.filter(used if is_used else ~used)

    def _uses(self) -> list[models.QuerySet[Any]]:
        return [rows.order_by().filter(image=OuterRef("pk")) for rows in records_with_images(self.model)]


def records_with_images(image_model: type[models.Model]) -> list[models.QuerySet[Any]]:
    """Return all records of each model that has an image; their history models do not count."""
    relations: Any = image_model._meta.get_fields(include_hidden=True)
    related = [relation.related_model for relation in relations if relation.one_to_many]
    return [model._default_manager.all() for model in related if issubclass(model, TrackedModel)]
