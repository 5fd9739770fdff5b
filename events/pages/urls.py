"""The URLs of the HTML pages: the `url` of every record, with and without a trailing slash."""

from django.urls import re_path

from events.pages import views as pages

# No slug contains NUL, and PostgreSQL raises an error for it.
SLUG = r"(?P<slug>[^/\x00]+)/?\Z"

urlpatterns = [
    re_path(r"^(?:events/?)?\Z", pages.upcoming_events_page, name="upcoming-events"),
    re_path(rf"^event/{SLUG}", pages.event_page, name="event-page"),
    re_path(r"^preview/(?P<token>[^/\x00]+)/?\Z", pages.event_preview_page, name="event-preview"),
    re_path(rf"^venue/{SLUG}", pages.venue_page, name="venue-page"),
    re_path(rf"^organizer/{SLUG}", pages.organizer_page, name="organizer-page"),
    re_path(rf"^events/category/{SLUG}", pages.category_page, name="category-page"),
    re_path(rf"^events/tag/{SLUG}", pages.tag_page, name="tag-page"),
]
