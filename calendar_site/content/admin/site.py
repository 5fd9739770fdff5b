"""The back office as a whole: its name, its clock, and the way around in it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from django.apps import apps
from django.conf import settings
from django.contrib.admin.views.autocomplete import AutocompleteJsonView
from django.core.paginator import InvalidPage
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import path, reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from unfold.sites import UnfoldAdminSite

from calendar_site.content.admin.last_changes import changes_page, may_see_changes
from calendar_site.content.admin.queue import review_queue
from calendar_site.content.admin.script_texts import ScriptTexts
from calendar_site.content.admin.trash import may_see_trash, trash_page
from calendar_site.content.dates import site_zone
from calendar_site.content.submissions import may_see_queue

ADMIN_PATH = "/admin/"


class Entry(NamedTuple):
    """A page about a model, for whoever may see any of it."""

    model: str
    # Its name in the font Material Symbols.
    symbol: str
    page: str = "changelist"
    # The model's own name where there is none.
    title: Promise | None = None


class Page(NamedTuple):
    """A page about records of several kinds."""

    route: str
    symbol: str
    title: Promise
    # Whether a user has anything to see there.
    may_see: Callable[[Any], bool]


MENU: tuple[tuple[Promise, tuple[Entry | Page, ...]], ...] = (
    (
        _("Calendar"),
        (
            Entry("events.Event", "calendar_month", "calendar", _("Calendar")),
            Entry("events.Event", "event"),
            Page("review", "rate_review", _("Waiting for review"), may_see_queue),
            Page("last_changes", "history", _("Last changes"), may_see_changes),
            Page("trash", "delete", _("Trash"), may_see_trash),
        ),
    ),
    (_("Places and people"), (Entry("venues.Venue", "location_on"), Entry("organizers.Organizer", "groups"))),
    (_("Terms"), (Entry("taxonomy.Category", "category"), Entry("taxonomy.Tag", "sell"))),
    (_("Library"), (Entry("content.Image", "image"), Entry("content.CustomField", "list_alt"))),
    (
        _("Access"),
        (Entry("accounts.User", "person"), Entry("auth.Group", "badge"), Entry("accounts.ApplicationPassword", "key")),
    ),
)


class Choices(AutocompleteJsonView):
    """Records to choose from, as the admin of their kind calls them."""

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        context = super().get_context_data(**more)
        admin: Any = self.model_admin
        self.labels = admin.choice_labels(list(context["object_list"])) if hasattr(admin, "choice_labels") else {}
        return context

    def serialize_result(self, obj: Any, to_field_name: str) -> dict[str, str]:
        result = super().serialize_result(obj, to_field_name)
        return {**result, "text": self.labels.get(obj.pk, result["text"])}


class BackOffice(UnfoldAdminSite):
    """Django's admin in the look of Unfold."""

    site_header = site_title = settings.SITE_NAME

    def get_urls(self) -> list[Any]:
        pages = (
            ("review/", review_queue, "review"),
            ("changes/", changes_page, "last_changes"),
            ("trash/", trash_page, "trash"),
        )
        return [
            *(path(route, self.admin_view(partial(view, self)), name=name) for route, view, name in pages),
            *super().get_urls(),
        ]

    def autocomplete_view(self, request: HttpRequest) -> HttpResponseBase:
        return Choices.as_view(admin_site=self)(request)

    def i18n_javascript(self, request: HttpRequest, extra_context: Any = None) -> HttpResponseBase:
        return ScriptTexts.as_view()(request)

    def search(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """The search for pages of the back office. Raises Http404 for a page of results that there is not."""
        try:
            return super().search(request, extra_context)
        except (ValueError, InvalidPage) as error:
            raise Http404 from error

    def get_sidebar_list(self, request: HttpRequest) -> list[dict[str, Any]]:
        groups: list[dict[str, Any]] = [
            {"title": title, "items": self._items(request, entries)} for title, entries in MENU
        ]
        items: list[Any] = [item for group in groups for item in group["items"]]
        # The page of a record is below its list, and so is the calendar.
        open_ones = [item for item in items if request.path.startswith(item["link"])]
        if open_ones:
            max(open_ones, key=lambda item: len(item["link"]))["active"] = True
        return [group for group in groups if group["items"]]

    def _items(self, request: HttpRequest, entries: tuple[Entry | Page, ...]) -> list[dict[str, Any]]:
        pages = [self._page(request, entry) if isinstance(entry, Entry) else entry for entry in entries]
        return [
            {
                "title": page.title,
                "icon": page.symbol,
                "link": reverse(f"{self.name}:{page.route}"),
                "active": False,
                "has_permission": True,
            }
            for page in pages
            if page.may_see(request.user)
        ]

    def _page(self, request: HttpRequest, entry: Entry) -> Page:
        model: Any = apps.get_model(entry.model)
        route = f"{model._meta.app_label}_{model._meta.model_name}_{entry.page}"
        title = entry.title or capfirst(model._meta.verbose_name_plural)

        def may_see(user: Any) -> bool:
            return self.is_registered(model) and self.get_model_admin(model).has_view_permission(request)

        return Page(route, entry.symbol, title, may_see)


def on_the_sites_clock(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: the admin shows and reads times in the zone of the site."""

    def answer(request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith(ADMIN_PATH):
            return get_response(request)
        with timezone.override(site_zone().tz):
            return get_response(request)

    return answer
