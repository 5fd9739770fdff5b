"""Factories of records that match records written by services: derived columns, counts and slugs are set.

Dates of events are wire dates in the time zone of the event, such as `start="2030-05-04 18:00"`.
"""

import factory
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.contrib.auth.models import Group
from django.utils import timezone

from calendar_site.accounts.models import User
from calendar_site.accounts.roles import STAFF_ROLES
from calendar_site.content.services import save_content
from calendar_site.core.dates.conversion import parse_zone, site_zone
from calendar_site.core.dates.parser import parse_wire_date
from calendar_site.custom_fields.models import CustomField
from calendar_site.media.models import Image
from events.derived.renderings import save_renderings
from events.models import Event, Series, Ticket
from events.series.services import save_series
from events.services import save_event
from organizers.models import Organizer
from taxonomy.models import Category, Tag
from taxonomy.services import save_term
from venues.models import Venue

# May do everything, and is never saved.
OPERATOR = User(username="operator", is_superuser=True)


class UserFactory(factory.django.DjangoModelFactory):
    """An account with the given role, or without any. It has no password, and no history."""

    class Meta:
        model = User

    username = factory.Sequence(lambda number: f"user-{number}")
    password = UNUSABLE_PASSWORD_PREFIX

    @classmethod
    def _create(cls, model_class, *args, role=None, **fields):
        user = super()._create(model_class, *args, **{"is_staff": role in STAFF_ROLES, **fields})
        if role is not None:
            user.groups.add(Group.objects.get(name=role))
        return user


class ContentFactory(factory.django.DjangoModelFactory):
    """A published record of somebody's, who is nobody in particular."""

    class Meta:
        abstract = True

    author = factory.SubFactory(UserFactory)
    status = "publish"
    published_at = factory.LazyFunction(timezone.now)

    @classmethod
    def _create(cls, model_class, *args, author, **fields):
        return cls.save(model_class(), {"author_id": author.pk, **fields})

    @classmethod
    def save(cls, row, fields):
        return save_content(row, changes=fields, user=OPERATOR)


class VenueFactory(ContentFactory):
    class Meta:
        model = Venue

    title = factory.Sequence(lambda number: f"Venue {number}")


class OrganizerFactory(ContentFactory):
    class Meta:
        model = Organizer

    title = factory.Sequence(lambda number: f"Organizer {number}")


class TermFactory(factory.django.DjangoModelFactory):
    class Meta:
        abstract = True

    @classmethod
    def _create(cls, model_class, *args, **fields):
        return save_term(model_class(), changes=fields, user=OPERATOR)


class CategoryFactory(TermFactory):
    class Meta:
        model = Category

    name = factory.Sequence(lambda number: f"Category {number}")


class TagFactory(TermFactory):
    class Meta:
        model = Tag

    name = factory.Sequence(lambda number: f"Tag {number}")


class EventFactory(ContentFactory):
    """Two hours of tomorrow evening, unless other dates are given."""

    class Meta:
        model = Event

    title = factory.Sequence(lambda number: f"Event {number}")
    start = "tomorrow 18:00"
    end = factory.LazyAttribute(lambda event: "tomorrow 20:00" if event.start == "tomorrow 18:00" else event.start)

    @classmethod
    def save(cls, row, fields):
        zone = parse_zone(fields["time_zone"]) if "time_zone" in fields else site_zone()
        dates = {name: parse_wire_date(fields[name], zone) for name in ("start", "end")}
        return save_event(row, changes={**fields, **dates}, user=OPERATOR)


class SeriesFactory(EventFactory):
    """Two days in a row, unless another rule is given."""

    class Meta:
        model = Series

    rrule = "FREQ=DAILY;COUNT=2"

    @classmethod
    def save(cls, row, fields):
        zone = parse_zone(fields["time_zone"]) if "time_zone" in fields else site_zone()
        dates = {name: parse_wire_date(fields[name], zone) for name in ("start", "end")}
        return save_series(row, changes={**fields, **dates}, user=OPERATOR)


class TicketFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Ticket

    event = factory.SubFactory(EventFactory)
    name = "Admission"
    price = 10
    currency = "EUR"

    @classmethod
    def _create(cls, model_class, *args, **fields):
        ticket = super()._create(model_class, *args, **fields)
        # As the service of the event does.
        save_renderings([ticket.event_id])
        return ticket


class ImageFactory(factory.django.DjangoModelFactory):
    """An image in the library, of which there is no file: enough for whatever only names it."""

    class Meta:
        model = Image

    file = factory.Sequence(lambda number: f"images/{number}.jpg")
    digest = factory.Sequence(lambda number: f"{number:064}")
    author = factory.SubFactory(UserFactory)
    width = 1200
    height = 800
    filesize = 90_000
    media_type = "image/jpeg"


class CustomFieldFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = CustomField

    resource = "event"
    name = factory.Sequence(lambda number: f"field_{number}")
    label = factory.LazyAttribute(lambda field: field.name.replace("_", " ").capitalize())
