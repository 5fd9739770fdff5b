"""What is written about organizers."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from calendar_site.api.input import NamedInput, TextInput, WebAddressInput


class OrganizerInput(NamedInput):
    kind = "organizer"

    organizer = TextInput(source="title", required=True, describe=_("The name of the organizer."))
    phone = TextInput(max_length=200, clearable=True, describe=_("The phone number of the organizer."))
    website = WebAddressInput(clearable=True, describe=_("The address of the organizer's own website."))
    email = TextInput(max_length=320, clearable=True, describe=_("The e-mail address of the organizer."))

    # In the contract, everything of an organizer is null unless it is said.
    defaults = dict.fromkeys(
        (
            "organizer", "author", "date", "date_utc", "description", "status", "phone", "website", "email", "image"
        )
    )  # fmt: skip
