"""The dialog that chooses an image of the library, for images of records and for descriptions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import PermissionDenied
from django.forms.utils import flatatt
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, HttpResponseNotAllowed
from django.template.loader import render_to_string

from calendar_site.back_office.base.service_admin import clean_search
from calendar_site.back_office.forms.upload_fields import upload_attributes
from calendar_site.back_office.thumbnails import format_size, image_data
from calendar_site.core.types import AnyUser
from calendar_site.media.models import Image

if TYPE_CHECKING:
    from calendar_site.back_office.library.image_admin import ImageAdmin

PER_PAGE = 24
# Users who see this many search for a name.
MAX_PAGE = 500


class PageForm(forms.Form):
    """A page of the images that match a search."""

    page = forms.IntegerField(min_value=1, max_value=MAX_PAGE)


def picker_view(request: HttpRequest, *, model_admin: ImageAdmin) -> HttpResponse:
    """Return the dialog as HTML; with `page`, only the images of that page that match the search `q`."""
    if not model_admin.has_view_permission(request):
        raise PermissionDenied
    if request.method != "GET":
        return HttpResponseNotAllowed(["GET"])
    search = clean_search(request.GET.get("q", ""))
    if "page" not in request.GET:
        context = {
            **_images_context(request.user, search, page=1),
            "max_length": Image.MAX_TEXT_LENGTH,
            "upload": flatatt(upload_attributes()) if model_admin.has_add_permission(request) else "",
        }
        return HttpResponse(render_to_string("admin/image_dialog.html", context, request))
    form = PageForm(request.GET)
    if not form.is_valid():
        return HttpResponseBadRequest(" ".join(map(str, form.errors["page"])), content_type="text/plain")
    context = _images_context(request.user, search, page=form.cleaned_data["page"])
    return HttpResponse(render_to_string("admin/image_grid.html", context, request))


def _images_context(user: AnyUser, search: str, *, page: int) -> dict[str, Any]:
    """Return the images of a page, the newest first, and the number of the next page, 0 for none. One query.

    A search takes one more for the names of the authors.
    """
    images = Image.objects.usable_by(user).order_by("-pk")
    if search.strip():
        images = images.matching(search)
    first = (page - 1) * PER_PAGE
    found = list(images[first : first + PER_PAGE + 1])
    choices = [_choice(image) for image in found[:PER_PAGE]]
    return {"choices": choices, "next_page": page + 1 if len(found) > PER_PAGE and page < MAX_PAGE else 0}


def _choice(image: Image) -> dict[str, str | bool]:
    data = image_data(image)
    size = format_size({"width": image.width, "height": image.height, "filesize": image.filesize})
    return {**data, "size": size, "json": json.dumps(data)}
