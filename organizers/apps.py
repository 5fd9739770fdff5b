from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from calendar_site.back_office import menu
from calendar_site.custom_fields.resources import register_resource


class OrganizersConfig(AppConfig):
    name = "organizers"
    verbose_name = _("Organizers")

    def ready(self) -> None:
        register_resource("organizer", self.get_model("Organizer"))
        menu.register(menu.Section.PLACES, menu.ModelEntry(self.get_model("Organizer"), "groups"), position=20)
