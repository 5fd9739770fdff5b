"""The one record with the name, look and texts of the site."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from calendar_site.audit.models import History, TrackedModel
from calendar_site.core.fields import HTMLField, PlainTextField
from calendar_site.core.types import AnyUser
from calendar_site.media.models import Image
from calendar_site.site_profile.colors import DARK, LIGHT, ColorScheme
from calendar_site.site_profile.custom_css import clean_css
from calendar_site.site_profile.links import parse_links

validate_color = RegexValidator(r"^#[0-9a-f]{6}\Z", gettext_lazy("Enter a color such as #0a7ab8."))


class SiteProfileQuerySet(models.QuerySet["SiteProfile"]):
    def readable_by(self, user: AnyUser) -> Self:
        """Return all rows, as those of other records with images: everybody sees the site."""
        return self

    def with_fields_visible_to(self, user: AnyUser) -> Self:
        """Return all rows: no field is hidden."""
        return self


class HomeView(models.TextChoices):
    LIST = "list", gettext_lazy("List")
    MONTH = "month", gettext_lazy("Month")


class Font(models.TextChoices):
    SYSTEM = "", pgettext_lazy("font", "As other programs on the device")
    HUMANIST = "humanist", pgettext_lazy("font", "Humanist, as in signs")
    SERIF = "serif", pgettext_lazy("font", "With serifs, as in books")
    ROUNDED = "rounded", pgettext_lazy("font", "Rounded")


class FirstWeekday(models.TextChoices):
    BY_LANGUAGE = "", gettext_lazy("As usual in the language")
    MONDAY = "monday", WEEKDAYS[0]
    SUNDAY = "sunday", WEEKDAYS[6]
    SATURDAY = "saturday", WEEKDAYS[5]


def _color(label: Any) -> Any:
    return models.CharField(label, max_length=7, blank=True, validators=[validate_color])


class SiteProfile(TrackedModel):
    """The name, look and texts of the site. There is one row at most, and none before it is first saved.

    Environment variables win: see `calendar_site.site_profile.current`.
    """

    # Keeps the table to one row.
    is_only_one = models.BooleanField(default=True, unique=True, editable=False)
    name = PlainTextField(gettext_lazy("name"), max_length=100, blank=True)
    logo = models.ForeignKey(
        Image,
        verbose_name=gettext_lazy("logo"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text=gettext_lazy("Replaces the name at the top of each page."),
    )
    icon = models.ForeignKey(
        Image,
        verbose_name=gettext_lazy("icon"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text=gettext_lazy("A square image, for tabs of browsers and home screens."),
    )
    intro = HTMLField(
        gettext_lazy("introduction"), blank=True, help_text=gettext_lazy("Above the events of the home page.")
    )
    home_view = models.CharField(gettext_lazy("home page"), max_length=10, choices=HomeView, default=HomeView.LIST)
    first_weekday = models.CharField(
        gettext_lazy("first day of the week"), max_length=10, choices=FirstWeekday, blank=True
    )
    lists_images = models.BooleanField(gettext_lazy("images"), default=True)
    lists_venues = models.BooleanField(gettext_lazy("venues"), default=True)
    lists_prices = models.BooleanField(gettext_lazy("prices"), default=False)
    lists_texts = models.BooleanField(gettext_lazy("short texts"), default=False)
    link_color = _color(gettext_lazy("links and buttons"))
    background_color = _color(gettext_lazy("background"))
    text_color = _color(gettext_lazy("text"))
    dark_link_color = _color(gettext_lazy("links and buttons, dark scheme"))
    dark_background_color = _color(gettext_lazy("background, dark scheme"))
    dark_text_color = _color(gettext_lazy("text, dark scheme"))
    font = models.CharField(gettext_lazy("font"), max_length=10, choices=Font, blank=True)
    custom_css = models.TextField(gettext_lazy("style sheet"), blank=True)
    header_links = models.TextField(
        gettext_lazy("links in the header"),
        blank=True,
        max_length=5000,
        help_text=gettext_lazy("One per line: a text, a vertical bar, and a URL. Town hall | https://town.example/"),
    )
    footer_links = models.TextField(gettext_lazy("links in the footer"), blank=True, max_length=5000)
    imprint = HTMLField(gettext_lazy("imprint"), blank=True)
    privacy = HTMLField(gettext_lazy("privacy"), blank=True)
    contact = HTMLField(gettext_lazy("contact"), blank=True)
    shows_api_link = models.BooleanField(gettext_lazy("link to the API in the footer"), default=True)
    shows_admin_link = models.BooleanField(gettext_lazy("link to the admin in the footer"), default=True)

    objects = SiteProfileQuerySet.as_manager()
    history = History(excluded=("is_only_one",))

    class Meta:
        verbose_name = gettext_lazy("site")
        verbose_name_plural = pgettext_lazy("the one record about this site", "site")
        default_permissions = ("change", "view")

    def __str__(self) -> str:
        return self.name or str(gettext_lazy("site")).capitalize()

    @property
    def light(self) -> ColorScheme:
        return ColorScheme(
            self.background_color or LIGHT.background, self.text_color or LIGHT.text, self.link_color or LIGHT.link
        )

    @property
    def dark(self) -> ColorScheme:
        return ColorScheme(
            self.dark_background_color or DARK.background,
            self.dark_text_color or DARK.text,
            self.dark_link_color or DARK.link,
        )

    def clean(self) -> None:
        super().clean()
        errors: dict[str, ValidationError] = {}
        try:
            self.custom_css = clean_css(self.custom_css)
        except ValidationError as error:
            errors["custom_css"] = error
        for name in ("header_links", "footer_links"):
            try:
                parse_links(getattr(self, name))
            except ValidationError as error:
                errors[name] = error
        errors |= self._contrast_errors((("", self.light), ("dark_", self.dark)))
        if errors:
            raise ValidationError(errors)

    def _contrast_errors(self, schemes: Iterable[tuple[str, ColorScheme]]) -> dict[str, ValidationError]:
        text = _("The contrast with the background is %(found)s to 1. Texts need at least %(needed)s to 1.")
        return {
            f"{prefix}{low.name}_color": ValidationError(text % {"found": f"{low.found:.1f}", "needed": low.needed})
            for prefix, scheme in schemes
            for low in scheme.low_contrasts()
        }
