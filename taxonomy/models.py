"""Categories and tags: the terms that events are assigned."""

from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from calendar_site.audit.models import History, TrackedModel
from calendar_site.core.database.constraints import CheckConstraint
from calendar_site.core.fields import PlainTextField
from calendar_site.core.slugs import MAX_SLUG_LENGTH
from calendar_site.core.text.plain_text import name_key, normalize_for_search
from calendar_site.media.models import Image
from taxonomy.querysets import CategoryQuerySet, TermQuerySet

# Columns that are derived from others or from events; histories leave them out.
DERIVED_COLUMNS = ("name_key", "search_text", "event_count")


class Term(TrackedModel):
    """A category or a tag, by which events are classified."""

    MAX_NAME_LENGTH = 200
    MAX_DESCRIPTION_LENGTH = 5000

    name = PlainTextField(_("name"), max_length=MAX_NAME_LENGTH)
    name_key = models.CharField(max_length=MAX_NAME_LENGTH, editable=False, blank=True, db_index=True)
    slug = models.CharField(_("slug"), max_length=MAX_SLUG_LENGTH, unique=True, blank=True)
    description = PlainTextField(_("description"), max_length=MAX_DESCRIPTION_LENGTH, blank=True)
    # The number of published events with this term. Services that write events update it, because counting the
    # links of a popular term for every response would take longer than the rest.
    event_count = models.PositiveIntegerField(_("published events"), default=0, editable=False)
    search_text = models.TextField(editable=False, blank=True)

    objects = TermQuerySet.as_manager()

    class Meta:
        abstract = True
        # The search text begins with the normalized name, which sorts É like E.
        ordering = ("search_text", "pk")

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.update_derived_fields()
        super().save(*args, **kwargs)

    @staticmethod
    def key_of(name: str) -> str:
        """Return a key that is equal for names that differ only in case and whitespace."""
        return name_key(name)[: Term.MAX_NAME_LENGTH]

    def update_derived_fields(self) -> None:
        """Set the derived columns. `save()` does so; bulk writes must call it."""
        self.name_key = self.key_of(self.name)
        self.search_text = f"{normalize_for_search(self.name)}\n{normalize_for_search(self.slug)}"


class Category(Term):
    """A term in a hierarchy."""

    # Such as `#0a7ab8`; "" for one that the admin chooses. See `taxonomy.admin.colors`.
    color = models.CharField(
        _("color"),
        max_length=7,
        blank=True,
        default="",
        db_default="",
        validators=[RegexValidator(r"^#[0-9a-f]{6}\Z", _("Enter a color such as #0a7ab8."))],
    )
    image = models.ForeignKey(
        Image,
        verbose_name=_("image"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text=_("Shown in the calendar for events of this category that have no image."),
    )
    parent = models.ForeignKey(
        "self",
        verbose_name=_("parent category"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="children",
    )

    objects: ClassVar = CategoryQuerySet.as_manager()
    history = History(excluded=DERIVED_COLUMNS)

    class Meta(Term.Meta):
        verbose_name = _("category")
        verbose_name_plural = _("categories")
        constraints = [
            # A trigger rejects longer cycles; see the migrations.
            CheckConstraint(
                condition=Q(parent__isnull=True) | ~Q(parent=F("pk")),
                name="category_not_its_own_parent",
                violation_error_message=_("A category cannot be nested under itself or one of its subcategories."),
            )
        ]

    def clean(self) -> None:
        super().clean()
        if self.pk and self.parent_id and self.pk in Category.objects.ancestor_ids(self.parent_id):
            raise ValidationError(
                {"parent": _("A category cannot be nested under itself or one of its subcategories.")}
            )


class Tag(Term):
    """A term without a hierarchy."""

    history = History(excluded=DERIVED_COLUMNS)

    class Meta(Term.Meta):
        verbose_name = _("tag")
        verbose_name_plural = _("tags")
