"""The widget for choosing the image of a record."""

from __future__ import annotations

from typing import Any

from django.contrib.admin import AdminSite, ModelAdmin
from django.contrib.admin.views.autocomplete import AutocompleteJsonView
from django.forms import Media
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from calendar_site.back_office.forms.record_fields import RecordSelect
from calendar_site.back_office.thumbnails import image_data
from calendar_site.back_office.urls import is_valid_id
from calendar_site.core import permissions
from calendar_site.core.types import AnyUser
from calendar_site.media.models import Image

LIBRARY_STYLE = "back_office/image_library.css"
LIBRARY_SCRIPT = "back_office/image_library.js"
DIALOG_STYLE = "back_office/image_dialog.css"
DIALOG_SCRIPT = "back_office/image_dialog.js"


class ImageAutocompleteView(AutocompleteJsonView):
    """Images to choose from, with URLs of their renditions; or the current data of the one image `id`."""

    def get_queryset(self) -> Any:
        library: Any = super().get_queryset()
        images, chosen = library.usable_by(self.request.user), self.request.GET.get("id")
        if chosen is None:
            return images
        return images.filter(pk=chosen) if is_valid_id(chosen) else images.none()

    def serialize_result(self, obj: Any, to_field_name: str) -> dict[str, str | bool]:  # type: ignore[override]
        return image_data(obj)


def image_autocomplete_view(request: HttpRequest, *, model_admin: ModelAdmin) -> HttpResponseBase:
    return ImageAutocompleteView.as_view(admin_site=model_admin.admin_site)(request)


class ImagePicker(RecordSelect):
    """A select of images in the library, with a dialog that shows them in a grid and uploads new ones."""

    def __init__(self, field: Any, admin_site: AdminSite, user: AnyUser) -> None:
        super().__init__(field, admin_site)
        self.can_upload = permissions.can_submit(user, Image)

    def get_url(self) -> str:
        return reverse("admin:media_image_autocomplete")

    @property
    def media(self) -> Media:
        # Must follow the script of the select, which it extends.
        return super().media + Media(css={"all": (DIALOG_STYLE,)}, js=(DIALOG_SCRIPT, LIBRARY_SCRIPT))

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        chosen: Any = self.choices.queryset.filter(pk=value).first() if is_valid_id(value) else None
        context = {
            "select": super().render(name, value, attrs, renderer),
            "image": chosen and image_data(chosen),
            "button": _("Choose or upload an image…") if self.can_upload else _("Choose from the library…"),
        }
        return render_to_string("admin/image_picker.html", context)
