"""The API routes of events."""

from calendar_site.api.routers import ContractRouter
from events.views import EventViewSet

router = ContractRouter()
router.register("events", EventViewSet, basename="event")

urlpatterns = router.urls
