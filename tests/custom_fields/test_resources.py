"""The models that custom fields can be declared for."""

from calendar_site.custom_fields.models import CustomField
from calendar_site.custom_fields.resources import is_registered, model_for
from events.models import Event
from organizers.models import Organizer
from venues.models import Venue


def test_each_app_registers_its_model():
    models = {resource: model_for(CustomField(resource=resource)) for resource in CustomField.Resource.values}

    assert models == {"event": Event, "venue": Venue, "organizer": Organizer}


def test_another_resource_is_not_registered():
    assert not is_registered(CustomField(resource="category"))
