"""Organizers in the admin."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from calendar_site.content.admin.content import PUBLICATION
from calendar_site.content.admin.named import NamedAdmin
from organizers.models import Organizer


@admin.register(Organizer)
class OrganizerAdmin(NamedAdmin):
    page = "organizer-page"
    namesake = _("There is another organizer of this name. Programs that write a name get the older one.")
    list_display = ("thumbnail", "name", "email", "phone", "linked_events", "status_now", "author_name", "modified")
    search_help_text = _("Words of the name, the description, the phone number, the e-mail address or the website.")
    fieldsets = (
        (None, {"fields": ("title", "slug", "description", "image")}),
        (_("Contact"), {"fields": ("phone", "email", "website")}),
        PUBLICATION,
    )
