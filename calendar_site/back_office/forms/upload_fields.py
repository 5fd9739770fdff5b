"""Form fields for uploaded image files."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.forms.utils import flatatt
from django.template.defaultfilters import filesizeformat
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from calendar_site.media.processing import FORMATS, MAX_BYTES


def upload_attributes() -> dict[str, str]:
    """Return the attributes of a file input for images, for the browser and for the script that uploads."""
    return {
        "type": "file",
        "class": "drop-zone",
        "data-url": reverse("admin:media_image_add"),
        "accept": ",".join(f"image/{name.lower()}" for name in FORMATS),
        "data-sending": _("Uploading…"),
        "data-max-bytes": str(MAX_BYTES),
        "data-too-large": _("The file is larger than %(limit)s.") % {"limit": filesizeformat(MAX_BYTES)},
        "data-missing-alt": _("Describe the image, or mark it as decorative."),
        "data-alt-label": _("Alternative text"),
        "data-decorative-label": _("Decorative: it needs no alternative text"),
        "data-failed": _("The upload failed. Check your connection, and that you are still signed in."),
    }


class FilesInput(forms.FileInput):
    """An input for any number of files, chosen or dropped."""

    allow_multiple_selected = True

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        attributes = {**upload_attributes(), **self.build_attrs(self.attrs, attrs), "name": name}
        return format_html("<input{}>", flatatt(attributes))

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[UploadedFile]:
        return files.getlist(name)


class FilesField(forms.Field):
    widget = FilesInput
