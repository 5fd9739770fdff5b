"""The addresses of the pages for people: the `url` of every record, with and without a slash at its end."""

from django.urls import re_path

from events import pages

# NUL is in no slug, and PostgreSQL refuses to look for it.
SLUG = r"(?P<slug>[^/\x00]+)/?\Z"

urlpatterns = [
    re_path(r"^(?:events/?)?\Z", pages.coming_events, name="coming-events"),
    re_path(rf"^event/{SLUG}", pages.event_page, name="event-page"),
    re_path(r"^preview/(?P<token>[^/\x00]+)/?\Z", pages.event_preview, name="event-preview"),
    re_path(rf"^venue/{SLUG}", pages.venue_page, name="venue-page"),
    re_path(rf"^organizer/{SLUG}", pages.organizer_page, name="organizer-page"),
    re_path(rf"^events/category/{SLUG}", pages.category_page, name="category-page"),
    re_path(rf"^events/tag/{SLUG}", pages.tag_page, name="tag-page"),
]
