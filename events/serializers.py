"""The write fields of events and their tickets."""

from __future__ import annotations

from functools import cached_property
from typing import Any, cast

from django.utils.translation import gettext_lazy
from rest_framework.fields import empty

from calendar_site.api.description.components import Component
from calendar_site.api.input.fields import (
    AccessibilityInput,
    BooleanField,
    ChoiceField,
    MarkupField,
    SlugField,
    TextField,
    URLField,
    ZoneNameField,
)
from calendar_site.api.input.serializers import ContentSerializer, ContractSerializer
from calendar_site.core.dates.conversion import Zone, parse_zone, site_zone, to_wire
from events.choices import AttendanceMode, EventStatus
from events.models import Event, Ticket
from events.schedule import zone_of
from events.write_fields.events import (
    CostField,
    EventDateTimeField,
    ParentEventField,
    PasswordField,
    WebsiteField,
)
from events.write_fields.linked_records import LinkedContentField, TermsField
from events.write_fields.tickets import CurrencyField, PriceField, TicketDateTimeField, TicketsField
from organizers.models import Organizer
from organizers.serializers import OrganizerSerializer
from taxonomy.models import Category, Tag
from venues.models import Venue
from venues.serializers import VenueSerializer

# The limit of a password that is only compared with the event's own.
MAX_CREDENTIAL_LENGTH = 500

EVENT_STATUS = Component("EventStatus", {"type": "string", "enum": EventStatus.values})
ATTENDANCE_MODE = Component("AttendanceMode", {"type": "string", "enum": AttendanceMode.values})


class TicketSerializer(ContractSerializer):
    name = TextField(required=True, help_text=gettext_lazy("The name of the ticket."))
    price = PriceField(required=True, help_text=gettext_lazy("The price, a number with at most two decimal places."))
    currency = CurrencyField(required=True, help_text=gettext_lazy("The three-letter currency code, such as EUR."))
    url = URLField(allow_null=True, help_text=gettext_lazy("The URL where the ticket is sold."))
    available_from = TicketDateTimeField(
        allow_null=True,
        cleared_value=None,
        help_text=gettext_lazy("When ticket sales start, in the time zone of the event."),
    )
    available_until = TicketDateTimeField(
        allow_null=True,
        cleared_value=None,
        help_text=gettext_lazy("When ticket sales end, in the time zone of the event."),
    )
    sold_out = BooleanField(help_text=gettext_lazy("Whether the ticket is sold out."))

    class Meta:
        model = Ticket


