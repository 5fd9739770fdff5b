"""The back office as a whole: its name, its clock, and the way around in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.paginator import InvalidPage
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from unfold.sites import UnfoldAdminSite

from calendar_site.content.dates import site_zone

ADMIN_PATH = "/admin/"

# The groups of the menu: models, each with the name of its symbol in the font Material Symbols.
MENU: tuple[tuple[Promise, tuple[tuple[str, str], ...]], ...] = (
    (_("Calendar"), (("events.Event", "event"),)),
    (_("Places and people"), (("venues.Venue", "location_on"), ("organizers.Organizer", "groups"))),
    (_("Terms"), (("taxonomy.Category", "category"), ("taxonomy.Tag", "sell"))),
    (_("Library"), (("content.Image", "image"), ("content.CustomField", "list_alt"))),
    (_("Access"), (("accounts.User", "person"), ("auth.Group", "badge"), ("accounts.ApplicationPassword", "key"))),
)


class BackOffice(UnfoldAdminSite):
    """Django's admin in the look of Unfold."""

    site_header = site_title = settings.SITE_NAME

    def search(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """The search for pages of the back office. Raises Http404 for a page of results that there is not."""
        try:
            return super().search(request, extra_context)
        except (ValueError, InvalidPage) as error:
            raise Http404 from error

    def get_sidebar_list(self, request: HttpRequest) -> list[dict[str, Any]]:
        groups = [{"title": title, "items": self._items(request, models)} for title, models in MENU]
        return [group for group in groups if group["items"]]

    def _items(self, request: HttpRequest, models: tuple[tuple[str, str], ...]) -> list[dict[str, Any]]:
        """A link to the list of each model of which the user may see any."""
        items = []
        for label, symbol in models:
            model: Any = apps.get_model(label)
            if not self.is_registered(model) or not self.get_model_admin(model).has_view_permission(request):
                continue
            address = reverse(f"{self.name}:{model._meta.app_label}_{model._meta.model_name}_changelist")
            items.append(
                {
                    "title": capfirst(model._meta.verbose_name_plural),
                    "icon": symbol,
                    "link": address,
                    "active": request.path.startswith(address),
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
