"""Categories and tags: the terms that events are assigned."""

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from calendar_site.content.fields import PlainField
from calendar_site.content.history import History, Recorded
from calendar_site.content.slugs import SLUG_LENGTH
from calendar_site.content.text import fold, name_key
from taxonomy.querysets import CategoryQuerySet, TermQuerySet

KEY_LENGTH = 200
# Columns that follow from others, and the count, which events change.
DERIVED = ("name_key", "search_text", "event_count")


class Term(Recorded):
    """A word under which events are found."""

    name = PlainField(_("name"), max_length=200)
    name_key = models.CharField(max_length=KEY_LENGTH, editable=False, blank=True, db_index=True)
    slug = models.CharField(_("slug"), max_length=SLUG_LENGTH, unique=True, blank=True)
    description = PlainField(_("description"), max_length=5000, blank=True)
    # Published events that have this term. Kept by the services that write events, since counting the
    # links of a popular term on every read would cost more than the rest of the answer.
    event_count = models.PositiveIntegerField(_("published events"), default=0, editable=False)
    search_text = models.TextField(editable=False, blank=True)

    objects = TermQuerySet.as_manager()

    class Meta:
        abstract = True
        # What is searched begins with the name, without regard to capitals and accents: É is beside E.
        ordering = ("search_text", "pk")

    def __str__(self) -> str:
        return self.name

    def save(self, *args, **kwargs) -> None:
        self.derive()
        super().save(*args, **kwargs)

    @staticmethod
    def key_of(name: str) -> str:
        """What two terms must share to be of the same name."""
        return name_key(name)[:KEY_LENGTH]

    def derive(self) -> None:
        """Sets the columns that follow from others; for who writes rows without `save()`."""
        self.name_key = self.key_of(self.name)
        self.search_text = f"{fold(self.name)}\n{fold(self.slug)}"


class Category(Term):
    """A term with a place in a hierarchy."""

    parent = models.ForeignKey(
        "self",
        verbose_name=_("parent"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="children",
    )

    objects = CategoryQuerySet.as_manager()
    history = History(excluded=DERIVED)

    class Meta(Term.Meta):
        verbose_name = _("category")
        verbose_name_plural = _("categories")
        constraints = [
            # Longer circles are refused by a trigger, see the migrations.
            models.CheckConstraint(
                condition=Q(parent__isnull=True) | ~Q(parent=F("pk")),
                name="category_not_its_own_parent",
                violation_error_message=_("A category cannot be below itself."),
            )
        ]

    def clean(self) -> None:
        super().clean()
        if self.pk and self.parent_id and self.pk in Category.objects.path_to_root(self.parent_id):
            raise ValidationError({"parent": _("A category cannot be below itself.")})


class Tag(Term):
    """A term of its own, without a hierarchy."""

    history = History(excluded=DERIVED)

    class Meta(Term.Meta):
        verbose_name = _("tag")
        verbose_name_plural = _("tags")
