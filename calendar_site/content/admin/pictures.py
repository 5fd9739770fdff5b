"""Images of the library as the admin shows them."""

from __future__ import annotations

from typing import Any

from django.template.defaultfilters import filesizeformat
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from calendar_site.content.images import address_of
from calendar_site.content.models import Image
from calendar_site.content.pictures import SIZES

SIZE_NAMES = {
    "thumbnail": gettext_lazy("thumbnail"),
    "medium": gettext_lazy("medium"),
    "medium_large": gettext_lazy("medium large"),
    "large": gettext_lazy("large"),
}


def thumbnail(image: Image) -> SafeString:
    """The smallest size, loaded when it comes into view."""
    return _shown(image, "thumbnail", css_class="thumbnail")


def picture(image: Image) -> SafeString:
    """A size to look at, which leads to the whole."""
    return format_html('<a href="{}">{}</a>', address_of(str(image.file)), _shown(image, "medium"))


def _shown(image: Image, *names: str, css_class: str = "") -> SafeString:
    size = image.size(*names)
    return format_html(
        '<img src="{}" width="{}" height="{}" alt="{}" class="{}" loading="lazy">',
        address_of(size["file"]),
        size["width"],
        size["height"],
        image.alt or str(image),
        css_class,
    )


def focal_picture(image: Image) -> str:
    """The picture with its focal point, which the script of the form moves."""
    size = image.size("large", "medium_large", "medium")
    context = {
        "image": image,
        "size": size,
        "address": address_of(size["file"]),
        "left": f"{image.focus_x:.2%}",
        "top": f"{image.focus_y:.2%}",
    }
    return render_to_string("admin/focal_picture.html", context)


def renditions(image: Image) -> str:
    """All sizes as they are cut."""
    sizes = [(name, image.renditions[name]) for name in SIZES if name in image.renditions]
    shown = [
        {
            "name": name,
            "label": SIZE_NAMES[name],
            "facts": facts_of(size),
            "address": address_of(size["file"]),
            **size,
        }
        for name, size in sizes
    ]
    return render_to_string("admin/renditions.html", {"sizes": shown}) if shown else ""


def facts_of(size: dict[str, Any]) -> str:
    return _("%(width)s × %(height)s pixels, %(bytes)s") % {
        "width": size["width"],
        "height": size["height"],
        "bytes": filesizeformat(size["filesize"]),
    }


def described(image: Image) -> dict[str, str]:
    """What scripts show of an image that can be chosen."""
    return {
        "id": str(image.pk),
        "text": str(image),
        "alt": image.alt,
        "thumbnail": address_of(image.size("thumbnail")["file"]),
        "picture": address_of(image.size("medium")["file"]),
    }
