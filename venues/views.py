"""Venues over HTTP."""

from django.utils.translation import gettext_lazy

from calendar_site.api.viewsets import NamedViewSet
from venues.loading import VenueRow
from venues.models import Venue
from venues.representation import place, represent_venue
from venues.schemas import EXAMPLES, VENUE
from venues.serializers import VenueInput


class VenueViewSet(NamedViewSet):
    model = Venue
    collection = "venues"
    kind = "venue"
    about = gettext_lazy("Venues: the places where events are.")
    row_type = VenueRow
    input_class = VenueInput
    record_schema = VENUE
    examples = EXAMPLES
    represent = staticmethod(represent_venue)
    structured = staticmethod(place)
