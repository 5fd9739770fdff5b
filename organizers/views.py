"""Organizers over HTTP."""

from django.utils.translation import gettext_lazy

from calendar_site.api.description.operations import Summaries
from calendar_site.api.viewsets import LinkedContentViewSet
from organizers.loading import OrganizerRow
from organizers.models import Organizer
from organizers.representation import add_organization_json_ld, represent_organizer
from organizers.schemas import EXAMPLES, ORGANIZER
from organizers.serializers import OrganizerSerializer
from organizers.services import organizer_services


class OrganizerViewSet(LinkedContentViewSet):
    model = Organizer
    collection = "organizers"
    resource = "organizer"
    tag_description = gettext_lazy("Organizers: the people and groups that run the events.")
    summaries = Summaries(
        list=gettext_lazy("List organizers"),
        create=gettext_lazy("Create an organizer"),
        get=gettext_lazy("Get an organizer"),
        update=gettext_lazy("Update an organizer"),
        delete=gettext_lazy("Delete an organizer"),
    )
    row_type = OrganizerRow
    services = organizer_services
    serializer_class = OrganizerSerializer
    record_schema = ORGANIZER
    examples = EXAMPLES
    represent = staticmethod(represent_organizer)
    add_json_ld = staticmethod(add_organization_json_ld)
