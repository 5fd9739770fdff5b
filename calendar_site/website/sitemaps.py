"""`/sitemap.xml`: the pages that search engines may list, in files of at most MAX_URLS.

Not Django's sitemaps, whose URLs have the host of the request instead of PUBLIC_URL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from calendar_site.api.site_urls import SiteURLs, urls_for
from calendar_site.core.http.allowed_methods import read_only
from events.models import Event
from organizers.models import Organizer
from taxonomy.models import Category, Tag
from venues.models import Venue

# Search engines accept ten times as many. A file of so many is made in a tenth of a second.
MAX_URLS = 5000


class SitemapSection(NamedTuple):
    """The pages of one kind of records."""

    # The path of the pages, before the slug.
    path: str
    rows: Callable[[], Any]
    # The column with the time of the last change, "" if there is none.
    modified: str


SECTIONS = {
    "events": SitemapSection("event", lambda: Event.objects.seen_by_everybody(), "modified_at"),
    "venues": SitemapSection("venue", lambda: Venue.objects.seen_by_everybody(), "modified_at"),
    "organizers": SitemapSection("organizer", lambda: Organizer.objects.seen_by_everybody(), "modified_at"),
    "categories": SitemapSection("events/category", lambda: Category.objects.filter(event_count__gt=0), ""),
    "tags": SitemapSection("events/tag", lambda: Tag.objects.filter(event_count__gt=0), ""),
}


class SitemapEntry(NamedTuple):
    url: str
    modified_at: datetime | None = None


@read_only
def sitemap_index(request: HttpRequest) -> HttpResponse:
    """Return the index of the files: that of the pages without a record, and those of each section. Five queries."""
    urls = _urls(request)
    entries = [SitemapEntry(f"{urls.site}/sitemap-pages-1.xml")]
    for name, section in SECTIONS.items():
        files = -(-section.rows().count() // MAX_URLS)
        entries += [SitemapEntry(f"{urls.site}/sitemap-{name}-{number}.xml") for number in range(1, files + 1)]
    return _respond(request, "sitemapindex", "sitemap", entries)


@read_only
def sitemap_file(request: HttpRequest, name: str, number: str) -> HttpResponse:
    """Return a file of a section, counted from 1. One query. Raises Http404 for a file without URLs."""
    urls = _urls(request)
    if name == "pages":
        entries = [SitemapEntry(f"{urls.site}/")] if number == "1" else []
    else:
        entries = list(_entries_of(SECTIONS[name], int(number), urls))
    if not entries:
        raise Http404
    return _respond(request, "urlset", "url", entries)


def _entries_of(section: SitemapSection, number: int, urls: SiteURLs) -> Iterable[SitemapEntry]:
    columns = ("slug", section.modified) if section.modified else ("slug",)
    rows = section.rows().order_by("pk").values_list(*columns)[(number - 1) * MAX_URLS : number * MAX_URLS]
    for slug, *modified in rows:
        yield SitemapEntry(urls.page_url(section.path, slug), *modified)


def _urls(request: HttpRequest) -> SiteURLs:
    """Return the URLs without a language: each page names this one as its canonical URL."""
    urls = urls_for(request)
    return urls._replace(site=urls.root)


def _respond(request: HttpRequest, root: str, element: str, entries: Iterable[SitemapEntry]) -> HttpResponse:
    response = render(
        request,
        "sitemap.xml",
        {"root": root, "element": element, "entries": entries},
        content_type="application/xml; charset=utf-8",
    )
    response["Cache-Control"] = "no-cache"
    return response
