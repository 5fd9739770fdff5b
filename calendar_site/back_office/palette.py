"""The command palette: pages, actions and records that match what the user types after Ctrl+K."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.contrib.admin import AdminSite
from django.db.models import Case, When
from django.http import HttpRequest
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from calendar_site.back_office import menu
from calendar_site.back_office.base.service_admin import clean_search
from calendar_site.back_office.content.content_admin import ContentModelAdmin
from calendar_site.back_office.lists.columns import status_text
from calendar_site.back_office.urls import admin_url

MAX_RECORDS = 5
MIN_SEARCH_LENGTH = 2


class Match(NamedTuple):
    title: str
    detail: str
    icon: str
    url: str


def find_matches(site: AdminSite, request: HttpRequest) -> list[Match]:
    """Return pages and actions that contain the search in their titles, and at most five records of each kind.

    Without a search, returns all pages and actions. One query for each kind of record, and those of its search.
    """
    text = clean_search(request.GET.get("s", "")).strip()
    pages = [page for page in _pages(site, request) if text.casefold() in page.title.casefold()]
    return [*pages, *_records(site, request, text)] if len(text) >= MIN_SEARCH_LENGTH else pages


def _pages(site: AdminSite, request: HttpRequest) -> list[Match]:
    links = [
        Match(str(link.title), str(section), link.icon, link.url)
        for section, links in menu.get_links(site, request)
        for link in links
    ]
    additions = [
        Match(
            _("Add %(name)s") % {"name": model_admin.opts.verbose_name}, "", "add", admin_url(model_admin.model, "add")
        )
        for model_admin in _content_admins(site)
        if model_admin.has_add_permission(request)
    ]
    return [*additions, *links]


def _records(site: AdminSite, request: HttpRequest, text: str) -> list[Match]:
    matches = []
    for model_admin in _content_admins(site):
        if not model_admin.has_view_permission(request):
            continue
        rows: Any = model_admin.model._default_manager
        found, _is_duplicated = model_admin.get_search_results(request, rows.visible_to(request.user), text)
        kind = capfirst(model_admin.opts.verbose_name)
        by_title = Case(When(title__istartswith=text, then=0), When(title__icontains=text, then=1), default=2)
        matches += [
            Match(str(row), f"{kind} · {status_text(row)}", "edit", admin_url(row, "change", row.pk))
            for row in found.order_by(by_title, "-modified_at", "-pk")[:MAX_RECORDS]
        ]
    return matches


def _content_admins(site: AdminSite) -> list[Any]:
    return [model_admin for model_admin in site._registry.values() if isinstance(model_admin, ContentModelAdmin)]
