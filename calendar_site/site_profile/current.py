"""The profile of the site as its pages, feeds and emails show it: environment variables win over the saved record."""

from __future__ import annotations

from typing import NamedTuple

from django.conf import settings
from django.utils.functional import cached_property

from calendar_site.site_profile.colors import DARK, LIGHT, ColorScheme, mix
from calendar_site.site_profile.links import SiteLink, parse_links
from calendar_site.site_profile.models import Font, SiteProfile

# Fonts of the device, so that nothing is loaded.
FONTS = {
    Font.HUMANIST: 'Seravek, "Gill Sans Nova", Ubuntu, Calibri, "DejaVu Sans", source-sans-pro, sans-serif',
    Font.SERIF: '"Iowan Old Style", "Palatino Linotype", "URW Palladio L", P052, serif',
    Font.ROUNDED: 'ui-rounded, "Hiragino Maru Gothic ProN", Quicksand, Comfortaa, Manjari, sans-serif',
}
# Parts of the text color in colors that are derived from the background.
SURFACE, BORDER, MUTED = 0.05, 0.2, 0.85


class FixedValue(NamedTuple):
    """A value that an environment variable sets."""

    variable: str
    value: str


def fixed_values() -> dict[str, FixedValue]:
    """Return the values that environment variables set, by the fields of the profile."""
    return {
        field: FixedValue(variable, getattr(settings, variable))
        for field, variable in {"name": "SITE_NAME", "home_view": "HOME_VIEW"}.items()
        if variable in settings.VARIABLES_OF_SITE
    }


def load_profile() -> SiteProfile:
    """Return the saved profile, or one with the default of each field. One query."""
    return SiteProfile.objects.select_related("logo", "icon").first() or SiteProfile()


def load_name() -> str:
    """Return the name of the site. One query, none if an environment variable sets it."""
    return settings.SITE_NAME if "name" in fixed_values() else CurrentProfile(load_profile()).name


class CurrentProfile:
    """The values of a profile, with environment variables and defaults."""

    def __init__(self, profile: SiteProfile) -> None:
        self.saved = profile

    @property
    def name(self) -> str:
        return (not _is_fixed("name") and self.saved.name) or settings.SITE_NAME

    @property
    def home_view(self) -> str:
        return settings.HOME_VIEW if _is_fixed("home_view") else self.saved.home_view

    @property
    def first_weekday(self) -> str:
        return self.saved.first_weekday

    @property
    def header_links(self) -> list[SiteLink]:
        return parse_links(self.saved.header_links)

    @property
    def footer_links(self) -> list[SiteLink]:
        return parse_links(self.saved.footer_links)

    @cached_property
    def style_sheet(self) -> str:
        """The custom properties that differ from site.css, and the style sheet of the owner. "" without any."""
        font = FONTS.get(Font(self.saved.font))
        light = _color_properties(self.saved.light, LIGHT)
        dark = _color_properties(self.saved.dark, DARK)
        parts = [
            f":root{{--font-family:{font}}}" if font else "",
            f":root{{{light}}}" if light else "",
            # The light colors would otherwise win, because they come later than those of site.css.
            f"@media (prefers-color-scheme:dark){{:root{{{dark or _all_properties(DARK)}}}}}" if light or dark else "",
            self.saved.custom_css,
        ]
        return "".join(parts)


def _is_fixed(field: str) -> bool:
    return field in fixed_values()


def _color_properties(scheme: ColorScheme, default: ColorScheme) -> str:
    return _all_properties(scheme) if scheme != default else ""


def _all_properties(scheme: ColorScheme) -> str:
    colors = {
        "background": scheme.background,
        "text": scheme.text,
        "link": scheme.link,
        "surface": mix(scheme.text, scheme.background, SURFACE),
        "border": mix(scheme.text, scheme.background, BORDER),
        "muted": mix(scheme.text, scheme.background, MUTED),
        "bar": mix(scheme.link, scheme.background, BORDER),
        "bar-text": scheme.text,
    }
    return ";".join(f"--{name}:{color}" for name, color in colors.items())
