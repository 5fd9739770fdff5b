"""The API routes of events and series."""

from calendar_site.api.routers import ContractRouter
from events.series_api.views import SeriesViewSet
from events.views import EventViewSet

router = ContractRouter()
router.register("events", EventViewSet, basename="event")
router.register("series", SeriesViewSet, basename="series")

urlpatterns = router.urls
