"""The abstract models of events, venues and organizers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import connection, models
from django.db.models import Q, QuerySet, Value
from django.db.models.functions import Cast
from django.db.models.signals import post_save, pre_save
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from calendar_site.audit.models import FieldDisplay, TrackedModel
from calendar_site.content.querysets import ContentQuerySet
from calendar_site.core import permissions
from calendar_site.core.choices import Accessibility, Status
from calendar_site.core.compiled_queries.inserts import insert_rows
from calendar_site.core.database.constraints import CheckConstraint, UniqueConstraint
from calendar_site.core.fields import HTMLField, PlainTextField
from calendar_site.core.slugs import MAX_SLUG_LENGTH
from calendar_site.core.text.html import searchable_html
from calendar_site.core.text.plain_text import MAX_KEY_LENGTH, name_key, searchable_text
from calendar_site.core.validators import is_valid_markup, validate_text_length
from calendar_site.media.models import Image

# The title of a venue or organizer is its name.
LINKED_FIELD_DISPLAYS = {"title": FieldDisplay(_("Name"))}


def format_accessibility(features: list[str], _record: Any = None) -> str:
    """Return the labels of features, one per line."""
    labels = dict(Accessibility.choices)
    return "\n".join(str(labels.get(feature, feature)) for feature in features)


# Django's permissions, and those to publish, and to change and delete the records of others.
CONTENT_PERMISSIONS = ("add", "change", "delete", "view", "publish", "change_others", "delete_others")


class Content(TrackedModel):
    """A record with an author, a status, a publication date and a slug."""

    MAX_TITLE_LENGTH = 500
    # In characters of stored HTML (D53).
    MAX_DESCRIPTION_LENGTH = 64_000
    MAX_EXCERPT_LENGTH = 5000

    title = PlainTextField(_("title"), max_length=MAX_TITLE_LENGTH)
    slug = models.CharField(_("slug"), max_length=MAX_SLUG_LENGTH, blank=True)
    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.PUBLISH)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("author"), on_delete=models.PROTECT, related_name="+"
    )
    published_at = models.DateTimeField(_("publish date"), default=timezone.now)  # noqa: TID251 - named in migrations
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    modified_at = models.DateTimeField(_("last modified"), auto_now=True)
    description = HTMLField(_("description"), blank=True)
    excerpt = HTMLField(_("excerpt"), blank=True)
    image = models.ForeignKey(
        Image, verbose_name=_("image"), null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    # The values of custom fields by field name; empty ones are left out.
    custom_values = models.JSONField(default=dict, blank=True, editable=False)
    search_text = models.TextField(editable=False, blank=True)

    objects = ContentQuerySet.as_manager()

    # The names of the fields that are searched.
    search_fields: ClassVar[tuple[str, ...]] = ("title", "description", "excerpt")

    # The id of the group with which the record is reviewed, from its columns; NULL if it is reviewed alone.
    review_group: ClassVar[Any] = Cast(Value(None), models.BigIntegerField())

    class Meta:
        abstract = True
        default_permissions = CONTENT_PERMISSIONS
        constraints = [
            # The slug of a record in the trash is free for others.
            UniqueConstraint(
                fields=["slug"],
                condition=~Q(status="trash"),
                name="%(class)s_slug_unique",
                violation_error_message=_("This slug is already in use."),
            ),
            CheckConstraint(condition=Q(status__in=Status.values), name="%(class)s_status_known"),
        ]

    def __str__(self) -> str:
        return self.title

    def reviewed_together(self) -> QuerySet[Any]:
        """Return the records on which one decision may have been made together with this one."""
        return type(self)._default_manager.filter(pk=self.pk)

    def clean(self) -> None:
        super().clean()
        errors: dict[str, ValidationError] = {}
        stored = self.loaded_values or {}
        limits = {"description": self.MAX_DESCRIPTION_LENGTH, "excerpt": self.MAX_EXCERPT_LENGTH}
        for name, limit in limits.items():
            text = getattr(self, name)
            # Texts that were stored before there was a limit are kept.
            if text != stored.get(name) and is_valid_markup(text):
                try:
                    validate_text_length(text, limit)
                except ValidationError as error:
                    errors[name] = error
        if errors:
            raise ValidationError(errors)

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.update_derived_fields()
        if self._state.adding and self.pk is None and not args and not kwargs:
            self._insert()
        else:
            super().save(*args, **kwargs)

    def _insert(self) -> None:
        """Insert the row as Django does, but with a statement that is not built anew for each row."""
        options: dict[str, Any] = {"instance": self, "raw": False, "using": connection.alias, "update_fields": None}
        pre_save.send(sender=type(self), **options)
        insert_rows([self])
        post_save.send(sender=type(self), created=True, **options)

    def update_derived_fields(self) -> None:
        """Set the derived columns. `save()` does so; bulk writes must call it."""
        self.search_text = "\n".join(self.search_values())

    def search_values(self) -> Iterator[str]:
        """Yield the normalized texts that a search finds, each on one line, the title first.

        They are cleaned as they will be stored, so that a search finds only text that users can read.
        """
        for field in self._meta.fields:
            if field.name in self.search_fields:
                text = field.pre_save(self, self._state.adding)
                # Plain text contains no markup and no character references, whatever it looks like.
                yield searchable_html(text) if isinstance(field, HTMLField) else searchable_text(text)

    @property
    def is_published(self) -> bool:
        return permissions.is_published(self)


class LinkedContent(Content):
    """Content that events link to: a venue or an organizer. Its title is a name, by which it is found."""

    MAX_PHONE_LENGTH = 200
    MAX_WEBSITE_LENGTH = 2000

    name_key = models.CharField(max_length=MAX_KEY_LENGTH, editable=False, blank=True, db_index=True)

    # The reverse relation of events.
    events: Any

    class Meta(Content.Meta):
        abstract = True

    def update_derived_fields(self) -> None:
        super().update_derived_fields()
        self.name_key = name_key(self.title)

    def search_values(self) -> Iterator[str]:
        yield from super().search_values()
        yield from (searchable_text(str(value)) for value in self.custom_values.values())
