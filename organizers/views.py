"""Organizers over HTTP."""

from django.utils.translation import gettext_lazy

from calendar_site.api.viewsets import LinkedContentViewSet
from organizers.loading import OrganizerRow
from organizers.models import Organizer
from organizers.representation import person_json_ld, represent_organizer
from organizers.schemas import EXAMPLES, ORGANIZER
from organizers.serializers import OrganizerSerializer
from organizers.services import organizer_services


class OrganizerViewSet(LinkedContentViewSet):
    model = Organizer
    collection = "organizers"
    resource = "organizer"
    tag_description = gettext_lazy("Organizers: the people and groups that run the events.")
    row_type = OrganizerRow
    services = organizer_services
    serializer_class = OrganizerSerializer
    record_schema = ORGANIZER
    examples = EXAMPLES
    represent = staticmethod(represent_organizer)
    represent_json_ld = staticmethod(person_json_ld)
