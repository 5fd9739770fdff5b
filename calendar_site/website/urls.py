"""The URLs of the HTML pages: the calendar, and the `url` of every record, with and without a trailing slash."""

from functools import wraps

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, re_path

from calendar_site.core.http.allowed_methods import View
from calendar_site.feeds import views as feeds
from calendar_site.website import machine_files, sitemaps
from calendar_site.website.calendar import views as calendar
from calendar_site.website.documentation import documentation_page
from calendar_site.website.records import event_views
from calendar_site.website.records import views as pages
from calendar_site.website.site import TEXTS
from calendar_site.website.site_texts import site_text_page
from calendar_site.website.submissions import views as submissions

# No slug contains NUL, and PostgreSQL raises an error for it.
SLUG_PART = r"(?P<slug>[^/\x00]+)"
SLUG = rf"{SLUG_PART}/?\Z"
# The calendar of a page. No slug contains a dot.
CALENDAR = rf"{SLUG_PART}\.ics\Z"
MONTH = r"(?P<month>[0-9]{4}-[0-9]{2})"
DAY = r"(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})"


def page_or_feed(page: View, feed: View) -> View:
    """Return a view that answers requests with the parameter `ical`, whatever its value, with a calendar."""

    @wraps(page)
    def view(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if feeds.PARAMETER not in request.GET:
            return page(request, *args, **kwargs)
        return feed(request, *args, **{name: value for name, value in kwargs.items() if name == "slug"})

    return view


def calendar_urls(prefix: str, kind: str, feed: View) -> list[URLPattern]:
    """Return the pages of a calendar below a path: that of the events of all records, or of one of a kind."""
    names = f"{kind}-" if kind else "events-"
    arguments = {"kind": kind} if kind else {}
    views = {
        "list": (r"list", calendar.list_page),
        "month": (r"month", calendar.month_page),
        "week": (r"week", calendar.week_page),
        "today": (r"today", calendar.day_page),
        "map": (r"map", calendar.map_page),
        "month-of-date": (MONTH, calendar.month_page),
        "week-of-date": (rf"week/{DAY}", calendar.week_page),
        "day": (DAY, calendar.day_page),
    }
    return [
        re_path(rf"^{prefix}/{path}/?\Z", page_or_feed(view, feed), arguments, name=f"{names}{name}")
        for name, (path, view) in views.items()
    ]


urlpatterns = [
    re_path(r"^sitemap\.xml\Z", sitemaps.sitemap_index, name="sitemap"),
    re_path(
        # Nine digits, because databases reject larger offsets.
        rf"^sitemap-(?P<name>pages|{'|'.join(sitemaps.SECTIONS)})-(?P<number>[1-9][0-9]{{0,8}})\.xml\Z",
        sitemaps.sitemap_file,
        name="sitemap-file",
    ),
    re_path(r"^site\.webmanifest\Z", machine_files.web_manifest, name="web-manifest"),
    re_path(r"^favicon\.ico\Z", machine_files.favicon, name="favicon"),
    re_path(r"^embed\.js\Z", machine_files.embed_script, name="embed-script"),
    re_path(rf"^{machine_files.OEMBED_PATH}\Z", machine_files.oembed, name="oembed"),
    re_path(rf"^(?P<name>{'|'.join(TEXTS)})/?\Z", site_text_page, name="site-text"),
    re_path(r"^docs/(?P<page>(?:[\w-]+/)*[\w-]+)(?:/|\.html|\.md)?\Z", documentation_page),
    re_path(r"^events\.ics\Z", feeds.upcoming_events_feed, name="events-calendar"),
    re_path(rf"^event/{CALENDAR}", feeds.event_feed, name="event-calendar"),
    re_path(rf"^venue/{CALENDAR}", feeds.venue_feed, name="venue-calendar"),
    re_path(rf"^organizer/{CALENDAR}", feeds.organizer_feed, name="organizer-calendar"),
    re_path(rf"^events/category/{CALENDAR}", feeds.category_feed, name="category-calendar"),
    re_path(rf"^events/tag/{CALENDAR}", feeds.tag_feed, name="tag-calendar"),
    re_path(
        r"^(?:events/?)?\Z",
        page_or_feed(calendar.home_page, feeds.upcoming_events_feed),
        name="upcoming-events",
    ),
    re_path(r"^submit/?\Z", submissions.submit_page, name="submit"),
    re_path(r"^submit/challenge/?\Z", submissions.challenge, name="submission-challenge"),
    re_path(r"^submit/(?P<token>[A-Za-z0-9_-]{1,100})/?\Z", submissions.submission_page, name="submission"),
    re_path(rf"^event/{SLUG_PART}/report/?\Z", submissions.mistake_page, name="mistake"),
    re_path(r"^programme/?\Z", calendar.programme_page, name="programme"),
    *calendar_urls("events", "", feeds.upcoming_events_feed),
    *calendar_urls(rf"events/category/{SLUG_PART}", "category", feeds.category_feed),
    *calendar_urls(rf"events/tag/{SLUG_PART}", "tag", feeds.tag_feed),
    *calendar_urls(rf"venue/{SLUG_PART}", "venue", feeds.venue_feed),
    *calendar_urls(rf"organizer/{SLUG_PART}", "organizer", feeds.organizer_feed),
    re_path(rf"^event/{SLUG}", page_or_feed(event_views.event_page, feeds.event_feed), name="event-page"),
    re_path(r"^preview/(?P<token>[^/\x00]+)/?\Z", event_views.event_preview_page, name="event-preview"),
    re_path(rf"^venue/{SLUG}", page_or_feed(pages.venue_page, feeds.venue_feed), name="venue-page"),
    re_path(rf"^organizer/{SLUG}", page_or_feed(pages.organizer_page, feeds.organizer_feed), name="organizer-page"),
    re_path(rf"^events/category/{SLUG}", page_or_feed(pages.category_page, feeds.category_feed), name="category-page"),
    re_path(rf"^events/tag/{SLUG}", page_or_feed(pages.tag_page, feeds.tag_feed), name="tag-page"),
]
