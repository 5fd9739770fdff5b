"""The addresses of the original: the namespaces of its API, and the URLs in its responses."""

from __future__ import annotations

from functools import lru_cache
from typing import Self
from urllib.parse import urlsplit

from django.http import HttpRequest

from calendar_site.api.site_urls import SiteURLs, urls_for

REST_PATH = "wp-json"
TRIBE, WP, TEC = "tribe/events/v1", "wp/v2", "tec/v1"
# The path of the records of the contract in the original's shapes.
TRIBE_BASE = f"{REST_PATH}/{TRIBE}"
# The names of kinds of records in `wp/v2`, by their collections in the contract.
WP_TYPES = {"events": "tribe_events", "venues": "tribe_venue", "organizers": "tribe_organizer"}
# The names of kinds of terms, and their collections in `wp/v2`.
TAXONOMIES = {"categories": "tribe_events_cat", "tags": "post_tag"}
WP_TERMS = {"categories": "tribe_events_cat", "tags": "tags"}


class OriginalURLs(SiteURLs):
    """The URLs of the site as the original writes them. `api` is the path of `tribe/events/v1`."""

    @classmethod
    def of(cls, request: HttpRequest) -> Self:
        return cls(*urls_for(request, TRIBE_BASE))

    @property
    def rest(self) -> str:
        """The root of the original's API, without a slash at its end."""
        return f"{self.site}/{REST_PATH}"

    @property
    def wp(self) -> str:
        return f"{self.rest}/{WP}"

    @property
    def tec(self) -> str:
        return f"{self.rest}/{TEC}"

    @property
    def link_header(self) -> str:
        """The header `Link` by which clients find the API."""
        return f'<{self.rest}/>; rel="https://api.w.org/"'

    @property
    def host_name(self) -> str:
        """The host of the site without its port, as it is in global ids."""
        return _host_name(self.site)

    def short_url(self, pk: int) -> str:
        """Return the URL of an event by its id, which redirects to its page."""
        return f"{self.site}/?p={pk}"


@lru_cache(maxsize=64)
def _host_name(url: str) -> str:
    return urlsplit(url).hostname or ""
