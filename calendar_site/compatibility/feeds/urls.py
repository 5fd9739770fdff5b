"""The addresses of feeds that are paths."""

from django.urls import re_path

from calendar_site.compatibility.feeds import ical, rss

SLUG = r"(?P<slug>[^/\x00]+)"

urlpatterns = [
    re_path(r"^events/feed/?\Z", rss.events_feed, name="events-rss"),
    re_path(rf"^events/category/{SLUG}/feed/?\Z", rss.category_feed, name="category-rss"),
    re_path(rf"^events/tag/{SLUG}/feed/?\Z", rss.tag_feed, name="tag-rss"),
    re_path(r"^events/ical/?\Z", ical.events_calendar, name="original-calendar"),
]
