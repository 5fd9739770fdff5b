"""Links to the pages of other records."""

from __future__ import annotations

from typing import NamedTuple

from calendar_site.api.site_urls import SiteURLs
from taxonomy.loading import CategoryRow, TagRow
from taxonomy.models import Category, Tag


class RecordLink(NamedTuple):
    """A link to the page of another record. `note` says when an event is."""

    name: str
    url: str
    note: str = ""


def category_link(category: Category | CategoryRow, urls: SiteURLs) -> RecordLink:
    return RecordLink(category.name, urls.page_url("events/category", category.slug))


def tag_link(tag: Tag | TagRow, urls: SiteURLs) -> RecordLink:
    return RecordLink(tag.name, urls.page_url("events/tag", tag.slug))
