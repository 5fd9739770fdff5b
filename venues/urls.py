"""The API routes of venues."""

from calendar_site.api.routers import ContractRouter
from venues.views import VenueViewSet

router = ContractRouter()
router.register("venues", VenueViewSet, basename="venue")

urlpatterns = router.urls
