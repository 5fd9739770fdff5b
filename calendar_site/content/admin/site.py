"""The back office as a whole: its name, its clock, and the way around in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from django.apps import apps
from django.conf import settings
from django.core.paginator import InvalidPage
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from unfold.sites import UnfoldAdminSite

from calendar_site.content.admin.script_texts import ScriptTexts
from calendar_site.content.dates import site_zone

ADMIN_PATH = "/admin/"


class Entry(NamedTuple):
    """A page about a model, for whoever may see any of it."""

    model: str
    # Its name in the font Material Symbols.
    symbol: str
    page: str = "changelist"
    # The model's own name where there is none.
    title: Promise | None = None


MENU: tuple[tuple[Promise, tuple[Entry, ...]], ...] = (
    (
        _("Calendar"),
        (Entry("events.Event", "calendar_month", "calendar", _("Calendar")), Entry("events.Event", "event")),
    ),
    (_("Places and people"), (Entry("venues.Venue", "location_on"), Entry("organizers.Organizer", "groups"))),
    (_("Terms"), (Entry("taxonomy.Category", "category"), Entry("taxonomy.Tag", "sell"))),
    (_("Library"), (Entry("content.Image", "image"), Entry("content.CustomField", "list_alt"))),
    (
        _("Access"),
        (Entry("accounts.User", "person"), Entry("auth.Group", "badge"), Entry("accounts.ApplicationPassword", "key")),
    ),
)


class BackOffice(UnfoldAdminSite):
    """Django's admin in the look of Unfold."""

    site_header = site_title = settings.SITE_NAME

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

    def _items(self, request: HttpRequest, entries: tuple[Entry, ...]) -> list[dict[str, Any]]:
        items = []
        for entry in entries:
            model: Any = apps.get_model(entry.model)
            if not self.is_registered(model) or not self.get_model_admin(model).has_view_permission(request):
                continue
            items.append(
                {
                    "title": entry.title or capfirst(model._meta.verbose_name_plural),
                    "icon": entry.symbol,
                    "link": reverse(f"{self.name}:{model._meta.app_label}_{model._meta.model_name}_{entry.page}"),
                    "active": False,
                    "has_permission": True,
                }
            )
        return items


def on_the_sites_clock(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: the admin shows and reads times in the zone of the site."""

    def answer(request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith(ADMIN_PATH):
            return get_response(request)
        with timezone.override(site_zone().tz):
            return get_response(request)

    return answer
