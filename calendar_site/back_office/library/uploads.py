"""Uploading images: the form of the library, which also receives files from the scripts of other forms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.template.defaultfilters import filesizeformat
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.forms import AdminForm
from unfold.widgets import UnfoldAdminTextInputWidget, UnfoldBooleanSwitchWidget

from calendar_site.back_office.forms.upload_fields import FilesField
from calendar_site.back_office.thumbnails import image_data
from calendar_site.back_office.urls import admin_url
from calendar_site.core import permissions
from calendar_site.core.busy import ResourceBusy
from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.text.plain_text import join_label
from calendar_site.core.types import AnyUser
from calendar_site.media.image_process import InvalidImage
from calendar_site.media.library import (
    PreparedImage,
    deleting_unused_files,
    image_deadline,
    prepare_image,
    save_image,
    store_files,
    store_image,
)
from calendar_site.media.models import Image
from calendar_site.media.processing import MAX_BYTES

if TYPE_CHECKING:
    from calendar_site.back_office.library.image_admin import ImageAdmin


class UploadForm(forms.Form):
    images = FilesField(label=gettext_lazy("Images"))
    alt = Image._meta.get_field("alt").formfield(
        required=False,
        widget=UnfoldAdminTextInputWidget,
        help_text=gettext_lazy("Describe the image for people who cannot see it."),
    )
    decorative = forms.BooleanField(
        label=gettext_lazy("Decorative"),
        required=False,
        widget=UnfoldBooleanSwitchWidget,
        help_text=gettext_lazy("The image adds no information, so that it needs no alternative text."),
    )
    credit = Image._meta.get_field("credit").formfield(
        widget=UnfoldAdminTextInputWidget,
        help_text=gettext_lazy(
            "Creator and license. Applies to all images in this upload; you can change it for each image later."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["images"].help_text = _(
            "Choose one or more files, or drop them here. JPEG, PNG, GIF, WebP or AVIF, up to %(limit)s "
            "each. You can set focal points after the upload."
        ) % {"limit": filesizeformat(MAX_BYTES)}

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        alt, is_decorative = data.get("alt"), data.get("decorative")
        if alt and is_decorative:
            self.add_error("decorative", _("A decorative image has no alternative text."))
        elif not alt and not is_decorative and "alt" not in self.errors:
            self.add_error("alt", _("Describe the image, or mark it as decorative."))
        elif alt and len(data.get("images") or ()) > 1:
            self.add_error("alt", _("Several images cannot have the same alternative text. Upload them one by one."))
        return data


class UploadResult(NamedTuple):
    """The result for a file: a message, and its image in the library; None if the file was rejected."""

    message: str
    image: Image | None = None


def upload_view(request: HttpRequest, model_admin: ImageAdmin) -> HttpResponse:
    """Add several files at once, each on its own: an error in one does not affect the others."""
    if not model_admin.has_add_permission(request):
        raise PermissionDenied
    form = UploadForm(request.POST, request.FILES) if request.method == "POST" else UploadForm()
    results = _store_files(form.cleaned_data, request.user) if form.is_valid() else []
    if request.headers.get("Accept") == "application/json":
        return _json_response(form, results)
    for message, image in results:
        if image is None:
            form.add_error("images", message)
        else:
            messages.success(request, format_html('<a href="{}">{}</a>', _form_url(image), message))
    if results and form.is_valid():
        images = [image for _message, image in results if image]
        # Show the form of a single image, so that the user can enter its alternative text.
        url = _form_url(images[0]) if len(images) == 1 else admin_url(Image, "changelist")
        return HttpResponseRedirect(url)
    return _render_form(model_admin, request, form)


def _store_files(data: dict[str, Any], user: AnyUser) -> list[UploadResult]:
    # Prepare the images before taking the lock, because that takes a while.
    deadline = image_deadline()
    prepared = [_prepare(file, deadline) for file in data["images"]]
    new = [image for _name, image in prepared if isinstance(image, PreparedImage)]
    with deleting_unused_files(new), write_lock():
        return [
            image if isinstance(image, UploadResult) else _store(name, image, data, user) for name, image in prepared
        ]


def _prepare(file: UploadedFile, deadline: float) -> tuple[str, PreparedImage | UploadResult]:
    name = str(file.name)
    try:
        return name, store_files(prepare_image(file.read(), name, deadline=deadline))
    except (InvalidImage, ResourceBusy) as error:
        return name, UploadResult(join_label(name, str(error)))


def _store(name: str, prepared: PreparedImage, data: dict[str, Any], user: AnyUser) -> UploadResult:
    is_known = Image.objects.filter(digest=prepared.digest).exists()
    texts = {key: data[key] for key in ("alt", "decorative", "credit")}
    image = store_image(prepared, user=user, **texts)
    if is_known:
        if texts["alt"] and not image.alt and permissions.can_edit(user, image):
            save_image(image, changes={"alt": texts["alt"], "decorative": False}, user=user)
        return UploadResult(_("%(file)s is already in the library.") % {"file": name}, image)
    return UploadResult(_("%(file)s was added to the library.") % {"file": name}, image)


def _json_response(form: UploadForm, results: list[UploadResult]) -> JsonResponse:
    """Return the results for a script, which shows them beside its file input."""
    errors = [UploadResult(str(text)) for texts in form.errors.values() for text in texts]
    rows = [
        {"text": message, "url": image and _form_url(image), "image": image and image_data(image)}
        for message, image in (*errors, *results)
    ]
    return JsonResponse({"results": rows})


def _render_form(model_admin: ImageAdmin, request: HttpRequest, form: UploadForm) -> HttpResponse:
    admin_form = AdminForm(form, [(None, {"fields": list(form.fields)})], {}, (), model_admin=model_admin)
    context = {
        **model_admin.admin_site.each_context(request),
        "title": _("Add images"),
        "adminform": admin_form,
        "errors": form.errors,
        "media": model_admin.media + form.media,
        "inline_admin_formsets": [],
        "is_popup": False,
        "show_save_and_continue": False,
        "show_save_and_add_another": False,
    }
    return model_admin.render_change_form(request, context, add=True)


def _form_url(image: Image) -> str:
    return admin_url(image, "change", image.pk)
