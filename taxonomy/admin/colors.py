"""The colors of categories in the admin: their form field, and the styles of what is shown in them.

Texts are never on the color itself, but on a light or dark tint of it. The lightness of tint and text is fixed in the
style sheets, so that texts are readable whatever color an editor chooses (docs/decisions/0066-category-colors.md).
"""

from __future__ import annotations

from math import atan2, cbrt, degrees, hypot
from typing import Any, NamedTuple

from django import forms
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from calendar_site.site_profile.colors import linear_channel

# Lightness and chroma are similar, hues differ as much as possible.
PALETTE = {
    "#c62f3a": _("Red"),
    "#c2570c": _("Orange"),
    "#a37200": _("Yellow"),
    "#4d8a1f": _("Green"),
    "#00887a": _("Teal"),
    "#0a7ab8": _("Blue"),
    "#4f5bd5": _("Indigo"),
    "#8a45c4": _("Violet"),
    "#bf3a8c": _("Pink"),
    "#6b7280": _("Gray"),
}
CUSTOM = "custom"
DEFAULT_CUSTOM = "#0a7ab8"
# The number of hues of categories without a color of their own: classes of calendar.css.
HUES = 8
# More color in a tint would change how light it looks.
MAX_TINT_CHROMA = 0.05


class TermStyle(NamedTuple):
    """The class and the style attribute that give an element the color of a category."""

    css_class: str
    style: str


def term_style(category: Any) -> TermStyle:
    """Return the style of a category with its `shown_color`, or of None: events without a category are gray."""
    if category is None:
        return TermStyle("hue-none", "")
    if not category.shown_color:
        return TermStyle(f"hue-{category.pk % HUES}", "")
    chroma, hue = chroma_and_hue(category.shown_color)
    tint = min(chroma / 3, MAX_TINT_CHROMA)
    return TermStyle("has-color", f"--hue: {hue:.0f}; --strength: {tint:.3f}; --color: {category.shown_color}")


def term_chip(category: Any) -> SafeString:
    """Return the name of a category beside its color."""
    css_class, style = term_style(category)
    attribute = format_html(' style="{}"', style) if style else ""
    return format_html('<span class="term {}"{}>{}</span>', css_class, attribute, category.name)


def color_name(color: str) -> str:
    """Return the name of a color of the palette, and other colors as they are."""
    return str(PALETTE.get(color, color) if color else _("Automatic"))


def chroma_and_hue(color: str) -> tuple[float, float]:
    """Return the chroma and the hue in degrees that a color such as `#0a7ab8` has in Oklch."""
    red, green, blue = (linear_channel(int(color[start : start + 2], 16) / 255) for start in (1, 3, 5))
    # The matrices of Oklab (CSS Color 4, section 9.2), for linear sRGB.
    long = cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
    medium = cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
    short = cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
    a = 1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short
    b = 0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short
    return hypot(a, b), degrees(atan2(b, a)) % 360


class _ColorWidget(forms.Widget):
    """Radio buttons for the colors of the palette, and a control for other ones."""

    use_fieldset = True

    class Media:
        css = {"all": ("back_office/color_field.css",)}
        js = ("back_office/color_field.js",)

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        is_custom = bool(value) and value not in PALETTE
        context = {
            "name": name,
            "id": (attrs or {}).get("id", name),
            "palette": PALETTE.items(),
            "chosen": CUSTOM if is_custom else value or "",
            "custom": value or DEFAULT_CUSTOM,
        }
        return render_to_string("admin/taxonomy/color.html", context)

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        choice = data.get(name)
        return data.get(f"{name}_custom", CUSTOM) if choice == CUSTOM else choice

    def id_for_label(self, id_: str, index: str | None = None) -> str:
        # The label is the legend of a fieldset.
        return ""


class ColorField(forms.CharField):
    """A color of the palette, any other one, or "" for an automatic one."""

    widget = _ColorWidget

    def to_python(self, value: Any) -> str:
        return str(super().to_python(value) or "").lower()
