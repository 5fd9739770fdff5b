"""Querysets of images, and of the records that use them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import or_
from typing import Any, NamedTuple, Self

from django.apps import apps
from django.contrib.auth import get_user_model
from django.db import models
from django.db.models import Count, Exists, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from calendar_site.audit.models import TrackedModel
from calendar_site.core import permissions
from calendar_site.core.fields import HTMLField
from calendar_site.core.search.query import SearchQuery
from calendar_site.core.search.querysets import SearchQuerySet
from calendar_site.core.text.plain_text import normalize_for_search
from calendar_site.core.types import AnyUser


class ImageQuerySet(SearchQuerySet):
    def matching(self, text: str) -> Self:
        """Filter to images as other rows, by their texts and the username of their author."""
        query = SearchQuery.parse(text)
        names = () if query.is_empty else get_user_model()._default_manager.values_list("pk", "username")
        authors = [(pk, normalize_for_search(name)) for pk, name in names]

        def contains(term: str) -> Q:
            return Q(search_text__contains=term) | Q(author__in=[pk for pk, name in authors if term in name])

        return self._matching(query, contains)

    def with_use_counts(self, user: AnyUser) -> Self:
        """Annotate `use_count`: the number of records of any kind that use the image, and that the user may see."""
        counts = [
            Coalesce(Subquery(_visible_to(user, rows).values(column).annotate(count=Count("*")).values("count")), 0)
            for rows, column in self._uses()
        ]
        return self.annotate(use_count=sum(counts, models.Value(0)))

    def in_use(self, is_used: bool) -> Self:
        """Filter to images that a record uses, or to images that no record uses."""
        used: Any = Q()
        for rows, _column in self._uses():
            used |= Exists(rows)
        return self.filter(used if is_used else ~used)

    def usable_by(self, user: AnyUser) -> Self:
        """Filter to images that the user may see and link to a record: not those of records hidden from the user.

        Otherwise, a user could see and publish the image of a draft or of a password-protected event. Editors of images
        may use all of them, and everybody their own and those that no record uses, neither as its image nor in its
        texts, except those of users who may not publish.
        """
        if permissions.can_edit_others(user, self.model):
            return self
        used: Any = Q()
        visible: Any = Q()
        for rows in (*(rows for rows, _column in self._uses()), *self._uses_in_html()):
            used |= Exists(rows)
            visible |= Exists(_visible_to(user, rows))
        return self.filter(Q(author=user.pk) | (~used & Q(submitted=False)) | visible)

    def shown_to(self, user: AnyUser) -> Self:
        """Filter to images that the user may look at on their own: those of records that the user sees, and their own.

        Unlike `usable_by()`, not those that nobody uses: nothing has published them.
        """
        if permissions.can_edit_others(user, self.model):
            return self
        shown: Any = Q()
        for rows in (*(rows for rows, _column in self._uses()), *self._uses_in_html()):
            shown |= Exists(_visible_to(user, rows))
        return self.filter(Q(author=user.pk) | shown)

    def _uses(self) -> list[RecordsWithImage]:
        return [
            RecordsWithImage(rows.order_by().filter(**{column: OuterRef("pk")}), column)
            for rows, column in records_with_images(self.model)
        ]

    def _uses_in_html(self) -> list[models.QuerySet[Any]]:
        embedded = apps.get_model("media", "EmbeddedImage")._default_manager
        found = []
        for model in models_with_html(self.model):
            links = embedded.filter(image_id=OuterRef(OuterRef("pk")), model_label=model._meta.label_lower)
            found.append(model._default_manager.order_by().filter(pk__in=links.values("record_id")))
        return found


def _visible_to(user: AnyUser, rows: Any) -> Any:
    """Filter records with images to those whose image the user may see."""
    return rows.readable_by(user).with_fields_visible_to(user)


def with_html_containing(rows: models.QuerySet[Any], parts: Iterable[str]) -> models.QuerySet[Any]:
    """Filter to records with one of these parts in a field of HTML. Reads the HTML of all rows."""
    conditions = [Q(**{f"{name}__contains": part}) for name in html_fields(rows.model) for part in parts]
    return rows.filter(reduce(or_, conditions)) if conditions else rows.none()


def html_fields(model: type[models.Model]) -> list[str]:
    """Return the names of the fields with HTML, which may contain the URLs of images."""
    return [field.name for field in model._meta.concrete_fields if isinstance(field, HTMLField)]


class RecordsWithImage(NamedTuple):
    """Records, and the column with the image of each."""

    rows: models.QuerySet[Any]
    column: str


def records_with_images(image_model: type[models.Model]) -> list[RecordsWithImage]:
    """Return all records for each column with an image, without their history models."""
    relations: Any = image_model._meta.get_fields(include_hidden=True)
    return [
        RecordsWithImage(relation.related_model._default_manager.all(), relation.field.name)
        for relation in relations
        if relation.one_to_many and issubclass(relation.related_model, TrackedModel)
    ]


def columns_by_model(image_model: type[models.Model]) -> dict[type[models.Model], list[str]]:
    """Return the columns with images of each model that has any."""
    columns: dict[type[models.Model], list[str]] = {}
    for rows, column in records_with_images(image_model):
        columns.setdefault(rows.model, []).append(column)
    return columns


def models_with_html(image_model: type[models.Model]) -> list[type[models.Model]]:
    """Return the models that have images, and HTML, which may show images as well."""
    return [model for model in columns_by_model(image_model) if html_fields(model)]
