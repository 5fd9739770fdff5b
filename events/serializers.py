"""What is written about events."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from functools import cached_property
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db.models import Model
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from calendar_site.api import values
from calendar_site.api.errors import ContractError
from calendar_site.api.input import (
    BooleanInput,
    DateInput,
    HTMLInput,
    InputField,
    InputSerializer,
    NamedInput,
    PublicationInput,
    SlugInput,
    TextInput,
    WebAddressInput,
    read_line,
)
from calendar_site.api.parsers import Repeated
from calendar_site.api.schema import describe_object
from calendar_site.api.shapes import as_many
from calendar_site.content.dates import Zone, parse_zone, site_zone, wire
from calendar_site.content.validators import validate_currency
from events.costs import parse_cost
from events.models import Event, Ticket
from events.schedule import zone_of
from organizers.models import Organizer
from organizers.serializers import OrganizerInput
from taxonomy.models import Category, Tag
from taxonomy.serializers import NAME_LENGTH, ParentInput
from venues.models import Venue
from venues.serializers import VenueInput

MOST_LINKS = 100
PASSWORD_LENGTH = 100


class EventDateInput(DateInput):
    """A date on the clock of the event's own zone."""

    schema = {"type": "string", "format": "date-time"}

    def zone(self) -> Zone:
        return self.parent.zone


class ZoneInput(InputField):
    def read(self, data: Any) -> str:
        return parse_zone(values.read_text(data)).name


class WebsiteInput(WebAddressInput):
    """An event's website. Without one it answers its own page, which therefore means none, in whatever language."""

    schema = {"type": "string", "format": "uri"}

    def is_empty(self, given: Any) -> bool:
        event = self.parent.instance
        links = self.context["links"]
        own_pages = links.versions(links.page("event", event.slug)).values() if event is not None else ()
        return super().is_empty(given) or given in own_pages


class CostInput(InputField):
    """A cost as people write it: a number, a text, or a list of them. The contract gives it no type."""

    schema: dict[str, Any] = {}
    takes_lists = True

    def is_empty(self, given: Any) -> bool:
        return super().is_empty(given) or given == []

    def read(self, data: Any) -> Any:
        parse_cost(data, settings.DEFAULT_CURRENCY_SYMBOL, settings.DEFAULT_CURRENCY_POSITION)
        return data


class LinksInput(InputField):
    """Linked records, in every spelling: ids, comma texts, objects with an id."""

    schema = {"type": "array", "items": {"type": "integer"}}
    takes_lists = True

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(clearable=True, empty=[], **kwargs)

    def is_empty(self, given: Any) -> bool:
        return not isinstance(given, bool) and not as_many(given)

    def read(self, data: Any) -> list[Any]:
        items = list(_items(data))
        if len(items) > MOST_LINKS:
            raise ValueError(_("These are more than %(limit)s.") % {"limit": MOST_LINKS})
        return self.found([self.item(given) for given in items])

    def item(self, given: Any) -> Any:
        """An id, or what is to be found or made by other means. Raises ValueError."""
        raise NotImplementedError

    def found(self, items: list[Any]) -> list[Any]:
        """The rows of the ids; what is to be made is left as it is."""
        raise NotImplementedError


def _items(given: Any) -> Iterator[Any]:
    """What is linked, one by one. In a list only ids stand with commas between: a name may have a comma."""
    is_array = isinstance(given, list) and not isinstance(given, Repeated)
    for item in as_many(given):
        parts = as_many(item)
        if is_array and isinstance(item, str) and not all(part.isdecimal() for part in parts):
            yield item
        else:
            yield from parts


def _id_in(given: Any) -> int | None:
    """The id that a number, a text of digits or an object names."""
    if isinstance(given, dict):
        given = given.get("id") or None
    if given is None or (isinstance(given, str) and not given.strip().isdecimal()):
        return None
    return values.read_integer(given, minimum=1)


