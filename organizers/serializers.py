"""The write fields of organizers."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from calendar_site.api.input.fields import TextField, URLField
from calendar_site.api.input.serializers import LinkedContentSerializer
from organizers.models import Organizer


class OrganizerSerializer(LinkedContentSerializer):
    resource = "organizer"

    class Meta:
        model = Organizer

    organizer = TextField(source="title", required=True, help_text=_("The name of the organizer."))
    phone = TextField(allow_null=True, help_text=_("The phone number of the organizer."))
    website = URLField(allow_null=True, help_text=_("The URL of the organizer's website."))
    email = TextField(allow_null=True, help_text=_("The email address of the organizer."))

    # In the contract, the default of these fields is null.
    defaults = dict.fromkeys(
        (
            "organizer", "author", "date", "date_utc", "description", "status", "phone", "website", "email", "image"
        )
    )  # fmt: skip
