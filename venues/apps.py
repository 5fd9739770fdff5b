from typing import Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from calendar_site.back_office import menu
from calendar_site.content.search_index import register_search_index
from calendar_site.content.search_words import register_search_words
from calendar_site.core.clock import Moments, register_moments
from calendar_site.custom_fields.resources import register_resource


class VenuesConfig(AppConfig):
    name = "venues"
    verbose_name = _("Venues")

    def ready(self) -> None:
        register_resource("venue", self.get_model("Venue"))
        venue: Any = self.get_model("Venue")
        register_moments(Moments.PUBLICATION, venue.objects.next_publications)
        register_search_index(self.get_model("Venue"))
        register_search_words(self.get_model("Venue"))
        menu.register(menu.Section.PLACES, menu.ModelEntry(self.get_model("Venue"), "location_on"), position=10)
