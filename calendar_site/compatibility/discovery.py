"""How clients of the original find the API: headers and elements of every public page (compatibility.md, section 4)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple
from urllib.parse import quote

from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from calendar_site.compatibility.addresses import OriginalURLs
from calendar_site.compatibility.tribe.json_ld import event_json_ld
from calendar_site.core.http.admin_path import is_admin_path
from calendar_site.website.record_display import json_ld_script
from events.assembly import load_record
from events.protection.protected_fields import Reader

GetResponse = Callable[[HttpRequest], HttpResponse]

API_VERSION = "v1"
END_OF_HEAD = "</head>"
# The parameter of the list of events by the name of a page with the events of a term.
TERM_PAGES = {"category-page": "categories", "tag-page": "tags"}


class Places(NamedTuple):
    """The links of a page to the API, to its records there, and to an event by its id."""

    urls: OriginalURLs
    records: str
    event_id: int | None = None

    @property
    def link_header(self) -> str:
        links = [self.urls.link_header]
        if self.event_id is not None:
            post = f"{self.urls.wp}/tribe_events/{self.event_id}"
            links.append(f'<{post}>; rel="alternate"; title="JSON"; type="application/json"')
            links.append(f"<{self.urls.short_url(self.event_id)}>; rel=shortlink")
        return ", ".join(links)

    @property
    def elements(self) -> SafeString:
        links: list[tuple[tuple[str, str], ...]] = [
            (("rel", "https://api.w.org/"), ("href", f"{self.urls.rest}/")),
            (("rel", "alternate"), ("href", self.records)),
            (("rel", "alternate"), ("type", "text/calendar"), ("href", f"{self.urls.site}/events/?ical=1")),
            (("rel", "alternate"), ("type", "application/rss+xml"), ("href", f"{self.urls.site}/events/feed/")),
        ]
        metas = [("tec-api-version", API_VERSION), ("tec-api-origin", self.urls.site)]
        return SafeString(
            format_html_join("\n", '<meta name="{}" content="{}">', metas)
            + "\n"
            + format_html_join("\n", "<link{}>", ((_attributes(link),) for link in links))
            + "\n"
        )


def discovery(get_response: GetResponse) -> GetResponse:
    """Add them to pages. Responses of the API have their own."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        content_type = response.get("Content-Type", "")
        is_page = content_type.startswith("text/html")
        if response.streaming or is_admin_path(request) or not (is_page or "rss+xml" in content_type):
            return response
        places = _find_places(request, response)
        response["Link"] = ", ".join(filter(None, (response.get("Link"), places.link_header)))
        response["X-TEC-API-VERSION"] = API_VERSION
        response["X-TEC-API-ORIGIN"] = places.urls.site
        response["X-TEC-API-ROOT"] = places.records
        if is_page:
            _add_elements(request, response, places)
        return response

    return middleware


def _find_places(request: HttpRequest, response: HttpResponse) -> Places:
    urls = OriginalURLs.of(request)
    match = request.resolver_match
    name = match.url_name if match and response.status_code == 200 else ""
    if name == "event-page" and (pk := _event_id(response)) is not None:
        return Places(urls, urls.record_url("events", pk), pk)
    if name in TERM_PAGES and match:
        return Places(urls, f"{urls.api}/events/?{TERM_PAGES[name]}={quote(match.kwargs['slug'])}")
    return Places(urls, f"{urls.api}/")


def _event_id(response: HttpResponse) -> int | None:
    """Return the id of the event that a page is about, None for a page that does not say it."""
    head: Any = getattr(response, "page_head", None)
    pk = head.api_url.rpartition("/")[2] if head else ""
    return int(pk) if pk.isdecimal() else None


def _add_elements(request: HttpRequest, response: HttpResponse, places: Places) -> None:
    page = response.content.decode()
    if places.event_id is not None:
        page = _with_original_json_ld(request, response, page, places)
    response.content = page.replace(END_OF_HEAD, f"{places.elements}{END_OF_HEAD}", 1)


def _with_original_json_ld(request: HttpRequest, response: HttpResponse, page: str, places: Places) -> str:
    """Return the page of an event with its `json_ld` as an array of one. Six queries at most."""
    script = str(getattr(response, "page_head").json_ld_script)  # noqa: B009 # no attribute of the class
    record = load_record(places.event_id or 0, Reader(request.user), places.urls) if script else None
    return page.replace(script, str(json_ld_script([event_json_ld(record)])), 1) if record else page


def _attributes(pairs: tuple[tuple[str, str], ...]) -> SafeString:
    return format_html_join("", ' {}="{}"', pairs)