class EventSerializer(ContentSerializer):
    title = TextField(required=True, help_text=gettext_lazy("The title of the event."))
    start_date = EventDateTimeField(
        source="start",
        required=True,
        help_text=gettext_lazy("The start date and time, in the time zone of the event, such as 2027-03-10 18:00:00."),
    )
    end_date = EventDateTimeField(
        source="end",
        required=True,
        help_text=gettext_lazy("The end date and time, in the time zone of the event, such as 2027-03-10 20:00:00."),
    )
    timezone = ZoneNameField(
        source="time_zone",
        allow_null=True,
        help_text=gettext_lazy(
            "The time zone of the event, such as Europe/Rome or UTC+2. Defaults to the site's time zone."
        ),
    )
    all_day = BooleanField(help_text=gettext_lazy("Whether this is an all-day event. Defaults to false."))
    slug = SlugField(
        allow_null=True,
        help_text=gettext_lazy("The last part of the public URL. Generated from the title by default."),
    )
    excerpt = MarkupField(
        allow_null=True,
        max_length=Event.MAX_EXCERPT_LENGTH,
        help_text=gettext_lazy("A short summary of the event, as HTML or plain text."),
    )
    cost = CostField(
        allow_null=True,
        help_text=gettext_lazy("The cost of the event: a number, a string such as 10 – 30 €, or an array of these."),
    )
    website = WebsiteField(allow_null=True, help_text=gettext_lazy("The URL of the event's website."))
    show_map = BooleanField(help_text=gettext_lazy("Whether to show a map with the event."))
    show_map_link = BooleanField(help_text=gettext_lazy("Whether to show a link to a map with the event."))
    hide_from_listings = BooleanField(help_text=gettext_lazy("Whether to hide the event from listings."))
    sticky = BooleanField(
        help_text=gettext_lazy("Whether the event is sticky: websites can keep it at the top of their lists.")
    )
    featured = BooleanField(help_text=gettext_lazy("Whether the event is featured: websites can highlight it."))
    event_status = ChoiceField(
        choices=EventStatus,
        component=EVENT_STATUS,
        help_text=gettext_lazy(
            "Whether the event takes place as planned: scheduled, cancelled, postponed, rescheduled or moved_online. "
            "Defaults to scheduled."
        ),
    )
    event_status_reason = TextField(
        allow_null=True, help_text=gettext_lazy("The reason for the status, which visitors read.")
    )
    previous_start_date = EventDateTimeField(
        source="previous_start",
        allow_null=True,
        cleared_value=None,
        help_text=gettext_lazy(
            "The start of a rescheduled event before it was moved, in the time zone of the event. If you send "
            "rescheduled with a new start_date, it defaults to the old one."
        ),
    )
    sold_out = BooleanField(help_text=gettext_lazy("Whether the event is sold out."))
    attendance_mode = ChoiceField(
        choices=AttendanceMode,
        component=ATTENDANCE_MODE,
        help_text=gettext_lazy("How people attend the event: in_person, online or mixed. Defaults to in_person."),
    )
    online_url = URLField(allow_null=True, help_text=gettext_lazy("The URL where people attend the event online."))
    hide_online_url = BooleanField(
        help_text=gettext_lazy("Whether to show the online URL only from one hour before the start of the event.")
    )
    accessibility = AccessibilityInput(
        allow_null=True,
        cleared_value=[],
        help_text=gettext_lazy(
            "How the event is accessible: any of step_free, hearing_loop, sign_language and quiet_hour."
        ),
    )
    categories = TermsField(
        model=Category,
        max_count=Event.MAX_CATEGORIES,
        help_text=gettext_lazy("The ids, names or slugs of the categories. An unknown name creates a category."),
    )
    tags = TermsField(
        model=Tag,
        max_count=Event.MAX_TAGS,
        help_text=gettext_lazy("The ids, names or slugs of the tags. An unknown name creates a tag."),
    )
    venue = LinkedContentField(
        source="venues",
        model=Venue,
        max_count=Event.MAX_VENUES,
        serializer_class=VenueSerializer,
        help_text=gettext_lazy("The ids of the venues, or the fields of a new venue as in POST /venues."),
    )
    organizer = LinkedContentField(
        source="organizers",
        model=Organizer,
        max_count=Event.MAX_ORGANIZERS,
        serializer_class=OrganizerSerializer,
        help_text=gettext_lazy("The ids of the organizers, or the fields of new organizers as in POST /organizers."),
    )
    post_parent = ParentEventField(
        source="parent",
        allow_null=True,
        cleared_value=None,
        help_text=gettext_lazy("The id of the parent event, or 0 if there is none."),
    )
    tickets = TicketsField(
        serializer_class=TicketSerializer,
        allow_null=True,
        cleared_value=[],
        help_text=gettext_lazy("All tickets of the event, in order."),
    )
    post_password = PasswordField(
        source="password",
        allow_null=True,
        help_text=gettext_lazy("The password to set for the event. Visitors without it see only the title and dates."),
    )
    # A credential, as for reading: it never changes the event's own password.
    password = TextField(
        source="credential",
        max_length=MAX_CREDENTIAL_LENGTH,
        help_text=gettext_lazy(
            "The current password of the event, sent as a credential. It does not change the password."
        ),
    )

    resource = "event"
    defaults = {"all_day": False, **dict.fromkeys(("website", "categories", "tags", "venue", "organizer"))}

    class Meta:
        model = Event

    def get_fields(self) -> dict[str, Any]:
        """Return the fields. A new event has no password yet that could be sent as a credential (D26)."""
        fields = super().get_fields()
        if self.instance is None:
            del fields["password"]
        return fields

    @cached_property
    def zone(self) -> Zone:
        """The time zone in which the dates are written: the one in the request, else the event's."""
        value = self.fields["timezone"].get_value(self.initial_data)
        if value is empty and self.instance is not None:
            return zone_of(self.instance)
        try:
            return parse_zone(value or site_zone().name)
        except (ValueError, TypeError, AttributeError):
            # An error of the time zone itself.
            return site_zone()

    @cached_property
    def unchanged_values(self) -> dict[str, Any]:
        if self.instance is None:
            return {}
        return super().unchanged_values | {
            "start_date": self.instance.start_local,
            "end_date": self.instance.end_local,
            "previous_start_date": to_wire(self.instance.previous_start.astimezone(zone_of(self.instance).tz))
            if self.instance.previous_start
            else "",
            "cost": self.instance.cost,
            "post_parent": self.visible_parent_id,
        }

    @property
    def visible_parent_id(self) -> int:
        """The parent as responses show it: 0 for none, and for one that the user may not see (D32)."""
        event = cast("Event", self.instance)
        is_visible = (
            event.parent_id and Event.objects.visible_to(self.context["user"]).filter(pk=event.parent_id).exists()
        )
        return cast("int", event.parent_id) if is_visible else 0

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        attrs = super().validate(attrs)
        attrs.pop("credential", None)
        if attrs.get("time_zone") == "":
            attrs["time_zone"] = site_zone().name
        return attrs


class EventCredentialSerializer(ContractSerializer):
    """The arguments of reading and deleting one event."""

    password = TextField(
        max_length=MAX_CREDENTIAL_LENGTH,
        help_text=gettext_lazy("The password of the event, if it is password-protected."),
    )
