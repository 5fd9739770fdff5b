"""The image library in the admin."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.actions import delete_selected
from django.contrib.admin.utils import unquote
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string
from django.urls import path
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from calendar_site.content.admin import pictures
from calendar_site.content.admin.actions import not_yours_to_delete, say_left
from calendar_site.content.admin.filters import AuthorFilter
from calendar_site.content.admin.forms import ServiceForm
from calendar_site.content.admin.image_input import LIBRARY_SCRIPT, LIBRARY_STYLE, ImageChoices
from calendar_site.content.admin.routes import address
from calendar_site.content.admin.states import Subject
from calendar_site.content.admin.uploads import UploadAdmin, form_address
from calendar_site.content.choices import Status
from calendar_site.content.images import Uses, delete_image, save_image, set_image, uses_of
from calendar_site.content.models import Content, Image
from calendar_site.content.transactions import writing


class UsedFilter(admin.SimpleListFilter):
    title = gettext_lazy("use")
    parameter_name = "used"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("yes", _("used")), ("no", _("not used"))]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        return queryset.used(self.value() == "yes") if self.value() in ("yes", "no") else queryset


class AltFilter(admin.SimpleListFilter):
    title = gettext_lazy("alternative text")
    parameter_name = "alt"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("with", _("with")), ("without", _("without"))]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        match self.value():
            case "with":
                return queryset.exclude(alt="")
            case "without":
                return queryset.filter(alt="")
        return queryset


class CreatedFilter(admin.SimpleListFilter):
    title = gettext_lazy("created")
    parameter_name = "created"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("1", _("today")), ("7", _("in the last 7 days")), ("30", _("in the last 30 days"))]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        if self.value() not in ("1", "7", "30"):
            return queryset
        first = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
        return queryset.filter(created_at__gte=first - timedelta(days=int(str(self.value())) - 1))


class ImageForm(ServiceForm):
    def prepare(self) -> None:
        helps = {
            "focus_x": _("From 0 at the left edge to 1 at the right."),
            "focus_y": _("From 0 at the upper edge to 1 at the lower."),
        }
        for name in helps.keys() & self.fields.keys():
            self.fields[name].help_text = helps[name]

    def settle(self, fields: dict[str, Any]) -> None:
        set_image(self.instance, fields)


@admin.register(Image)
class ImageAdmin(UploadAdmin):
    form = ImageForm
    view_on_site: Any = False
    list_display = ("thumbnail", "title", "dimensions", "author_name", "created", "use_count")
    list_display_links = ("thumbnail", "title")
    list_filter: Any = (UsedFilter, AltFilter, CreatedFilter, AuthorFilter)
    search_help_text = gettext_lazy("Words of the name, the alternative text, the credit or the author's name.")
    actions: Any = ("delete_selected",)
    readonly_fields = (
        "preview",
        "sizes",
        "used_by",
        "dimensions",
        "media_type",
        "source",
        "author_name",
        "created",
        "modified",
    )
    fieldsets = (
        (None, {"fields": ("preview", ("focus_x", "focus_y"), "name", "alt", "credit")}),
        (
            gettext_lazy("As it is shown"),
            {
                "fields": ("sizes",),
                "description": gettext_lazy("The thumbnail is cut around the focal point, the others show all of it."),
            },
        ),
        (gettext_lazy("Used by"), {"fields": ("used_by",)}),
        (
            gettext_lazy("File"),
            {"fields": ("dimensions", "media_type", "source", "author_name", "created", "modified")},
        ),
    )

    class Media:
        css = {"all": (LIBRARY_STYLE,)}
        js = (LIBRARY_SCRIPT,)

    def write(self, image: Any, fields: dict[str, Any], user: Any) -> None:
        # As it is stored: the form has set the new focal point on its own already.
        save_image(Image.objects.get(pk=image.pk), fields, user)

    def bring_back(self, image: Any, fields: dict[str, Any], user: Any) -> None:
        save_image(image, fields, user)

    def set_fields(self, image: Any, fields: dict[str, Any], user: Any) -> None:
        set_image(image, fields)

    def may_bring_back(self, request: HttpRequest, subject: Subject) -> bool:
        # The file of one that was deleted is gone as well.
        return subject.row is not None

    def delete_for_good(self, images: Any, user: Any) -> None:
        for image in images:
            delete_image(image, user)

    def get_urls(self) -> Any:
        choices = self.admin_site.admin_view(ImageChoices.as_view(admin_site=self.admin_site))
        return [path("choices/", choices, name="content_image_choices"), *super().get_urls()]

    def get_queryset(self, request: HttpRequest) -> Any:
        images = super().get_queryset(request)
        return images.counting_uses() if self.is_listing(request) else images

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        image = super().get_object(request, object_id, from_field)
        if image is not None:
            image.uses = SimpleLazyObject(lambda: uses_of(image, request.user))
        return image

    # --- Deleting, which is for what nothing shows

    def _delete_view(self, request: HttpRequest, object_id: str, extra_context: Any) -> Any:
        image = self.get_object(request, unquote(object_id))
        if image is not None and image.uses.total and self.has_delete_permission(request, image):
            messages.error(request, _refusal(image))
            return HttpResponseRedirect(form_address(image))
        return super()._delete_view(request, object_id, extra_context)

    @admin.action(description=gettext_lazy("Delete"), permissions=["delete"])
    def delete_selected(self, request: HttpRequest, queryset: Any) -> HttpResponse | None:
        """Asks, and then deletes what the user may delete and nothing shows; says what is left."""
        with writing():
            theirs = [image for image in queryset if not self.has_delete_permission(request, image)]
            used = [image for image in queryset if image.use_count and image not in theirs]
            left = {image.pk for image in (*theirs, *used)}
            free = [image.pk for image in queryset if image.pk not in left]
            if request.POST.get("post") or not free:
                say_left(request, not_yours_to_delete(), theirs)
                _say_used(request, used)
            return delete_selected(self, request, queryset.filter(pk__in=free)) if free else None

    # --- Columns and fields

    @admin.display(description=gettext_lazy("picture"))
    def thumbnail(self, image: Image) -> SafeString:
        return pictures.thumbnail(image)

    @admin.display(description=gettext_lazy("name"), ordering="name")
    def title(self, image: Image) -> str:
        return str(image)

    @admin.display(description=gettext_lazy("size"), ordering="filesize")
    def dimensions(self, image: Image) -> str:
        return pictures.facts_of({"width": image.width, "height": image.height, "filesize": image.filesize})

    @admin.display(description=gettext_lazy("used by"))
    def use_count(self, image: Any) -> int:
        return image.use_count

    @admin.display(description=gettext_lazy("picture"))
    def preview(self, image: Image) -> str:
        return pictures.focal_picture(image)

    @admin.display(description=gettext_lazy("sizes"))
    def sizes(self, image: Image) -> str:
        return pictures.renditions(image)

    @admin.display(description=gettext_lazy("records"))
    def used_by(self, image: Any) -> str:
        return render_to_string("admin/image_uses.html", {"uses": image.uses, "links": _links(image.uses)})


def _refusal(image: Any) -> str:
    text = ngettext(
        "%(image)s stays, since %(count)d record shows it. Take it off there first: see “Used by”.",
        "%(image)s stays, since %(count)d records show it. Take it off there first: see “Used by”.",
        image.uses.total,
    )
    return text % {"image": image, "count": image.uses.total}


def _say_used(request: HttpRequest, images: list[Image]) -> None:
    if images:
        links = format_html_join(", ", '<a href="{}">{}</a>', ((form_address(image), image) for image in images))
        messages.warning(request, format_html(_("These stay, since records show them: {images}."), images=links))


def _links(uses: Uses) -> list[tuple[str, str]]:
    return [(_form_of(record), _named(record)) for record in uses.records]


def _form_of(record: Content) -> str:
    return address(record, "change", record.pk)


def _named(record: Content) -> str:
    names = {"kind": capfirst(str(record._meta.verbose_name)), "title": record.title}
    if record.status == Status.TRASH:
        return _("%(kind)s: %(title)s (in the trash)") % names
    return _("%(kind)s: %(title)s") % names
