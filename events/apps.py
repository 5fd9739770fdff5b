from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from calendar_site.back_office import menu
from calendar_site.custom_fields.resources import register_resource


class EventsConfig(AppConfig):
    name = "events"
    verbose_name = _("Events")

    def ready(self) -> None:
        register_resource("event", self.get_model("Event"))
        menu.register(
            menu.Section.CALENDAR,
            menu.ModelEntry(self.get_model("Event"), "calendar_month", "calendar", _("Calendar")),
            menu.ModelEntry(self.get_model("Event"), "event"),
            position=10,
        )
