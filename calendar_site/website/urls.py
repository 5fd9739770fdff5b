"""The URLs of the HTML pages: the `url` of every record, with and without a trailing slash."""

from functools import wraps

from django.http import HttpRequest, HttpResponse
from django.urls import re_path

from calendar_site.core.http.allowed_methods import View
from calendar_site.feeds import views as feeds
from calendar_site.website import sitemaps
from calendar_site.website import views as pages

# No slug contains NUL, and PostgreSQL raises an error for it.
SLUG = r"(?P<slug>[^/\x00]+)/?\Z"
# The calendar of a page. No slug contains a dot.
CALENDAR = r"(?P<slug>[^/\x00]+)\.ics\Z"


def page_or_feed(page: View, feed: View) -> View:
    """Return a view that answers requests with the parameter `ical`, whatever its value, with a calendar."""

    @wraps(page)
    def view(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        return (feed if feeds.PARAMETER in request.GET else page)(request, *args, **kwargs)

    return view


urlpatterns = [
    re_path(r"^sitemap\.xml\Z", sitemaps.sitemap_index, name="sitemap"),
    re_path(
        # Nine digits, because databases reject larger offsets.
        rf"^sitemap-(?P<name>pages|{'|'.join(sitemaps.SECTIONS)})-(?P<number>[1-9][0-9]{{0,8}})\.xml\Z",
        sitemaps.sitemap_file,
        name="sitemap-file",
    ),
    re_path(r"^events\.ics\Z", feeds.upcoming_events_feed, name="events-calendar"),
    re_path(rf"^event/{CALENDAR}", feeds.event_feed, name="event-calendar"),
    re_path(rf"^venue/{CALENDAR}", feeds.venue_feed, name="venue-calendar"),
    re_path(rf"^organizer/{CALENDAR}", feeds.organizer_feed, name="organizer-calendar"),
    re_path(rf"^events/category/{CALENDAR}", feeds.category_feed, name="category-calendar"),
    re_path(rf"^events/tag/{CALENDAR}", feeds.tag_feed, name="tag-calendar"),
    re_path(
        r"^(?:events/?)?\Z",
        page_or_feed(pages.upcoming_events_page, feeds.upcoming_events_feed),
        name="upcoming-events",
    ),
    re_path(rf"^event/{SLUG}", page_or_feed(pages.event_page, feeds.event_feed), name="event-page"),
    re_path(r"^preview/(?P<token>[^/\x00]+)/?\Z", pages.event_preview_page, name="event-preview"),
    re_path(rf"^venue/{SLUG}", page_or_feed(pages.venue_page, feeds.venue_feed), name="venue-page"),
    re_path(rf"^organizer/{SLUG}", page_or_feed(pages.organizer_page, feeds.organizer_feed), name="organizer-page"),
    re_path(rf"^events/category/{SLUG}", page_or_feed(pages.category_page, feeds.category_feed), name="category-page"),
    re_path(rf"^events/tag/{SLUG}", page_or_feed(pages.tag_page, feeds.tag_feed), name="tag-page"),
]
