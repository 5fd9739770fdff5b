"""The API routes of organizers."""

from calendar_site.api.routers import ContractRouter
from organizers.views import OrganizerViewSet

router = ContractRouter()
router.register("organizers", OrganizerViewSet, basename="organizer")

urlpatterns = router.urls
