from importlib import import_module
from typing import Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from calendar_site.back_office import menu
from calendar_site.content.search_index import register_search_index
from calendar_site.content.search_words import register_search_words
from calendar_site.core.clock import Moments, register_moments
from calendar_site.custom_fields.resources import register_resource
from calendar_site.derived.registry import register


class EventsConfig(AppConfig):
    name = "events"
    verbose_name = _("Events")

    def ready(self) -> None:
        register_resource("event", self.get_model("Event"))
        event: Any = self.get_model("Event")
        series: Any = self.get_model("Series")
        register_moments(Moments.PUBLICATION, event.objects.next_publications)
        # The response to an event contains its series only while that is public.
        register_moments(Moments.PUBLICATION, series.objects.next_publications)
        register_moments(Moments.EVENT_END, event.objects.next_ends)
        register_search_index(self.get_model("Event"))
        register_search_words(self.get_model("Event"))
        menu.register(
            menu.Section.CALENDAR,
            menu.ModelEntry(self.get_model("Event"), "calendar_month", "calendar", _("Calendar")),
            menu.ModelEntry(self.get_model("Event"), "event"),
            menu.ModelEntry(self.get_model("Series"), "event_repeat"),
            menu.ModelEntry(self.get_model("Event"), "frame_source", "embed", _("Show in another site")),
            position=10,
        )
        # Not above: the modules import the models.
        import_module("events.series.receivers")
        register(import_module("events.derived.linked_records_version").LINKED_RECORDS_VERSION)
        register(import_module("events.derived.renderings").RENDERINGS)
        register(import_module("events.listing.tables.links").indexed_links)
        register(import_module("events.listing.tables.links").indexed_tickets)
        register(import_module("events.listing.tables.links").indexed_venue_counts)
        register(import_module("events.derived.activity").linked_activity)
        register(import_module("events.listing.tables.tallies").event_tally)
        register(import_module("events.listing.tables.tallies").term_tallies)
        # Last, because their rebuild changes tables that others are derived from.
        register(import_module("events.derived.term_counts").term_counts)
