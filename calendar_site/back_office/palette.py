"""The command palette: pages, actions and records that match what the user types after Ctrl+K."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.contrib.admin import AdminSite
from django.http import HttpRequest
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from calendar_site.back_office import menu
from calendar_site.back_office.base.service_admin import clean_search
from calendar_site.back_office.content.content_admin import ContentModelAdmin
from calendar_site.back_office.lists.columns import status_text
from calendar_site.back_office.urls import admin_url
from calendar_site.core.search.query import SearchQuery

MAX_RECORDS = 5
# The index of the search text cannot find shorter words.
MIN_WORD_LENGTH = 3
# Ranking reads the texts of all candidates.
MAX_CANDIDATES = 500


class Match(NamedTuple):
    title: str
    detail: str
    icon: str
    url: str


def find_matches(site: AdminSite, request: HttpRequest) -> list[Match]:
    """Return pages and actions that contain the search in their titles, and at most five records of each kind.

    Records are of every kind whose list the user may search. Without a search, returns all pages and actions. One query
    for each kind of record, and those of its search.
    """
    text = clean_search(request.GET.get("s", "")).strip()
    pages = [page for page in _pages(site, request) if text.casefold() in page.title.casefold()]
    is_long = any(len(word) >= MIN_WORD_LENGTH for word in SearchQuery.parse(text).required)
    return [*pages, *_records(site, request, text)] if is_long else pages


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
        for model_admin in sorted(_content_admins(site), key=lambda model_admin: not model_admin.is_most_added)
        if model_admin.has_add_permission(request)
    ]
    return [*additions, *links]


def _records(site: AdminSite, request: HttpRequest, text: str) -> list[Match]:
    return [
        Match(str(row), _detail(model_admin, row), "edit", admin_url(row, "change", row.pk))
        for model_admin in _searched_admins(site)
        if model_admin.has_view_permission(request)
        for row in _find(model_admin, request, text)
    ]


def _find(model_admin: Any, request: HttpRequest, text: str) -> Any:
    """Return the best matches among the newest records that the list of the ModelAdmin would find."""
    rows = model_admin.get_queryset(request)
    if isinstance(model_admin, ContentModelAdmin):
        # The list contains the trash as well.
        rows = rows.visible_to(request.user)
    found, _has_duplicates = model_admin.get_search_results(request, rows, text)
    candidates = found.order_by("-pk").values("pk")[:MAX_CANDIDATES]
    rows = model_admin.model._default_manager.filter(pk__in=candidates)
    is_ranked = hasattr(model_admin.model, "search_text")
    return (rows.ordered_by_title_match(text, "-pk") if is_ranked else rows.order_by("-pk"))[:MAX_RECORDS]


def _detail(model_admin: Any, row: Any) -> str:
    kind = capfirst(model_admin.opts.verbose_name)
    return f"{kind} · {status_text(row)}" if isinstance(model_admin, ContentModelAdmin) else kind


def _searched_admins(site: AdminSite) -> list[Any]:
    return [model_admin for model_admin in site._registry.values() if model_admin.search_fields]


def _content_admins(site: AdminSite) -> list[Any]:
    return [model_admin for model_admin in site._registry.values() if isinstance(model_admin, ContentModelAdmin)]
