"""Organizers over HTTP."""

from django.utils.translation import gettext_lazy

from calendar_site.api.viewsets import NamedViewSet
from organizers.loading import OrganizerRow
from organizers.models import Organizer
from organizers.representation import person, represent_organizer
from organizers.schemas import EXAMPLES, ORGANIZER
from organizers.serializers import OrganizerInput


class OrganizerViewSet(NamedViewSet):
    model = Organizer
    collection = "organizers"
    kind = "organizer"
    about = gettext_lazy("Organizers: the people and groups whose events these are.")
    row_type = OrganizerRow
    input_class = OrganizerInput
    record_schema = ORGANIZER
    examples = EXAMPLES
    represent = staticmethod(represent_organizer)
    structured = staticmethod(person)
