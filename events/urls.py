"""The API routes of events and series."""

from django.urls import re_path

from calendar_site.api.routers import ContractRouter
from events.series_api.preview import SeriesPreviewView
from events.series_api.views import SeriesViewSet
from events.views import EventViewSet

router = ContractRouter()
router.register("events", EventViewSet, basename="event")
router.register("series", SeriesViewSet, basename="series")

urlpatterns = [*router.urls, re_path(r"^series/preview/?$", SeriesPreviewView.as_view(), name="series-preview")]
