"""What is written about organizers."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from calendar_site.api.input import NamedInput, TextInput, WebAddressInput


class OrganizerInput(NamedInput):
    kind = "organizer"

    organizer = TextInput(source="title", required=True, describe=_("The organizer's name."))
    phone = TextInput(max_length=200, clearable=True, describe=_("The phone number."))
    website = WebAddressInput(clearable=True, describe=_("The organizer's own website."))
    email = TextInput(max_length=320, clearable=True, describe=_("The e-mail address."))
