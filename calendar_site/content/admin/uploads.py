"""Taking pictures in: the form of the library, to which the scripts of other forms send theirs as well."""

from __future__ import annotations

from typing import Any, NamedTuple

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import UploadedFile
from django.forms.utils import flatatt
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.template.defaultfilters import filesizeformat
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.forms import AdminForm
from unfold.widgets import UnfoldAdminTextInputWidget

from calendar_site.content.admin.authored import AuthoredAdmin
from calendar_site.content.admin.pictures import described
from calendar_site.content.images import NewImage, keep_image, prepare_image
from calendar_site.content.models import Image
from calendar_site.content.pictures import FORMATS, MOST_BYTES, NotAPicture
from calendar_site.content.transactions import writing


def upload_attributes() -> dict[str, str]:
    """What a control for files of pictures tells the browser, and its script."""
    return {
        "type": "file",
        "class": "drop-zone",
        "data-address": reverse("admin:content_image_add"),
        "accept": ",".join(f"image/{name.lower()}" for name in FORMATS),
        "data-sending": _("Uploading…"),
        "data-too-large": _("This file is larger than this site accepts."),
        "data-failed": _("This file was not uploaded. Is the connection there, and are you still signed in?"),
    }


class FilesInput(forms.FileInput):
    """Any number of files, chosen or dropped."""

    allow_multiple_selected = True

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        attributes = {**upload_attributes(), **self.build_attrs(self.attrs, attrs), "name": name}
        return format_html("<input{}>", flatatt(attributes))

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[UploadedFile]:
        return files.getlist(name)


class FilesField(forms.Field):
    widget = FilesInput


class UploadForm(forms.Form):
    pictures = FilesField(label=gettext_lazy("Pictures"))
    credit = Image._meta.get_field("credit").formfield(
        widget=UnfoldAdminTextInputWidget,
        help_text=gettext_lazy("Who made them, and under what terms. Each can be given its own afterwards."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["pictures"].help_text = _(
            "Choose one or several, or drop them here: JPEG, PNG, GIF, WebP or AVIF, each of at most %(limit)s. "
            "Alternative texts and focal points come next."
        ) % {"limit": filesizeformat(MOST_BYTES)}


class Outcome(NamedTuple):
    """What became of a file: in words, and the image of the library that it is."""

    text: str
    image: Image | None = None


class UploadAdmin(AuthoredAdmin):
    """A library that files are added to, several at once.

    Each stands by itself: what is wrong with one keeps no other out.
    """

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = UploadForm(request.POST, request.FILES) if request.method == "POST" else UploadForm()
        outcomes = self._take_in(request, form.cleaned_data) if form.is_valid() else []
        if request.headers.get("Accept") == "application/json":
            return _as_data(form, outcomes)
        for text, image in outcomes:
            if image is None:
                form.add_error("pictures", text)
            else:
                messages.success(request, format_html('<a href="{}">{}</a>', form_address(image), text))
        if outcomes and form.is_valid():
            return HttpResponseRedirect(_next_address([image for _text, image in outcomes if image]))
        return self._upload_page(request, form)

    def _take_in(self, request: HttpRequest, given: dict[str, Any]) -> list[Outcome]:
        # Looking at pictures and cutting them takes a while, in which others may write.
        prepared = [_prepared(file) for file in given["pictures"]]
        with writing():
            return [
                new if isinstance(new, Outcome) else self._kept(request, name, new, given["credit"])
                for name, new in prepared
            ]

    def _kept(self, request: HttpRequest, name: str, new: NewImage, credit: str) -> Outcome:
        if known := Image.objects.filter(digest=new.digest).first():
            return Outcome(_("%(file)s is in the library already.") % {"file": name}, known)
        image = keep_image(new, request.user, credit=credit)
        return Outcome(_("%(file)s is in the library now.") % {"file": name}, image)

    def _upload_page(self, request: HttpRequest, form: UploadForm) -> HttpResponse:
        page = AdminForm(form, [(None, {"fields": list(form.fields)})], {}, (), model_admin=self)
        context = {
            **self.admin_site.each_context(request),
            "title": _("Add images"),
            "adminform": page,
            "errors": form.errors,
            "media": self.media + form.media,
            "inline_admin_formsets": [],
            "is_popup": False,
            "show_save_and_continue": False,
            "show_save_and_add_another": False,
        }
        return self.render_change_form(request, context, add=True)


def _prepared(file: UploadedFile) -> tuple[str, NewImage | Outcome]:
    name = str(file.name)
    try:
        return name, prepare_image(file.read(), name)
    except NotAPicture as error:
        return name, Outcome(_("%(file)s: %(fault)s") % {"file": name, "fault": error})


def _as_data(form: UploadForm, outcomes: list[Outcome]) -> JsonResponse:
    """The outcomes for a script, which shows them beside its control."""
    faults = [Outcome(str(text)) for texts in form.errors.values() for text in texts]
    results = [
        {"text": text, "address": image and form_address(image), "image": image and described(image)}
        for text, image in (*faults, *outcomes)
    ]
    return JsonResponse({"results": results})


def form_address(image: Image) -> str:
    return reverse("admin:content_image_change", args=[image.pk])


def _next_address(images: list[Image]) -> str:
    """Where to go on: with the form of a single image, where its alternative text is wanted, or with all."""
    return form_address(images[0]) if len(images) == 1 else reverse("admin:content_image_changelist")
