"""The write fields of events and their tickets."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from django.utils.translation import gettext_lazy
from rest_framework.fields import empty

from calendar_site.api.fields import (
    BooleanField,
    MarkupField,
    SlugField,
    TextField,
    URLField,
)
from calendar_site.api.serializers import ContentSerializer, ContractSerializer
from calendar_site.core.dates import Zone, parse_zone, site_zone
from events.models import Event, Ticket
from events.schedule import zone_of
from events.serializer_fields import (
    CostField,
    CurrencyField,
    EventDateTimeField,
    LinkedContentField,
    ParentEventField,
    PasswordField,
    PriceField,
    TermsField,
    TicketDateTimeField,
    TicketsField,
    WebsiteField,
    ZoneNameField,
)
from organizers.models import Organizer
from organizers.serializers import OrganizerSerializer
from taxonomy.models import Category, Tag
from venues.models import Venue
from venues.serializers import VenueSerializer

# Of a password that is only compared with the event's.
MAX_CREDENTIAL_LENGTH = 500


class TicketSerializer(ContractSerializer):
    name = TextField(required=True, help_text=gettext_lazy("What the ticket is called."))
    price = PriceField(required=True, help_text=gettext_lazy("The price: a number with two decimals at the most."))
    currency = CurrencyField(required=True, help_text=gettext_lazy("The currency: three letters, such as EUR."))
    url = URLField(allow_null=True, help_text=gettext_lazy("Where the ticket is sold."))
    available_from = TicketDateTimeField(
        allow_null=True, cleared_value=None, help_text=gettext_lazy("When the sale begins, in the event's time zone.")
    )
    available_until = TicketDateTimeField(
        allow_null=True, cleared_value=None, help_text=gettext_lazy("When the sale ends, in the event's time zone.")
    )
    sold_out = BooleanField(help_text=gettext_lazy("Whether there are no more."))

    class Meta:
        model = Ticket


class EventSerializer(ContentSerializer):
    title = TextField(required=True, help_text=gettext_lazy("The title of the event."))
    start_date = EventDateTimeField(
        source="start",
        required=True,
        help_text=gettext_lazy("When the event starts, on the clock of its time zone: 2027-03-10 18:00:00."),
    )
    end_date = EventDateTimeField(
        source="end",
        required=True,
        help_text=gettext_lazy("When the event ends, on the clock of its time zone: 2027-03-10 20:00:00."),
    )
    timezone = ZoneNameField(
        source="time_zone",
        allow_null=True,
        help_text=gettext_lazy("The time zone of the event, such as Europe/Rome or UTC+2; the site's unless said."),
    )
    all_day = BooleanField(help_text=gettext_lazy("Whether the event lasts the whole of its days."))
    slug = SlugField(
        allow_null=True,
        help_text=gettext_lazy("The last part of the event's address; made of the title unless said."),
    )
    excerpt = MarkupField(allow_null=True, help_text=gettext_lazy("The event in a few words, as HTML or plain text."))
    cost = CostField(
        allow_null=True,
        help_text=gettext_lazy("What the event costs: a number, a text such as 10 – 30 €, or a list of these."),
    )
    website = WebsiteField(allow_null=True, help_text=gettext_lazy("The address of the event's own website."))
    show_map = BooleanField(help_text=gettext_lazy("Whether a map is shown with the event."))
    show_map_link = BooleanField(help_text=gettext_lazy("Whether a link to a map is shown with the event."))
    hide_from_listings = BooleanField(help_text=gettext_lazy("Whether lists leave the event out."))
    sticky = BooleanField(help_text=gettext_lazy("Whether calendars show the event before others."))
    featured = BooleanField(help_text=gettext_lazy("Whether the event is featured on the site."))
    categories = TermsField(
        model=Category,
        help_text=gettext_lazy("The categories, by id or name; a name that is not known makes a new one."),
    )
    tags = TermsField(
        model=Tag, help_text=gettext_lazy("The tags, by id or name; a name that is not known makes a new one.")
    )
    venue = LinkedContentField(
        source="venues",
        model=Venue,
        serializer_class=VenueSerializer,
        help_text=gettext_lazy("The venues, by id; or the fields of a new one, as POST /venues takes them."),
    )
    organizer = LinkedContentField(
        source="organizers",
        model=Organizer,
        serializer_class=OrganizerSerializer,
        help_text=gettext_lazy("The organizers, by id; or the fields of new ones, as POST /organizers takes them."),
    )
    post_parent = ParentEventField(
        source="parent",
        allow_null=True,
        cleared_value=None,
        help_text=gettext_lazy("The event that this one is a part of, by its id; 0 for none."),
    )
    tickets = TicketsField(
        serializer_class=TicketSerializer,
        allow_null=True,
        cleared_value=[],
        help_text=gettext_lazy("All tickets of the event, in their order."),
    )
    post_password = PasswordField(
        source="password",
        allow_null=True,
        help_text=gettext_lazy("The password that the event gets; readers need it to see more than title and dates."),
    )
    # A credential, as for reading: it never changes the event's own password.
    password = TextField(
        source="credential",
        max_length=MAX_CREDENTIAL_LENGTH,
        help_text=gettext_lazy("The password that the event has, as for reading. It is never changed by this."),
    )

    resource = "event"
    defaults = {"all_day": False, **dict.fromkeys(("website", "categories", "tags", "venue", "organizer"))}

    class Meta:
        model = Event

    @cached_property
    def zone(self) -> Zone:
        """The time zone in which the dates are written: the one that is sent, else the event's."""
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
            "cost": self.instance.cost,
            "post_parent": self.instance.parent_id,
        }

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        attrs = super().validate(attrs)
        attrs.pop("credential", None)
        if attrs.get("time_zone") == "":
            attrs["time_zone"] = site_zone().name
        return attrs


class EventCredentialSerializer(ContractSerializer):
    """The arguments of reading and deleting one event."""

    password = TextField(
        max_length=MAX_CREDENTIAL_LENGTH, help_text=gettext_lazy("The password of the event, where it has one.")
    )
