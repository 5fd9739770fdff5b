"""The routes of `tec/v1`."""

from typing import Any

from django.urls import URLPattern, re_path

from calendar_site.compatibility.addresses import TEC
from calendar_site.compatibility.root import NamespaceView
from calendar_site.compatibility.tec.document import TecDocument
from calendar_site.compatibility.tec.views import TecEvents, TecOrganizers, TecVenues

LIST: dict[str, Any] = {"get": "list", "post": "create"}
ITEM: dict[str, Any] = {"get": "retrieve", "put": "update", "patch": "update", "delete": "destroy"}


def tec_patterns() -> list[URLPattern]:
    """Return the URL patterns below the namespace, for the views that describe them."""
    return urlpatterns


urlpatterns = [
    re_path(r"^\Z", NamespaceView.as_view(patterns=tec_patterns, original_namespace=TEC)),
    re_path(r"^docs/?\Z", TecDocument.as_view(patterns=tec_patterns)),
    *(
        pattern
        for path, view in (("events", TecEvents), ("venues", TecVenues), ("organizers", TecOrganizers))
        for pattern in (
            re_path(rf"^{path}/?\Z", view.as_view(LIST, detail=False)),
            re_path(rf"^{path}/(?P<id>[0-9]+)/?\Z", view.as_view(ITEM, detail=True)),
        )
    ),
]
