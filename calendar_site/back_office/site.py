"""The admin site: its pages about records of all kinds, its menu, and its time zone."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.conf import settings
from django.contrib.admin.views.autocomplete import AutocompleteJsonView
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.urls import path
from django.utils import timezone
from unfold.sites import UnfoldAdminSite

from calendar_site.back_office import menu
from calendar_site.back_office.bundled_media import with_bundles
from calendar_site.back_office.content.trash import trash_page
from calendar_site.back_office.drafts.views import discard_form_draft, form_draft
from calendar_site.back_office.history.change_feed import change_feed
from calendar_site.back_office.js_catalog import AdminJavaScriptCatalog
from calendar_site.back_office.lists.saved_views import delete_view_page, rename_view_page, save_view_page
from calendar_site.back_office.palette import find_matches
from calendar_site.back_office.review.queue import queue_page
from calendar_site.core.dates.conversion import site_zone
from calendar_site.core.http.admin_path import is_admin_path


class LabelledAutocompleteView(AutocompleteJsonView):
    """Records to choose from, with the labels that the admin of their model gives them."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context = super().get_context_data(**kwargs)
        get_labels = getattr(self.model_admin, "choice_labels", None)
        self.labels = get_labels() if get_labels and context["object_list"] else {}
        return context

    def serialize_result(self, obj: Any, to_field_name: str) -> dict[str, str]:
        result = super().serialize_result(obj, to_field_name)
        get_label = getattr(self.model_admin, "choice_label", None)
        text = get_label(obj) if get_label else self.labels.get(obj.pk, result["text"])
        return {**result, "text": text}


class BackOffice(UnfoldAdminSite):
    """Django's admin in the design of Unfold."""

    site_header = site_title = settings.SITE_NAME

    def get_urls(self) -> list[Any]:
        pages = (
            ("review/", queue_page, "review"),
            ("changes/", change_feed, "change_feed"),
            ("trash/", trash_page, "trash"),
            ("saved-views/", save_view_page, "save_view"),
            ("saved-views/<str:view_id>/rename/", rename_view_page, "rename_view"),
            ("saved-views/<str:view_id>/delete/", delete_view_page, "delete_view"),
            ("form-drafts/", form_draft, "form_draft"),
            ("form-drafts/discard/", discard_form_draft, "discard_form_draft"),
        )
        return [
            *(path(route, self.admin_view(partial(view, self)), name=name) for route, view, name in pages),
            # Nothing links to this redirect to a record of any model. It fails for models whose ids are UUIDs.
            *(url for url in super().get_urls() if getattr(url, "name", None) != "view_on_site"),
        ]

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        return super().admin_view(with_bundles(view), cacheable)

    def autocomplete_view(self, request: HttpRequest) -> HttpResponseBase:
        return LabelledAutocompleteView.as_view(admin_site=self)(request)

    def i18n_javascript(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponseBase:
        return AdminJavaScriptCatalog.as_view()(request)

    def search(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Return the pages and records that match `s`, as JSON for the command palette."""
        return JsonResponse({"results": [match._asdict() for match in find_matches(self, request)]})

    def get_sidebar_list(self, request: HttpRequest) -> list[dict[str, Any]]:
        """Return the menu in the format of Unfold, without empty sections, and with the entry of this page marked."""
        sections = menu.get_links(self, request)
        # The page of a record is below its list, and so is the calendar.
        urls = [link.url for _title, links in sections for link in links if request.path.startswith(link.url)]
        active = max(urls, key=len, default=None)
        return [
            {"title": title, "items": [_sidebar_item(link, is_active=link.url == active) for link in links]}
            for title, links in sections
            if links
        ]


def _sidebar_item(link: menu.MenuLink, *, is_active: bool) -> dict[str, Any]:
    return {"title": link.title, "icon": link.icon, "link": link.url, "active": is_active, "has_permission": True}


def site_time_zone(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Return middleware that activates the site's time zone in the admin, to display and parse times."""

    def answer(request: HttpRequest) -> HttpResponse:
        if not is_admin_path(request):
            return get_response(request)
        with timezone.override(site_zone().tz):
            return get_response(request)

    return answer
