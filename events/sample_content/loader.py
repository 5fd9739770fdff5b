"""Loading the sample content."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime, timedelta
from typing import Any, TypedDict

from django.core.exceptions import ValidationError
from django.db.models import Model
from django.utils.translation import gettext as _

from calendar_site.accounts.models import User
from calendar_site.content.services import save_content
from calendar_site.core import clock
from calendar_site.core.choices import Status
from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.dates.conversion import from_local, site_zone
from calendar_site.custom_fields.models import CustomField
from calendar_site.custom_fields.services import save_custom_field
from calendar_site.media.library import prepare_image, store_image
from calendar_site.media.models import Image
from events.models import Event, Series
from events.sample_content.data_files import (
    CITY_ZONE,
    ScheduleData,
    Table,
    event_tickets,
    events_around,
    read_picture,
    read_records,
    series_around,
)
from events.sample_content.marks import mark, marked_ids
from events.series.services import save_series
from events.services import save_event
from organizers.models import Organizer
from taxonomy.models import Category, Tag
from taxonomy.services import TermExists, create_term
from venues.models import Venue

ACCOUNT_NAME = "sample-content"
IMAGE_CREDIT = "Drawn for the sample content"
# The keys of an event in the data files that are fields of the model.
_EVENT_FIELDS = (
    "title", "description", "excerpt", "cost", "website", "status", "featured", "sticky", "hide_from_listings",
    "password"
)  # fmt: skip

Counts = dict[type[Model], int]


class AlreadyLoaded(Exception):
    """Sample events exist. Venues and terms alone do not count: an earlier removal may have left them."""


def load_sample_content(day: date | None = None) -> Counts:
    """Create the sample content around `day`, by default today in the zone of the site; return the number of records.

    All or nothing. The same day gives the same content; publication dates are always relative to today, so that all of
    it is visible. Existing venues, organizers, terms and custom fields with the same names are used. Raises
    AlreadyLoaded, and ValidationError if another account has the name of the sample account.
    """
    today = clock.today(site_zone().tz)
    with write_lock():
        if Event.objects.filter(pk__in=marked_ids(Event)).exists():
            raise AlreadyLoaded
        loader = _SampleLoader(today)
        loader.load_terms()
        loader.load_custom_fields()
        loader.load_venues_and_organizers()
        loader.load_events(day or today)
        loader.load_series(day or today)
    return dict(loader.created)


class _Publication(TypedDict):
    author_id: int
    published_at: datetime


class _SampleLoader:
    """A loader for one run. It keeps the records by model and by the names that the data files use for them."""

    def __init__(self, today: date) -> None:
        self.today = today
        # Commands may do everything. This user is never saved, so nobody can sign in as it.
        self.operator = User(is_superuser=True)
        self.created: Counter[type[Model]] = Counter()
        self.records: dict[type[Model], dict[str, Any]] = {
            model: {} for model in (Event, Series, Category, Tag, CustomField, Venue, Organizer, Image)
        }
        self.pictures = {picture["name"]: picture for picture in read_records("pictures")}
        self.author = self._get_or_create_author()

    def load_terms(self) -> None:
        for fields in read_records("categories"):
            self._load_term(Category, {**fields, "parent": self._find(Category, fields.get("parent"))})
        for fields in read_records("tags"):
            self._load_term(Tag, fields)

    def load_custom_fields(self) -> None:
        """Declare the custom fields. If one exists with another type, the sample content has no values of it."""
        for fields in read_records("custom_fields"):
            existing = CustomField.objects.filter(resource=fields["resource"], name=fields["name"]).first()
            if existing and existing.kind != fields["kind"]:
                continue
            changes: Any = fields
            field = existing or save_custom_field(CustomField(), changes=changes, user=self.operator)
            self._add(f"{field.resource} {field.name}", field, is_new=not existing)

    def load_venues_and_organizers(self) -> None:
        for model, name in ((Venue, "venues"), (Organizer, "organizers")):
            for number, fields in enumerate(read_records(name)):
                existing = model.objects.find_by_name(fields["title"], fields["description"], self.operator)
                record = existing or self._create_linked(model, fields, number)
                self._add(fields["title"], record, is_new=not existing)

    def _create_linked(self, model: Any, fields: Table, number: int) -> Model:
        changes: Any = {
            **fields,
            **self._publication(days_ago=500 - number),
            "custom_values": self._custom_values(model, fields),
        }
        if model is Venue:
            changes["time_zone"] = CITY_ZONE
        if "picture" in fields:
            changes["image"] = self._get_or_create_image(changes.pop("picture"))
        record: Model = save_content(model(), changes=changes, user=self.operator)
        return record

    def load_events(self, day: date) -> None:
        for number, (event, schedule) in enumerate(events_around(day)):
            days_until_start = (schedule["start"].date() - self.today).days
            # Published three to eight weeks before the start, and yesterday at the latest.
            days_ago = max(1 + number % 20, 21 + number % 35 - days_until_start)
            changes: Any = self._event_changes(
                event, schedule, days_ago=-12 if event.get("status") == Status.FUTURE else days_ago
            )
            changes |= {"tickets": event_tickets(event, schedule), "parent": self._find(Event, event.get("part_of"))}
            self._add(event["title"], save_event(Event(), changes=changes, user=self.operator), is_new=True)

    def load_series(self, day: date) -> None:
        """Create the series that repeat by a rule, with their events."""
        for fields, schedule in series_around(day):
            changes: Any = self._event_changes(fields, schedule, days_ago=60)
            series = save_series(Series(), changes={**changes, "rrule": fields["rrule"]}, user=self.operator)
            self._add(fields["title"], series, is_new=True)
            for event in series.events.order_by("series_occurrence"):
                self._add(event.title, event, is_new=True)

    def _event_changes(self, event: Table, schedule: ScheduleData, *, days_ago: int) -> dict[str, Any]:
        changes: dict[str, Any] = {
            **{name: event[name] for name in _EVENT_FIELDS if name in event},
            **schedule,
            "custom_values": self._custom_values(Event, event),
            **self._publication(days_ago=days_ago),
            **self._links(event),
        }
        if "picture" in event:
            changes["image"] = self._get_or_create_image(event["picture"])
        changes["show_map"] = any(venue.show_map for venue in changes["venues"])
        changes["show_map_link"] = any(venue.show_map_link for venue in changes["venues"])
        return changes

    def _get_or_create_image(self, name: str) -> Image:
        """Return the image of the picture with this name."""
        if name not in self.records[Image]:
            picture = self.pictures[name]
            prepared = prepare_image(read_picture(name), f"{name}.jpg")
            is_new = not Image.objects.filter(digest=prepared.digest).exists()
            image = store_image(
                prepared, user=self.operator, author_id=self.author.pk, alt=picture["alt"], credit=IMAGE_CREDIT
            )
            self._add(name, image, is_new)
        return self.records[Image][name]

    def _custom_values(self, model: Any, record: Table) -> Table:
        values: Table = record.get("custom_values", {})
        known = self.records[CustomField]
        return {name: value for name, value in values.items() if f"{model._meta.model_name} {name}" in known}

    def _links(self, event: Table) -> dict[str, Any]:
        return {
            name: [self.records[model][title] for title in event.get(name, [])]
            for name, model in (
                ("categories", Category),
                ("tags", Tag),
                ("venues", Venue),
                ("organizers", Organizer),
            )
        }

    def _find(self, model: type[Model], name: str | None) -> Any:
        return self.records[model][name] if name else None

    def _publication(self, *, days_ago: int) -> _Publication:
        day = self.today - timedelta(days=days_ago)
        return {"author_id": self.author.pk, "published_at": from_local(f"{day} 09:00:00", site_zone())}

    def _load_term(self, model: Any, changes: Any) -> None:
        try:
            term, is_new = create_term(model, changes=changes, user=self.operator), True
        except TermExists as error:
            term, is_new = error.term, False
        self._add(changes["name"], term, is_new)

    def _add(self, name: str, record: Model, is_new: bool) -> None:
        model = type(record)
        self.records[model][name] = record
        if is_new:
            self.created[model] += 1
            mark(record)

    def _get_or_create_author(self) -> User:
        """Return the author of the content: an account without a role and without a password."""
        author = User.objects.filter(username=ACCOUNT_NAME).first()
        if author is None:
            author = User(username=ACCOUNT_NAME, is_active=False)
            author.set_unusable_password()
            author.save()
            mark(author)
        elif author.pk not in marked_ids(User):
            raise ValidationError(
                _("An account named %(name)s already exists and does not belong to the sample content.")
                % {"name": ACCOUNT_NAME}
            )
        return author
