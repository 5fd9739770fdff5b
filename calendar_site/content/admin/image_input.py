"""The control with which records choose their image."""

from __future__ import annotations

from typing import Any

from django.contrib.admin.views.autocomplete import AutocompleteJsonView
from django.forms import Media
from django.forms.utils import flatatt
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from calendar_site.content import rules
from calendar_site.content.admin.fields import RowInput, is_id
from calendar_site.content.admin.pictures import described
from calendar_site.content.admin.uploads import upload_attributes
from calendar_site.content.models import Image

LIBRARY_STYLE = "back_office/images.css"
LIBRARY_SCRIPT = "back_office/images.js"


class ImageChoices(AutocompleteJsonView):
    """Images to choose from, with what the control shows of them; or the one that it names, as it is now."""

    def get_queryset(self) -> Any:
        images, chosen = super().get_queryset(), self.request.GET.get("id")
        if chosen is None:
            return images
        return images.filter(pk=chosen) if is_id(chosen) else images.none()

    def serialize_result(self, obj: Any, to_field_name: str) -> dict[str, str]:
        return described(obj)


class ImageInput(RowInput):
    """An image of the library, searched for and chosen, or uploaded into the library at once.

    At once, so that a form that is wrong in something else has not lost the file when it comes back.
    """

    def __init__(self, field: Any, admin_site: Any, user: Any) -> None:
        super().__init__(field, admin_site)
        self.may_upload = rules.can_create(user, Image)

    def get_url(self) -> str:
        return reverse("admin:content_image_choices")

    @property
    def media(self) -> Media:
        # After the script of the control that it goes on from.
        return super().media + Media(js=(LIBRARY_SCRIPT,))

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        chosen: Any = self.choices.queryset.filter(pk=value).first() if is_id(value) else None
        upload = {
            **upload_attributes(),
            "aria-label": _("Upload a picture"),
        }
        context = {
            "select": super().render(name, value, attrs, renderer),
            "image": chosen and described(chosen),
            "upload": flatatt(upload) if self.may_upload else "",
        }
        return render_to_string("admin/image_input.html", context)
