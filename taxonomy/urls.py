"""The API routes of categories and tags."""

from calendar_site.api.routers import ContractRouter
from taxonomy.views import CategoryViewSet, TagViewSet

router = ContractRouter()
router.register("categories", CategoryViewSet, basename="category")
router.register("tags", TagViewSet, basename="tag")

urlpatterns = router.urls
