"""Organizers over HTTP."""

from calendar_site.api.viewsets import NamedViewSet
from organizers.loading import OrganizerRow
from organizers.models import Organizer
from organizers.representation import person, represent_organizer
from organizers.serializers import OrganizerInput


class OrganizerViewSet(NamedViewSet):
    model = Organizer
    collection = "organizers"
    kind = "organizer"
    row_type = OrganizerRow
    input_class = OrganizerInput
    represent = staticmethod(represent_organizer)
    structured = staticmethod(person)
