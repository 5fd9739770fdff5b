"""HTML of images of the library, as the admin shows them."""

from __future__ import annotations

from typing import Any

from django.template.defaultfilters import filesizeformat
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from calendar_site.media.library import file_url
from calendar_site.media.models import Image
from calendar_site.media.processing import RENDITION_SIZES

SIZE_NAMES = {
    "thumbnail": gettext_lazy("Thumbnail"),
    "medium": gettext_lazy("Medium"),
    "medium_large": gettext_lazy("Medium large"),
    "large": gettext_lazy("Large"),
}

TRANSPARENT_PIXEL = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"


def thumbnail(image: Image) -> SafeString:
    """Return the smallest rendition, which `thumbnails.js` loads when it is on the screen."""
    size = image.first_rendition("thumbnail")
    return format_html(
        '<img src="{}" data-src="{}" width="{}" height="{}" alt="{}" class="thumbnail">',
        TRANSPARENT_PIXEL,
        file_url(size["file"]),
        size["width"],
        size["height"],
        image.alt or str(image),
    )


def linked_image(image: Image) -> SafeString:
    """Return a medium rendition, linked to the original."""
    size = image.first_rendition("medium")
    return format_html(
        '<a href="{}"><img src="{}" width="{}" height="{}" alt="{}" loading="lazy"></a>',
        file_url(str(image.file)),
        file_url(size["file"]),
        size["width"],
        size["height"],
        image.alt or str(image),
    )


def focal_point_input(image: Image) -> str:
    """Return the image with its focal point, which the script of the form moves."""
    size = image.first_rendition("large", "medium_large", "medium")
    context = {
        "image": image,
        "size": size,
        "url": file_url(size["file"]),
        "left": f"{image.focus_x:.2%}",
        "top": f"{image.focus_y:.2%}",
    }
    return render_to_string("admin/focal_point.html", context)


def renditions(image: Image) -> str:
    """Return all renditions of the image."""
    sizes = [(name, image.renditions[name]) for name in RENDITION_SIZES if name in image.renditions]
    rows = [
        {
            "name": name,
            "label": SIZE_NAMES[name],
            "description": format_size(size),
            "url": file_url(size["file"]),
            **size,
        }
        for name, size in sizes
    ]
    return render_to_string("admin/renditions.html", {"sizes": rows}) if rows else ""


def format_size(size: dict[str, Any]) -> str:
    return _("%(width)s × %(height)s pixels, %(bytes)s") % {
        "width": size["width"],
        "height": size["height"],
        "bytes": filesizeformat(size["filesize"]),
    }


def image_data(image: Image) -> dict[str, str | bool]:
    """Return the data that scripts need to show an image as a choice."""
    return {
        "id": str(image.pk),
        "text": str(image),
        "alt": image.alt,
        "decorative": image.decorative,
        "thumbnail": file_url(image.first_rendition("thumbnail")["file"]),
        "medium": file_url(image.first_rendition("medium")["file"]),
        "large": file_url(image.first_rendition("large")["file"]),
    }
