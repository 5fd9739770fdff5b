"""Venues over HTTP."""

from django.utils.translation import gettext_lazy

from calendar_site.api.description.operations import Summaries
from calendar_site.api.viewsets import LinkedContentViewSet
from venues.filtersets import VenueFilterSet
from venues.loading import VenueRow
from venues.models import Venue
from venues.representation import add_place_json_ld, represent_venue
from venues.schemas import EXAMPLES, VENUE
from venues.serializers import VenueSerializer
from venues.services import venue_services


class VenueViewSet(LinkedContentViewSet):
    model = Venue
    collection = "venues"
    resource = "venue"
    tag_description = gettext_lazy("Venues: the places where events are held.")
    summaries = Summaries(
        list=gettext_lazy("List venues"),
        create=gettext_lazy("Create a venue"),
        get=gettext_lazy("Get a venue"),
        update=gettext_lazy("Update a venue"),
        delete=gettext_lazy("Delete a venue"),
    )
    row_type = VenueRow
    services = venue_services
    filterset_class = VenueFilterSet
    serializer_class = VenueSerializer
    record_schema = VENUE
    examples = EXAMPLES
    represent = staticmethod(represent_venue)
    add_json_ld = staticmethod(add_place_json_ld)
