"""ModelAdmin of the image library."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.actions import delete_selected
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string
from django.utils.functional import SimpleLazyObject
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from calendar_site.back_office import thumbnails
from calendar_site.back_office.base.pages import AdminPage
from calendar_site.back_office.base.quick_edit import QUICK_EDIT_PAGE
from calendar_site.back_office.base.service_admin import ServiceModelAdmin
from calendar_site.back_office.content.background_actions import PROGRESS_PAGE
from calendar_site.back_office.content.row_actions import not_deletable_message, warn_refused
from calendar_site.back_office.content.undo import UNDO_PAGE
from calendar_site.back_office.forms.base import ServiceForm
from calendar_site.back_office.forms.image_picker import LIBRARY_SCRIPT, LIBRARY_STYLE, image_autocomplete_view
from calendar_site.back_office.library.filters import AltFilter, CreatedFilter, UsedFilter
from calendar_site.back_office.library.picker import picker_view
from calendar_site.back_office.library.uploads import upload_view
from calendar_site.back_office.lists.columns import author_name, created, modified
from calendar_site.back_office.lists.filters import AuthorFilter
from calendar_site.back_office.lists.row_menu import row_menu
from calendar_site.back_office.record_admin import RestorePolicy
from calendar_site.back_office.urls import admin_url, is_changelist
from calendar_site.core import permissions
from calendar_site.core.choices import Status
from calendar_site.core.database.write_lock import write_lock
from calendar_site.media.library import image_services
from calendar_site.media.models import Image
from calendar_site.media.uses import ImageUses, image_uses, images_in_html

VIEWS_SCRIPT = "back_office/image_views.js"


class ImageForm(ServiceForm):
    def prepare(self) -> None:
        helps = {
            "focus_x": _("0 is the left edge, 1 is the right edge."),
            "focus_y": _("0 is the top edge, 1 is the bottom edge."),
        }
        for name in helps.keys() & self.fields.keys():
            self.fields[name].help_text = helps[name]


class ImageInUse(Exception):
    """An image cannot be deleted while a record uses it."""

    def __init__(self, image: Any) -> None:
        super().__init__(str(image))
        self.image = image


@admin.register(Image)
class ImageAdmin(ServiceModelAdmin):
    services = image_services
    # The file of a deleted image is deleted as well.
    restore_policy = RestorePolicy(includes_deleted=False)
    pages = (
        *ServiceModelAdmin.pages,
        AdminPage("choices/", "autocomplete", image_autocomplete_view),
        AdminPage("picker/", "picker", picker_view),
        QUICK_EDIT_PAGE,
        UNDO_PAGE,
        PROGRESS_PAGE,
    )
    form = ImageForm
    ordering = ("-pk",)
    list_display = ("thumbnail", "title", "dimensions", author_name, created, "use_count", row_menu)
    list_display_links = ("thumbnail", "title")
    quick_edit_fields = ("name", "alt", "credit")
    list_filter: Any = (UsedFilter, AltFilter, CreatedFilter, AuthorFilter)
    list_select_related = ("author",)
    search_help_text = gettext_lazy("Name, alternative text, credit, author")
    actions: Any = ("delete_selected",)
    readonly_fields = (
        "preview",
        "sizes",
        "used_by",
        "dimensions",
        "media_type",
        "source",
        author_name,
        created,
        modified,
    )
    fieldsets = (
        (None, {"fields": ("preview", ("focus_x", "focus_y"), "name", "alt", "decorative", "credit")}),
        (
            gettext_lazy("Image sizes"),
            {
                "fields": ("sizes",),
                "description": gettext_lazy(
                    "The thumbnail is cropped around the focal point. The other sizes show the whole image."
                ),
            },
        ),
        (gettext_lazy("Used by"), {"fields": ("used_by",)}),
        (
            gettext_lazy("File"),
            {"fields": ("dimensions", "media_type", "source", author_name, created, modified)},
        ),
    )

    class Media:
        css = {"all": (LIBRARY_STYLE,)}
        js = (VIEWS_SCRIPT, LIBRARY_SCRIPT)

    def get_queryset(self, request: HttpRequest) -> Any:
        images = super().get_queryset(request).usable_by(request.user)
        return images.with_use_counts(request.user) if is_changelist(request, Image) else images

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        image = super().get_object(request, object_id, from_field)
        if image is not None:
            image.uses = SimpleLazyObject(lambda: image_uses(image, request.user))
        return image

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        return upload_view(request, self)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return permissions.can_submit(request.user, Image)

    # --- Deleting, which is for images that no record shows, neither as its image nor in its texts

    def get_deleted_objects(self, objs: Iterable[Any], request: HttpRequest) -> Any:
        """Raise ImageInUse for an image that a record uses. Actions leave such images out beforehand."""
        for image in objs:
            if "uses" in vars(image) and image.uses.total:
                raise ImageInUse(image)
        return super().get_deleted_objects(objs, request)

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> Any:
        try:
            return super().delete_view(request, object_id, extra_context)
        except ImageInUse as error:
            messages.error(request, _still_used_message(error.image))
            return HttpResponseRedirect(admin_url(Image, "change", error.image.pk))

    @admin.action(description=gettext_lazy("Delete"), permissions=["delete"])
    def delete_selected(self, request: HttpRequest, queryset: QuerySet) -> HttpResponse | None:
        """Ask for confirmation, delete the unused images that the user may delete, and name the others."""
        with write_lock():
            refused = [image for image in queryset if not self.has_delete_permission(request, image)]
            linked = Image.objects.filter(pk__in=queryset.values("pk")).in_use(True)
            shown = images_in_html(queryset) | set(linked.values_list("pk", flat=True))
            used = [image for image in queryset if image.pk in shown and image not in refused]
            kept = {image.pk for image in (*refused, *used)}
            free = [image.pk for image in queryset if image.pk not in kept]
            if request.POST.get("post") or not free:
                warn_refused(request, not_deletable_message(), refused)
                _warn_used(request, used)
            return delete_selected(self, request, queryset.filter(pk__in=free)) if free else None

    # --- Columns and fields

    @admin.display(description=gettext_lazy("image"))
    def thumbnail(self, image: Image) -> SafeString:
        return thumbnails.thumbnail(image)

    @admin.display(description=gettext_lazy("name"), ordering="name")
    def title(self, image: Image) -> str:
        return str(image)

    @admin.display(description=gettext_lazy("size"), ordering="filesize")
    def dimensions(self, image: Image) -> str:
        return thumbnails.format_size({"width": image.width, "height": image.height, "filesize": image.filesize})

    @admin.display(description=gettext_lazy("used by"))
    def use_count(self, image: Any) -> int:
        return image.use_count

    @admin.display(description=gettext_lazy("image"))
    def preview(self, image: Image) -> str:
        return thumbnails.focal_point_input(image)

    @admin.display(description=gettext_lazy("sizes"))
    def sizes(self, image: Image) -> str:
        return thumbnails.renditions(image)

    @admin.display(description=gettext_lazy("records"))
    def used_by(self, image: Any) -> str:
        return render_to_string("admin/image_uses.html", {"uses": image.uses, "links": _links(image.uses)})


def _still_used_message(image: Any) -> str:
    text = ngettext(
        "%(image)s cannot be deleted because %(count)d record uses it. Remove the image from that record "
        "first: see “Used by”.",
        "%(image)s cannot be deleted because %(count)d records use it. Remove the image from those records "
        "first: see “Used by”.",
        image.uses.total,
    )
    return text % {"image": image, "count": image.uses.total}


def _warn_used(request: HttpRequest, images: list[Image]) -> None:
    if images:
        urls = ((admin_url(image, "change", image.pk), image) for image in images)
        links = format_html_join(", ", '<a href="{}">{}</a>', urls)
        messages.warning(request, format_html(_("Not deleted because they are in use: {images}."), images=links))


def _links(uses: ImageUses) -> list[tuple[str, str]]:
    return [(admin_url(record, "change", record.pk), _label(record)) for record in uses.records]


def _label(record: Any) -> str:
    names = {"kind": capfirst(str(record._meta.verbose_name)), "title": record.title}
    if record.status == Status.TRASH:
        return _("%(kind)s: %(title)s (in the trash)") % names
    return _("%(kind)s: %(title)s") % names
