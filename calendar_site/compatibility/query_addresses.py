"""Addresses of the original for what the service has elsewhere: by their query, or below other paths."""

from __future__ import annotations

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponsePermanentRedirect
from django.http.response import HttpResponseBase

from calendar_site.api.site_urls import urls_for
from calendar_site.compatibility.feeds.ical import OUTLOOK_PARAMETER
from calendar_site.core.slugs import decode_slug
from calendar_site.feeds.views import PARAMETER
from events.models import Event
from taxonomy.models import Category

GetResponse = Callable[[HttpRequest], HttpResponseBase]

CALENDARS = {PARAMETER, OUTLOOK_PARAMETER}
SHORT_LINK, FEED = "p", "feed"
EVENTS, CATEGORIES, TAGS = "/events/", "/events/category/", "/tag/"


def query_addresses(get_response: GetResponse) -> GetResponse:
    """Let requests for such addresses continue as requests for the service's own."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        query = request.GET.keys()
        if request.path_info == "/" and SHORT_LINK in query:
            return _redirect_to_event(request)
        request.path_info = _path_of_service(request.path_info)
        if not CALENDARS.isdisjoint(query):
            request.urlconf = "calendar_site.compatibility.calendar_urls"
        elif FEED in query:
            request.path_info = _path_of_feed(request.path_info)
        return get_response(request)

    return middleware


def _redirect_to_event(request: HttpRequest) -> HttpResponseBase:
    """Redirect to the page of the event with the id in the query, if the user sees it."""
    text = request.GET[SHORT_LINK]
    pk = int(text) if text.isdecimal() and len(text) <= 18 else 0
    event = Event.objects.visible_to(request.user).not_trashed().filter(pk=pk).first()
    if event is None:
        raise Http404
    response = HttpResponsePermanentRedirect(urls_for(request).page_url("event", event.slug))
    response["Cache-Control"] = "private, no-store" if request.user.is_authenticated else "no-cache"
    return response


def _path_of_service(path: str) -> str:
    if path.startswith(TAGS):
        return f"/events{path}"
    return _without_parents(path) if path.startswith(CATEGORIES) else path


def _without_parents(path: str) -> str:
    """Return the path of a category without the slugs of those above it, as in `/events/category/music/jazz/list/`.

    Two queries for a longer path than that of a category at the top, and one for each further level.
    """
    slugs = path.removeprefix(CATEGORIES).split("/")
    category: Category | None = None
    # No text in a database contains NUL.
    while len(slugs) > 1 and slugs[1] and "\0" not in path:
        category = category or Category.objects.filter(slug=decode_slug(slugs[0])).first()
        if category is not None:
            category = Category.objects.filter(slug=decode_slug(slugs[1]), parent=category).first()
        if category is None:
            break
        slugs = slugs[1:]
    return CATEGORIES + "/".join(slugs)


def _path_of_feed(path: str) -> str:
    """Return the path of the feed of a page of events; other pages have none."""
    if path == "/":
        return f"{EVENTS}feed/"
    return f"{path.rstrip('/')}/feed/" if f"{path}/".startswith(EVENTS) and "/feed" not in path else path
