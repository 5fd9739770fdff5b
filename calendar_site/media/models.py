"""The images of the image library."""

from __future__ import annotations

from typing import Any, TypedDict

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from calendar_site.audit.models import UNTRACKED, History, TrackedModel
from calendar_site.core.database.constraints import CheckConstraint
from calendar_site.core.fields import PlainTextField
from calendar_site.core.text.plain_text import normalize_for_search
from calendar_site.media.querysets import ImageQuerySet

# A coordinate as a share of the width or height.
FRACTION_VALIDATORS = [MinValueValidator(0), MaxValueValidator(1)]


class Rendition(TypedDict):
    """A stored file of an image in one size."""

    file: str
    width: int
    height: int
    media_type: str
    filesize: int


class Image(TrackedModel):
    """An image in the library with its renditions."""

    # The folder of all files in the storage.
    FOLDER = "images"
    # How many images a request to the API may upload or download (D33).
    MAX_PER_REQUEST = 3
    # The limit of alternative texts and credits.
    MAX_TEXT_LENGTH = 500

    file = models.FileField(_("file"), max_length=255, editable=False)
    # The hash of the file as it was uploaded, so that an image uploaded twice is stored once.
    digest = models.CharField(max_length=64, unique=True, editable=False)
    name = PlainTextField(_("name"), max_length=200, blank=True)
    alt = PlainTextField(
        _("alternative text"),
        max_length=MAX_TEXT_LENGTH,
        blank=True,
        help_text=_("Describe the image for people who cannot see it."),
    )
    decorative = models.BooleanField(
        _("decorative"),
        default=False,
        db_default=False,
        help_text=_("The image adds no information, so that it needs no alternative text."),
    )
    credit = PlainTextField(_("credit"), max_length=MAX_TEXT_LENGTH, blank=True, help_text=_("Creator and license."))
    focus_x = models.FloatField(_("horizontal focal point"), default=0.5, validators=FRACTION_VALIDATORS)
    focus_y = models.FloatField(_("vertical focal point"), default=0.5, validators=FRACTION_VALIDATORS)
    width = models.PositiveIntegerField(_("width"), editable=False)
    height = models.PositiveIntegerField(_("height"), editable=False)
    filesize = models.PositiveIntegerField(_("file size in bytes"), editable=False)
    media_type = models.CharField(_("media type"), max_length=50, editable=False)
    # Rendition by name, in the order of `processing.RENDITION_SIZES`.
    renditions = models.JSONField(default=dict, editable=False)
    source = models.CharField(_("source URL"), max_length=2000, blank=True, editable=False)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("author"), on_delete=models.PROTECT, related_name="+", editable=False
    )
    # Of users who may not publish: others may use it once a record that they see has it.
    submitted = models.BooleanField(default=False, db_default=False, editable=False)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    modified_at = models.DateTimeField(_("last modified"), auto_now=True)
    search_text = models.TextField(editable=False, blank=True)

    objects = ImageQuerySet.as_manager()

    # The file never changes, and the renditions follow from it and the focal point.
    history = History(
        excluded=("file", "digest", "width", "height", "filesize", "media_type", "renditions", "submitted", *UNTRACKED)
    )

    class Meta:
        verbose_name = _("image")
        verbose_name_plural = _("images")
        ordering = ("-created_at", "-pk")
        default_permissions = ("add", "change", "delete", "view", "submit", "change_others", "delete_others")
        constraints = [
            CheckConstraint(condition=Q(focus_x__range=(0, 1), focus_y__range=(0, 1)), name="image_focus_inside_it")
        ]

    def __str__(self) -> str:
        return self.name or self.alt or f"#{self.pk}"

    def clean(self) -> None:
        super().clean()
        if self.decorative and self.alt:
            raise ValidationError({"decorative": _("A decorative image has no alternative text.")})

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.search_text = "\n".join(map(normalize_for_search, (self.name, self.alt, self.credit)))
        super().save(*args, **kwargs)

    @property
    def file_names(self) -> list[str]:
        """The names of all files of the image in the storage, the original first."""
        return [str(self.file), *(rendition["file"] for rendition in self.renditions.values())]

    def first_rendition(self, *names: str) -> Rendition:
        """Return the first of these renditions that exists, else the original image."""
        for name in names:
            if name in self.renditions:
                rendition: Rendition = self.renditions[name]
                return rendition
        return {
            "file": str(self.file),
            "width": self.width,
            "height": self.height,
            "media_type": self.media_type,
            "filesize": self.filesize,
        }


class ImageFile(models.Model):
    """A file of an image, derived from its columns: a search for a rendition would otherwise read all images."""

    name = models.CharField(max_length=255, primary_key=True)
    image_id = models.BigIntegerField(db_index=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.name


class EmbeddedImage(models.Model):
    """An image in the HTML of a record, derived from both: a search for it would otherwise read all texts."""

    model_label = models.CharField(max_length=50)
    record_id = models.BigIntegerField()
    image_id = models.BigIntegerField()

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["image_id", "model_label", "record_id"], name="embeddedimage_once"),
        ]
        indexes = [models.Index(fields=["record_id"], name="embeddedimage_record")]

    def __str__(self) -> str:
        return f"{self.model_label} {self.record_id}: {self.image_id}"


class OrphanedFile(models.Model):
    """A file in the storage that no image has, and when it was noticed.

    A database that is restored from an older backup knows neither the newer images nor the files that were noticed
    since: the newer files are kept until the newer database is back, or until they have been noticed for long.
    """

    name = models.CharField(max_length=255, primary_key=True)
    noticed_at = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.name
