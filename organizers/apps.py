from typing import Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from calendar_site.back_office import menu
from calendar_site.content.search_index import register_search_index
from calendar_site.content.search_words import register_search_words
from calendar_site.core.clock import Moments, register_moments
from calendar_site.custom_fields.resources import register_resource


class OrganizersConfig(AppConfig):
    name = "organizers"
    verbose_name = _("Organizers")

    def ready(self) -> None:
        register_resource("organizer", self.get_model("Organizer"))
        organizer: Any = self.get_model("Organizer")
        register_moments(Moments.PUBLICATION, organizer.objects.next_publications)
        register_search_index(self.get_model("Organizer"))
        register_search_words(self.get_model("Organizer"))
        menu.register(menu.Section.PLACES, menu.ModelEntry(self.get_model("Organizer"), "groups"), position=20)
