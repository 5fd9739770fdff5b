"""Venues over HTTP."""

from calendar_site.api.viewsets import NamedViewSet
from venues.loading import VenueRow
from venues.models import Venue
from venues.representation import place, represent_venue
from venues.serializers import VenueInput


class VenueViewSet(NamedViewSet):
    model = Venue
    collection = "venues"
    kind = "venue"
    row_type = VenueRow
    input_class = VenueInput
    represent = staticmethod(represent_venue)
    structured = staticmethod(place)
