"""What events, venues and organizers have in common."""

from __future__ import annotations

from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from calendar_site.content import rules
from calendar_site.content.choices import Status
from calendar_site.content.fields import HTMLField, PlainField
from calendar_site.content.html import as_text
from calendar_site.content.querysets import ContentQuerySet
from calendar_site.content.slugs import SLUG_LENGTH
from calendar_site.content.text import fold, name_key

# Beside Django's own four: publishing, and acting on the records of others.
CONTENT_PERMISSIONS = ("add", "change", "delete", "view", "publish", "change_others", "delete_others")


class Content(models.Model):
    """A record with an author and a status that is published at some moment under a slug."""

    title = PlainField(_("title"), max_length=500)
    slug = models.CharField(_("slug"), max_length=SLUG_LENGTH, blank=True)
    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.PUBLISH)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("author"), on_delete=models.PROTECT, related_name="+"
    )
    published_at = models.DateTimeField(_("published"), default=timezone.now)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    modified_at = models.DateTimeField(_("modified"), auto_now=True)
    description = HTMLField(_("description"), blank=True)
    excerpt = HTMLField(_("excerpt"), blank=True)
    search_text = models.TextField(editable=False, blank=True)

    objects = ContentQuerySet.as_manager()

    # The fields that `search` looks into.
    searched: ClassVar[tuple[str, ...]] = ("title", "description", "excerpt")

    class Meta:
        abstract = True
        default_permissions = CONTENT_PERMISSIONS
        constraints = [
            # A record in the trash gives its slug away.
            models.UniqueConstraint(
                fields=["slug"],
                condition=~Q(status="trash"),
                name="%(class)s_slug_unique",
                violation_error_message=_("Another record has this slug."),
            ),
            models.CheckConstraint(condition=Q(status__in=Status.values), name="%(class)s_status_known"),
        ]

    def __str__(self) -> str:
        return self.title

    def save(self, *args: Any, **kwargs: Any) -> None:
        # What is searched is what is stored: cleaned by the fields, so that nothing is found that nobody can read.
        fields = [field for field in self._meta.fields if field.name in self.searched]
        texts = [str(field.pre_save(self, self._state.adding)) for field in fields]
        self.search_text = "\n".join(fold(as_text(text)) for text in texts)
        super().save(*args, **kwargs)

    @property
    def is_published(self) -> bool:
        return rules.is_published(self)


class NamedContent(Content):
    """Content that events link to by its name: a venue or an organizer."""

    name_key = models.CharField(max_length=500, editable=False, blank=True, db_index=True)

    # The other end of the events' links.
    events: Any

    class Meta(Content.Meta):
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.name_key = name_key(self.title)
        super().save(*args, **kwargs)
