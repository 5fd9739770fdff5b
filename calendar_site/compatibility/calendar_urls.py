"""The URLs of requests that ask for a calendar by their query; all others are those of the site."""

from django.urls import URLPattern, URLResolver, re_path

from calendar_site.compatibility import urls as site
from calendar_site.compatibility.feeds import ical
from calendar_site.compatibility.feeds.urls import SLUG

handler400, handler403, handler404, handler500 = site.handler400, site.handler403, site.handler404, site.handler500

VIEW = "(?:/(?P<view>list|month|today|map|week))?"

urlpatterns: list[URLPattern | URLResolver] = [
    re_path(r"^\Z", ical.events_calendar),
    re_path(rf"^events{VIEW}/?\Z", ical.events_calendar),
    re_path(r"^events/(?P<month>[0-9]{4}-[0-9]{2})/?\Z", ical.events_calendar),
    re_path(r"^events/(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})/?\Z", ical.events_calendar),
    re_path(rf"^events/category/{SLUG}{VIEW}/?\Z", ical.category_calendar),
    re_path(rf"^events/tag/{SLUG}{VIEW}/?\Z", ical.tag_calendar),
    re_path(rf"^event/{SLUG}/?\Z", ical.event_calendar),
    *site.urlpatterns,
]
