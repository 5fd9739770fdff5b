"""ModelAdmin of the profile of the site, of which there is one."""

from __future__ import annotations

from copy import copy
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin import ModelAdmin
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.db.models import Field
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import resolve
from django.utils.html import format_html
from django.utils.translation import gettext as _

from calendar_site.back_office.base.pages import AdminPage
from calendar_site.back_office.base.service_admin import ServiceModelAdmin
from calendar_site.back_office.forms.base import ServiceForm
from calendar_site.back_office.forms.html_editor import HTMLEditor
from calendar_site.back_office.forms.image_picker import ImagePicker
from calendar_site.back_office.record_admin import RestorePolicy
from calendar_site.back_office.urls import admin_url
from calendar_site.core import permissions
from calendar_site.core.fields import HTMLField
from calendar_site.media.models import Image
from calendar_site.site_profile.colors import DARK, LIGHT
from calendar_site.site_profile.current import CurrentProfile, fixed_values
from calendar_site.site_profile.models import SiteProfile
from calendar_site.site_profile.services import site_profile_services

IMAGES = ("logo", "icon")
COLORS = {
    "link_color": LIGHT.link,
    "background_color": LIGHT.background,
    "text_color": LIGHT.text,
    "dark_link_color": DARK.link,
    "dark_background_color": DARK.background,
    "dark_text_color": DARK.text,
}


class SiteProfileForm(ServiceForm):
    def prepare(self) -> None:
        for name, default in COLORS.items():
            if field := self.fields.get(name):
                field.help_text = _("Such as %(color)s, which is used if the field is empty.") % {"color": default}
                field.widget.attrs["placeholder"] = default
        for name in ("custom_css", "header_links", "footer_links"):
            if field := self.fields.get(name):
                field.widget.attrs["rows"] = 5


def preview_view(request: HttpRequest, *, model_admin: SiteProfileAdmin) -> HttpResponse:
    """Show the home page as it would look with the values of the form, without saving them."""
    if not permissions.has_model_permission(request.user, "change", SiteProfile):
        raise PermissionDenied
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    profile = SiteProfile.objects.first() or SiteProfile()
    form = model_admin.get_form(request, profile, change=True)(request.POST, instance=profile)
    errors = [f"{form.fields[name].label}: {text}" for name, texts in form.errors.items() for text in texts]
    if not errors:
        site_profile_services.apply(profile, changes=form.changes, user=request.user)
        try:
            profile.clean()
        except forms.ValidationError as error:
            errors = error.messages
    if errors:
        context = {**model_admin.admin_site.each_context(request), "title": _("Preview"), "errors": errors}
        return render(request, "admin/site_profile/preview_errors.html", context, status=400)
    return _home_page(request, profile)


def _home_page(request: HttpRequest, profile: SiteProfile) -> HttpResponse:
    """Return the home page for visitors, with a profile that is not saved."""
    page: Any = copy(request)
    page.method, page.GET, page.path = "GET", QueryDict(), "/"
    page.site_profile = CurrentProfile(profile)
    view, arguments, names = resolve("/")
    response: HttpResponse = view(page, *arguments, **names)
    response["Cache-Control"] = "private, no-store"
    return response


def preview_context(model_admin: ModelAdmin, request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Add the button that shows the preview in another tab, so that the form stays open."""
    url = admin_url(SiteProfile, "preview")
    buttons = {"show_save_and_add_another": False}
    return {**buttons, "preview_attributes": format_html('formaction="{}" formtarget="_blank"', url)}


@admin.register(SiteProfile)
class SiteProfileAdmin(ServiceModelAdmin):
    """The form of the profile. Environment variables that are set replace their fields."""

    services = site_profile_services
    restore_policy = RestorePolicy(includes_deleted=False)
    form = SiteProfileForm
    autocomplete_fields = IMAGES
    search_fields = ()
    has_saved_views = False
    form_context = (*ServiceModelAdmin.form_context, preview_context)

    pages = (*ServiceModelAdmin.pages, AdminPage("preview/", "preview", preview_view))

    # --- One record

    def has_add_permission(self, request: HttpRequest) -> bool:
        return permissions.has_model_permission(request.user, "change", SiteProfile)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Redirect to the form."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        if request.GET:
            raise SuspiciousOperation("This page takes no parameters.")
        profile = SiteProfile.objects.first()
        url = admin_url(SiteProfile, "change", profile.pk) if profile else admin_url(SiteProfile, "add")
        return HttpResponseRedirect(url)

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """Show the form for a site without a profile, else redirect to the form of the profile."""
        if self.has_add_permission(request) and SiteProfile.objects.exists():
            return HttpResponseRedirect(admin_url(SiteProfile, "changelist"))
        return super().add_view(request, form_url, extra_context)

    # --- Form

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        fixed = fixed_values()
        by_variable = ", ".join(f"{each.variable}={each.value}" for each in fixed.values())
        note = _("Set by environment variables: %(variables)s.") % {"variables": by_variable} if fixed else ""
        sections: list[tuple[Any, tuple[str, ...], str]] = [
            (None, ("name", "logo", "icon", "intro", "home_view", "first_weekday"), note),
            (
                _("Lists of events"),
                ("lists_images", "lists_venues", "lists_prices", "lists_texts"),
                _("Categories have images for events without one; see the form of a category."),
            ),
            (_("Design"), (*COLORS, "font", "custom_css"), ""),
            (
                _("Header and footer"),
                ("header_links", "footer_links", "shows_api_link", "shows_admin_link"),
                "",
            ),
            (_("Legal texts"), ("imprint", "privacy", "contact"), ""),
        ]
        return [
            (title, {"fields": [name for name in names if name not in fixed], "description": description})
            for title, names, description in sections
        ]

    def formfield_for_dbfield(self, db_field: Field, request: HttpRequest, **kwargs: Any) -> Any:
        if isinstance(db_field, HTMLField):
            kwargs["widget"] = HTMLEditor
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if db_field.name in IMAGES:
            # The picker itself uploads new images.
            field.widget.can_add_related = False
        return field

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        kwargs["widget"] = ImagePicker(db_field, self.admin_site, request.user)
        kwargs["queryset"] = Image.objects.usable_by(request.user)
        return super().formfield_for_foreignkey(db_field, request, **kwargs)
