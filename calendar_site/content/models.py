"""What events, venues and organizers have in common."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from calendar_site.content import rules
from calendar_site.content.choices import Status
from calendar_site.content.fields import HTMLField, PlainField
from calendar_site.content.history import History, Recorded, Words
from calendar_site.content.html import as_text, without_markup
from calendar_site.content.querysets import ContentQuerySet, ImageQuerySet
from calendar_site.content.slugs import SLUG_LENGTH
from calendar_site.content.text import fold, name_key

# A point inside of something, from one side to the other.
SHARE = [MinValueValidator(0), MaxValueValidator(1)]

# Columns of content that follow from others, or say no more than its history does.
DERIVED = ("created_at", "modified_at", "search_text")

WORDS = {"published_at": Words(_("Publication date"))}
# Venues and organizers have their name for a title.
NAMED_WORDS = {**WORDS, "title": Words(_("Name"))}

# Beside Django's own four: publishing, and acting on the records of others.
CONTENT_PERMISSIONS = ("add", "change", "delete", "view", "publish", "change_others", "delete_others")


class Image(Recorded):
    """A picture in the library, with smaller sizes of it."""

    file = models.FileField(_("file"), max_length=255, editable=False)
    # Of the bytes as they came in: what is sent twice is stored once.
    digest = models.CharField(max_length=64, unique=True, editable=False)
    name = PlainField(_("name"), max_length=200, blank=True)
    alt = PlainField(
        _("alternative text"), max_length=500, blank=True, help_text=_("What is to be seen, for who cannot see it.")
    )
    credit = PlainField(_("credit"), max_length=500, blank=True, help_text=_("Who made it, and under what terms."))
    focus_x = models.FloatField(_("focal point, from the left"), default=0.5, validators=SHARE)
    focus_y = models.FloatField(_("focal point, from the top"), default=0.5, validators=SHARE)
    width = models.PositiveIntegerField(_("width"), editable=False)
    height = models.PositiveIntegerField(_("height"), editable=False)
    filesize = models.PositiveIntegerField(_("size in bytes"), editable=False)
    media_type = models.CharField(_("media type"), max_length=50, editable=False)
    # name -> file, width, height, media_type and filesize, in the order of `pictures.SIZES`.
    renditions = models.JSONField(default=dict, editable=False)
    source = models.CharField(_("fetched from"), max_length=2000, blank=True, editable=False)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("author"), on_delete=models.PROTECT, related_name="+", editable=False
    )
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    modified_at = models.DateTimeField(_("modified"), auto_now=True)
    search_text = models.TextField(editable=False, blank=True)

    objects = ImageQuerySet.as_manager()

    # Of the picture nothing is ever changed but its sizes, which follow from the focal point.
    history = History(excluded=("file", "digest", "width", "height", "filesize", "media_type", "renditions", *DERIVED))

    class Meta:
        verbose_name = _("image")
        verbose_name_plural = _("images")
        ordering = ("-created_at", "-pk")
        default_permissions = ("add", "change", "delete", "view", "change_others", "delete_others")
        constraints = [
            models.CheckConstraint(
                condition=Q(focus_x__range=(0, 1), focus_y__range=(0, 1)), name="image_focus_inside_it"
            )
        ]

    def __str__(self) -> str:
        return self.name or self.alt or f"#{self.pk}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.search_text = "\n".join(map(fold, (self.name, self.alt, self.credit)))
        super().save(*args, **kwargs)

    def size(self, *names: str) -> dict[str, Any]:
        """The first of these renditions that there is, else the picture itself: `file`, `width` and `height`."""
        whole = {"file": str(self.file), "width": self.width, "height": self.height}
        return next((self.renditions[name] for name in names if name in self.renditions), whole)


class CustomField(Recorded):
    """A field that maintainers declare for all events, venues or organizers."""

    class Resource(models.TextChoices):
        EVENT = "event", _("events")
        VENUE = "venue", _("venues")
        ORGANIZER = "organizer", _("organizers")

    class Kind(models.TextChoices):
        TEXT = "text", _("text")
        NUMBER = "number", _("number")
        BOOLEAN = "boolean", _("yes or no")
        DATE = "date", _("date")
        URL = "url", _("web address")
        CHOICE = "choice", _("one of several")

    CHOICE_LENGTH = 200

    resource = models.CharField(_("for"), max_length=10, choices=Resource)
    name = models.CharField(
        _("name"),
        max_length=50,
        validators=[RegexValidator(r"\A[a-z][a-z0-9_]*\Z", _("Small letters, digits and underscores."))],
        help_text=_("How programs know it: small letters, digits and underscores."),
    )
    label = PlainField(_("label"), max_length=200, help_text=_("How people know it."))
    kind = models.CharField(_("type"), max_length=10, choices=Kind, default=Kind.TEXT)
    choices = models.TextField(_("choices"), blank=True, help_text=_("One on each line."))
    position = models.PositiveSmallIntegerField(_("position"), default=0)

    history = History()

    class Meta:
        verbose_name = _("custom field")
        verbose_name_plural = _("custom fields")
        ordering = ("resource", "position", "pk")
        constraints = [
            models.UniqueConstraint(
                fields=["resource", "name"],
                name="custom_field_once",
                violation_error_message=_("There is a field of this name already."),
            )
        ]

    def __str__(self) -> str:
        return self.label

    def clean(self) -> None:
        super().clean()
        if self.kind != self.Kind.CHOICE:
            if self.choices.strip():
                raise ValidationError({"choices": _("Only a field of the type “one of several” has choices.")})
        elif not self.options:
            raise ValidationError({"choices": _("Name at least one.")})
        elif len(max(self.options, key=len)) > self.CHOICE_LENGTH:
            raise ValidationError(
                {"choices": _("A choice has at most %(limit)s characters.") % {"limit": self.CHOICE_LENGTH}}
            )
        self.choices = "\n".join(self.options)

    @property
    def options(self) -> list[str]:
        """The choices, each once, in the order in which they are written, and cleaned as values are."""
        return list(dict.fromkeys(filter(None, map(without_markup, self.choices.splitlines()))))


class Content(Recorded):
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
    image = models.ForeignKey(
        Image, verbose_name=_("image"), null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    # The values of the declared custom fields by their names; empty ones are not there.
    custom_values = models.JSONField(default=dict, blank=True, editable=False)
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
        self.derive()
        super().save(*args, **kwargs)

    def derive(self) -> None:
        """Sets the columns that follow from others; for who writes rows without `save()`."""
        self.search_text = "\n".join(fold(as_text(str(text))) for text in self.texts())

    def texts(self) -> Iterator[Any]:
        """What `search` looks into: a line for each field, the title first.

        It is what will be stored, cleaned by the fields, so that nothing is found that nobody can read.
        """
        for field in self._meta.fields:
            if field.name in self.searched:
                yield field.pre_save(self, self._state.adding)

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

    def derive(self) -> None:
        super().derive()
        self.name_key = name_key(self.title)

    def texts(self) -> Iterator[Any]:
        yield from super().texts()
        yield from self.custom_values.values()
