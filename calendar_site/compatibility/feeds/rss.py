"""The RSS feeds of the original."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import feedgenerator
from django.utils.http import http_date
from django.utils.translation import get_language
from django.utils.xmlutils import SimplerXMLGenerator

from calendar_site.accounts.models import User
from calendar_site.compatibility.addresses import OriginalURLs
from calendar_site.compatibility.bare_lists import load_event_records
from calendar_site.compatibility.feeds.selection import ids_of_category, listed_events
from calendar_site.core import clock
from calendar_site.core.clock import Moments
from calendar_site.core.dates.conversion import from_local, parse_zone
from calendar_site.core.http.allowed_methods import read_only
from calendar_site.core.slugs import decode_slug
from calendar_site.feeds.calendars import EVERYBODY
from calendar_site.site_profile.current import load_name
from events.querysets import EventQuerySet
from taxonomy.models import Category, Tag

ITEMS_PER_PAGE = 10
MAX_PAGE = 1000
CONTENT = "http://purl.org/rss/1.0/modules/content/"
DUBLIN_CORE = "http://purl.org/dc/elements/1.1/"


class EventFeed(feedgenerator.Rss201rev2Feed):
    """RSS with the whole content and the author of each item."""

    content_type = "application/rss+xml; charset=UTF-8"

    def rss_attributes(self) -> dict[str, str]:
        return {**super().rss_attributes(), "xmlns:content": CONTENT, "xmlns:dc": DUBLIN_CORE}

    def add_root_elements(self, handler: SimplerXMLGenerator) -> None:
        feed = self.feed
        # The original's order: simple readers take the last `link`, of any namespace.
        handler.addQuickElement("title", feed["title"])
        handler.addQuickElement("atom:link", None, {"rel": "self", "href": feed["feed_url"]})
        handler.addQuickElement("link", feed["link"])
        handler.addQuickElement("description", feed["description"])
        handler.addQuickElement("lastBuildDate", feedgenerator.rfc2822_date(self.latest_post_date()))
        handler.addQuickElement("language", feed["language"])

    def add_item_elements(self, handler: SimplerXMLGenerator, item: dict[str, Any]) -> None:
        super().add_item_elements(handler, item)
        handler.addQuickElement("dc:creator", item["creator"])
        handler.addQuickElement("content:encoded", item["content"])


@read_only
def events_feed(request: HttpRequest) -> HttpResponse:
    return _respond(request, load_name(), listed_events(), f"{OriginalURLs.of(request).site}/events/")


@read_only
def category_feed(request: HttpRequest, slug: str) -> HttpResponse:
    category = get_object_or_404(Category, slug=decode_slug(slug))
    events = listed_events({"categories": ids_of_category(category.slug) or ()})
    url = OriginalURLs.of(request).page_url("events/category", category.slug)
    return _respond(request, f"{category.name} – {load_name()}", events, url)


@read_only
def tag_feed(request: HttpRequest, slug: str) -> HttpResponse:
    tag = get_object_or_404(Tag, slug=decode_slug(slug))
    url = OriginalURLs.of(request).page_url("events/tag", tag.slug)
    return _respond(request, f"{tag.name} – {load_name()}", listed_events({"tags": [tag.pk]}), url)


def _respond(request: HttpRequest, title: str, events: EventQuerySet, url: str) -> HttpResponse:
    """Return a page of the events that have not ended. Seven queries at most."""
    urls = OriginalURLs.of(request)
    first = (_page_number(request) - 1) * ITEMS_PER_PAGE
    upcoming = events.upcoming(clock.now_among(Moments.EVENT_END))
    ids = list(upcoming.values_list("pk", flat=True)[first : first + ITEMS_PER_PAGE])
    records = load_event_records(ids, EVERYBODY.user, urls)
    names = _author_names({record["author"] for record in records})
    feed = EventFeed(title, url, "", language=get_language(), feed_url=request.build_absolute_uri(), feed_guid=url)
    for record in records:
        feed.add_item(**_item(record, names))
    response = HttpResponse(feed.writeString("utf-8"), content_type=EventFeed.content_type)
    response["Cache-Control"] = "no-cache"
    if records:
        changed = max(from_local(record["modified_utc"], parse_zone("UTC")) for record in records)
        response["Last-Modified"] = http_date(changed.timestamp())
    return response


def _item(record: Mapping[str, Any], names: Mapping[int, str]) -> dict[str, Any]:
    return {
        "title": record["title"],
        "link": record["url"],
        "description": record["excerpt"],
        "unique_id": record["url"],
        "unique_id_is_permalink": False,
        # The original dates an item by the start of its event.
        "pubdate": from_local(record["utc_start_date"], parse_zone("UTC")),
        "categories": [tag["name"] for tag in record["tags"]],
        "creator": names.get(record["author"], ""),
        "content": record["description"],
    }


def _author_names(ids: set[int]) -> dict[int, str]:
    """Return the full names of authors, never their usernames (D9). One query."""
    return {user.pk: user.get_full_name() or f"#{user.pk}" for user in User.objects.filter(pk__in=ids)}


def _page_number(request: HttpRequest) -> int:
    text = request.GET.get("paged", "1")
    if not text.isdecimal() or len(text) > 6 or not 1 <= int(text) <= MAX_PAGE:
        raise Http404
    return int(text)