class NamedLinksInput(LinksInput):
    """Venues or organizers: known ones by their id, new ones by their data."""

    def __init__(self, *, model: Any, input_class: type[NamedInput], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.model = model
        self.input_class = input_class

    def item(self, given: Any) -> Any:
        pk = _id_in(given)
        if pk is not None:
            return pk
        if not isinstance(given, dict):
            raise ValueError(_("This is neither an id nor the data of a new record."))
        try:
            return self.input_class(None, data=given, context=self.context).check()
        except ContractError as error:
            raise ValueError(_sentence(error)) from error

    def found(self, items: list[Any]) -> list[Any]:
        ids = [item for item in items if isinstance(item, int)]
        rows = self.model.objects.visible_to(self.context["user"]).in_bulk(ids) if ids else {}
        unknown = [pk for pk in ids if pk not in rows]
        if unknown:
            raise ValueError(_("Unknown: %(names)s.") % {"names": ", ".join(map(str, unknown))})
        return [rows[item] if isinstance(item, int) else item for item in items]


def _sentence(error: ContractError) -> str:
    params = error.data.get("params")
    if isinstance(params, dict):
        return " ".join(f"{name}: {message}" for name, message in params.items())
    return str(error.detail)


class TermLinksInput(LinksInput):
    """Categories or tags: known ones by id, name or slug, new ones by name. Unknown ids are passed over."""

    def __init__(self, *, model: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.model = model

    def item(self, given: Any) -> Any:
        pk = _id_in(given)
        if pk is not None:
            return pk
        return read_line(given, NAME_LENGTH)

    def found(self, items: list[Any]) -> list[Any]:
        ids = [item for item in items if isinstance(item, int)]
        names = [item for item in items if isinstance(item, str)]
        by_id = self.model.objects.in_bulk(ids) if ids else {}
        by_name = self.model.objects.by_names(names)
        rows: list[Model | dict[str, str]] = []
        for item in items:
            if isinstance(item, str):
                rows.append(by_name.get(item) or {"name": item})
            elif item in by_id:
                rows.append(by_id[item])
        return rows


class EventParentInput(ParentInput):
    """The id of the event that this one is a part of; 0 and empty mean none."""

    def read(self, data: Any) -> Event:
        pk = values.read_integer(data, minimum=1)
        parent = Event.objects.visible_to(self.context["user"]).filter(pk=pk).first()
        if parent is None:
            raise ValueError(_("There is no event with this id."))
        return parent


class PasswordInput(InputField):
    """A password, to the letter."""

    def is_empty(self, given: Any) -> bool:
        return given == ""

    def read(self, data: Any) -> str:
        text = values.read_text(data)
        if len(text) > PASSWORD_LENGTH:
            raise ValueError(_("This is longer than %(limit)s characters.") % {"limit": PASSWORD_LENGTH})
        return text


class CurrencyInput(InputField):
    def read(self, data: Any) -> str:
        code = values.read_text(data).strip().upper()
        validate_currency(code)
        return code


class PriceInput(InputField):
    schema = {"type": ["string", "number"]}

    def read(self, data: Any) -> Decimal:
        try:
            return forms.DecimalField(min_value=0, max_digits=12, decimal_places=2).clean(str(data))
        except ValidationError as error:
            raise ValueError(error.messages[0]) from error


class TicketDateInput(DateInput):
    """A date on the clock of the event. What a ticket answers keeps the moment that is stored (D14)."""

    def zone(self) -> Zone:
        return self.context["zone"]

    def read(self, data: Any) -> datetime:
        # Of an hour that summer time doubles the text does not say which turn is meant.
        moments = (getattr(ticket, self.source) for ticket in self.context["likest"])
        kept = (moment for moment in moments if moment and wire(moment.astimezone(self.zone().tz)) == data)
        return next(kept, None) or super().read(data)


class TicketInput(InputSerializer):
    name = TextInput(required=True, max_length=200, describe=gettext_lazy("What the ticket is called."))
    price = PriceInput(required=True, describe=gettext_lazy("The price: a number with two decimals at the most."))
    currency = CurrencyInput(required=True, describe=gettext_lazy("The currency: three letters, such as EUR."))
    url = WebAddressInput(clearable=True, describe=gettext_lazy("Where the ticket is sold."))
    available_from = TicketDateInput(
        clearable=True, empty=None, describe=gettext_lazy("When the sale begins, in the event's time zone.")
    )
    available_until = TicketDateInput(
        clearable=True, empty=None, describe=gettext_lazy("When the sale ends, in the event's time zone.")
    )
    sold_out = BooleanInput(describe=gettext_lazy("Whether there are no more."))


class TicketsInput(InputField):
    """All the tickets of the event, in their order."""

    takes_lists = True

    @property
    def schema(self) -> dict[str, Any]:  # type: ignore[override] # read off another serializer
        return {"type": "array", "items": describe_object(TicketInput())}

    def is_empty(self, given: Any) -> bool:
        return super().is_empty(given) or given == []

    def read(self, data: Any) -> list[dict[str, Any]]:
        if isinstance(data, dict):
            data = [data]
        if not isinstance(data, list) or not all(isinstance(ticket, dict) for ticket in data):
            raise ValueError(_("This is no list of tickets."))
        if len(data) > MOST_LINKS:
            raise ValueError(_("These are more than %(limit)s.") % {"limit": MOST_LINKS})
        stored = list(self.parent.instance.tickets.all()) if self.parent.instance else []
        context = {**self.context, "zone": self.parent.zone}
        try:
            return [
                TicketInput(None, data=ticket, context={**context, "likest": _likest(stored, ticket, place)}).check()
                for place, ticket in enumerate(data)
            ]
        except ContractError as error:
            raise ValueError(_sentence(error)) from error


def _likest(stored: list[Ticket], given: dict[str, Any], place: int) -> list[Ticket]:
    """The tickets there are, first those that the given one, which bears no id, seems to be."""
    order = sorted(enumerate(stored), key=lambda pair: (pair[1].name != given.get("name"), pair[0] != place))
    return [ticket for _place, ticket in order]


class EventInput(PublicationInput):
    title = TextInput(required=True, describe=gettext_lazy("The title of the event."))
    start_date = EventDateInput(
        source="start",
        required=True,
        describe=gettext_lazy("When the event starts, on the clock of its time zone: 2027-03-10 18:00:00."),
    )
    end_date = EventDateInput(
        source="end",
        required=True,
        describe=gettext_lazy("When the event ends, on the clock of its time zone: 2027-03-10 20:00:00."),
    )
    timezone = ZoneInput(
        source="time_zone",
        clearable=True,
        describe=gettext_lazy("The time zone of the event, such as Europe/Rome or UTC+2; the site's unless said."),
    )
    all_day = BooleanInput(describe=gettext_lazy("Whether the event lasts the whole of its days."))
    slug = SlugInput(
        clearable=True,
        describe=gettext_lazy("The last part of the event's address; made of the title unless said."),
    )
    excerpt = HTMLInput(clearable=True, describe=gettext_lazy("The event in a few words, as HTML or plain text."))
    cost = CostInput(
        clearable=True,
        describe=gettext_lazy("What the event costs: a number, a text such as 10 – 30 €, or a list of these."),
    )
    website = WebsiteInput(clearable=True, describe=gettext_lazy("The address of the event's own website."))
    show_map = BooleanInput(describe=gettext_lazy("Whether a map is shown with the event."))
    show_map_link = BooleanInput(describe=gettext_lazy("Whether a link to a map is shown with the event."))
    hide_from_listings = BooleanInput(describe=gettext_lazy("Whether lists leave the event out."))
    sticky = BooleanInput(describe=gettext_lazy("Whether calendars show the event before others."))
    featured = BooleanInput(describe=gettext_lazy("Whether the event is featured on the site."))
    categories = TermLinksInput(
        model=Category,
        describe=gettext_lazy("The categories, by id or name; a name that is not known makes a new one."),
    )
    tags = TermLinksInput(
        model=Tag, describe=gettext_lazy("The tags, by id or name; a name that is not known makes a new one.")
    )
    venue = NamedLinksInput(
        source="venues",
        model=Venue,
        input_class=VenueInput,
        describe=gettext_lazy("The venues, by id; or the fields of a new one, as POST /venues takes them."),
    )
    organizer = NamedLinksInput(
        source="organizers",
        model=Organizer,
        input_class=OrganizerInput,
        describe=gettext_lazy("The organizers, by id; or the fields of new ones, as POST /organizers takes them."),
    )
    post_parent = EventParentInput(
        source="parent",
        clearable=True,
        empty=None,
        describe=gettext_lazy("The event that this one is a part of, by its id; 0 for none."),
    )
    tickets = TicketsInput(clearable=True, empty=[], describe=gettext_lazy("All tickets of the event, in their order."))
    post_password = PasswordInput(
        source="password",
        clearable=True,
        describe=gettext_lazy("The password that the event gets; readers need it to see more than title and dates."),
    )
    # A credential, as for reading: it never changes the event's own password.
    password = TextInput(
        source="credential",
        describe=gettext_lazy("The password that the event has, as for reading. It is never changed by this."),
    )

    kind = "event"
    defaults = {"all_day": False, **dict.fromkeys(("website", "categories", "tags", "venue", "organizer"))}

    @cached_property
    def zone(self) -> Zone:
        """The zone in which the dates are written: the one that is sent, else the event's."""
        sent = dict(self.sent())
        if "timezone" not in sent and self.instance is not None:
            return zone_of(self.instance)
        try:
            return parse_zone(sent.get("timezone") or site_zone().name)
        except (ValueError, TypeError, AttributeError):
            # The zone itself is reported as a fault.
            return site_zone()

    def check(self) -> dict[str, Any]:
        fields = super().check()
        fields.pop("credential", None)
        if fields.get("time_zone") == "":
            fields["time_zone"] = site_zone().name
        return fields

    def answered(self, row: Event) -> dict[str, Any]:
        return super().answered(row) | {
            "start_date": row.start_local,
            "end_date": row.end_local,
            "cost": row.cost,
            "post_parent": row.parent_id,
        }


class EventCredential(InputSerializer):
    """The arguments of reading and deleting one event."""

    password = TextInput(describe=gettext_lazy("The password of the event, where it has one."))
