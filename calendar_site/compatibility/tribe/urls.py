"""The routes of `tribe/events/v1`."""

from django.urls import re_path

from calendar_site.api.routers import ContractRouter
from calendar_site.compatibility.tribe.views import (
    TribeCategories,
    TribeDocument,
    TribeEvents,
    TribeIndex,
    TribeOrganizers,
    TribeTags,
    TribeVenues,
)

router = ContractRouter()
router.register("events", TribeEvents, basename="tribe-event")
router.register("venues", TribeVenues, basename="tribe-venue")
router.register("organizers", TribeOrganizers, basename="tribe-organizer")
router.register("categories", TribeCategories, basename="tribe-category")
router.register("tags", TribeTags, basename="tribe-tag")


def tribe_patterns() -> list:
    """Return the URL patterns below the namespace, for the views that describe them."""
    return urlpatterns


urlpatterns = [
    re_path(r"^\Z", TribeIndex.as_view(patterns=tribe_patterns), name="tribe-index"),
    re_path(r"^doc/?\Z", TribeDocument.as_view(patterns=tribe_patterns), name="tribe-doc"),
    *router.urls,
]
