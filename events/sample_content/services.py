"""Loading the sample content, and taking exactly that content away."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from django.core.exceptions import ValidationError
from django.db.models import Model, ProtectedError
from django.utils.translation import gettext as _

from calendar_site.accounts.models import User
from calendar_site.content.choices import Status
from calendar_site.content.dates import at_wall, site_zone
from calendar_site.content.images import delete_image, keep_image, prepare_image
from calendar_site.content.models import Image
from calendar_site.content.recording import forget
from calendar_site.content.saving import save_content
from calendar_site.content.transactions import writing
from events.models import Event, EventOrganizer, EventVenue, SampleRecord
from events.sample_content.drawing import drawn_picture
from events.sample_content.reading import events_around, read
from events.services import delete_events, save_event
from organizers.models import Organizer
from taxonomy.models import Category, Tag
from taxonomy.services import TermExists, create_term
from venues.models import Venue

ACCOUNT = "sample-content"
Counts = dict[type[Model], int]
# The kinds of records, in the order in which they are taken away.
KINDS: tuple[Any, ...] = (Event, Category, Tag, Venue, Organizer, Image)
# What an event of the data files has under the model's own names.
_AS_WRITTEN = (
    "title", "description", "excerpt", "cost", "website", "status", "featured", "sticky", "hide_from_listings",
    "tickets", "password"
)  # fmt: skip


PICTURE = "Hills, water and lights under a wide sky; a drawing."
CREDIT = "Drawn by the sample content"


class AlreadyLoaded(Exception):
    """Sample events are there; venues or terms alone may be what an earlier removal had to leave."""


class Removal(NamedTuple):
    """What was taken away, and the records that stay because something else uses them."""

    removed: Counts
    kept: list[Model]


def load_sample_content(day: date | None = None) -> Counts:
    """Writes the sample content around `day` (today, in the zone of the site) and answers how much it made.

    All or nothing. The same day gives the same content; dates of publication count from today in any case,
    so that all of it can be seen. A venue, organizer or term that is there already is used, not made again.
    Raises AlreadyLoaded, and ValidationError where somebody else has the name of its account.
    """
    today = datetime.now(site_zone().tz).date()
    with writing():
        if Event.objects.filter(pk__in=_ids(Event)).exists():
            raise AlreadyLoaded
        loading = _Loading(today)
        loading.load_terms()
        loading.load_places_and_people()
        loading.load_events(day or today)
    return dict(loading.made)


class _Loading:
    """One run: the account, and the records so far by the names that the data files link them by."""

    def __init__(self, today: date) -> None:
        self.today = today
        # Whoever runs commands on the server may do everything. Never saved: nobody can sign in as this.
        self.operator = User(is_superuser=True)
        self.made: Counter[type[Model]] = Counter()
        self.records: dict[type[Model], dict[str, Any]] = {model: {} for model in KINDS}
        self.author = self._account()

    def load_terms(self) -> None:
        for fields in read("categories"):
            self._load_term(Category, {**fields, "parent": self._whole(Category, fields.get("parent"))})
        for fields in read("tags"):
            self._load_term(Tag, fields)

    def load_places_and_people(self) -> None:
        for model, name in ((Venue, "venues"), (Organizer, "organizers")):
            for number, fields in enumerate(read(name)):
                known = model.objects.known(fields["title"], fields["description"], self.operator)
                self._keep(fields["title"], known or self._made(model, fields, number), is_new=not known)

    def _made(self, model: Any, fields: dict[str, Any], number: int) -> Model:
        pictured = {"image": self._picture(fields["title"])} if model is Venue else {}
        return save_content(model(), {**fields, **pictured, **self._publication(500 - number)}, self.operator)

    def load_events(self, day: date) -> None:
        for number, (event, schedule) in enumerate(events_around(day)):
            first = schedule["start"].date()
            # Announced three to eight weeks ahead, and yesterday at the latest.
            announced = max(1 + number % 20, (self.today - first).days + 21 + number % 35)
            fields = {
                **{name: event[name] for name in _AS_WRITTEN if name in event},
                **schedule,
                **self._publication(-12 if event.get("status") == Status.FUTURE else announced),
                **self._links(event),
            }
            if event.get("categories"):
                fields["image"] = self._picture(event["categories"][0])
            fields["show_map"] = any(venue.show_map for venue in fields["venues"])
            fields["show_map_link"] = any(venue.show_map_link for venue in fields["venues"])
            self._keep(event["title"], save_event(Event(), fields, self.operator), is_new=True)

    def _picture(self, title: str) -> Image:
        """The picture of this title, which is drawn and kept once."""
        if title not in self.records[Image]:
            new = prepare_image(drawn_picture(title), f"{title}.jpg")
            is_new = not Image.objects.filter(digest=new.digest).exists()
            image = keep_image(new, self.operator, author_id=self.author.pk, alt=PICTURE, credit=CREDIT)
            self._keep(title, image, is_new)
        return self.records[Image][title]

    def _links(self, event: dict[str, Any]) -> dict[str, Any]:
        links = {
            name: [self.records[model][title] for title in event.get(name, [])]
            for name, model in (
                ("categories", Category),
                ("tags", Tag),
                ("venues", Venue),
                ("organizers", Organizer),
            )
        }
        return {**links, "parent": self._whole(Event, event.get("part_of"))}

    def _whole(self, model: type[Model], name: str | None) -> Any:
        """What a category is below, or an event a part of; None for one that stands alone."""
        return self.records[model][name] if name else None

    def _publication(self, days_ago: int) -> dict[str, Any]:
        day = self.today - timedelta(days=days_ago)
        return {"author_id": self.author.pk, "published_at": at_wall(f"{day} 09:00:00", site_zone())}

    def _load_term(self, model: Any, fields: dict[str, Any]) -> None:
        try:
            self._keep(fields["name"], create_term(model, fields, self.operator), is_new=True)
        except TermExists as known:
            self._keep(fields["name"], known.term, is_new=False)

    def _keep(self, name: str, record: Model, is_new: bool) -> None:
        model = type(record)
        self.records[model][name] = record
        if is_new:
            self.made[model] += 1
            _remember(record)

    def _account(self) -> User:
        """The author of the content: an account that has no role and cannot sign in."""
        account = User.objects.filter(username=ACCOUNT).first()
        if account is None:
            account = User(username=ACCOUNT, is_active=False)
            account.set_unusable_password()
            account.save()
            _remember(account)
        elif account.pk not in _ids(User):
            raise ValidationError(_("There is an account named %(name)s of somebody else.") % {"name": ACCOUNT})
        return account


def remove_sample_content(*, dry_run: bool = False) -> Removal:
    """Takes away what loading made, however it was changed since, and nothing else; or only says what would go.

    A venue, organizer or term stays as long as an event of somebody else has it, and so does a category
    above one that stays or is somebody else's; the next removal takes it if that has changed.
    """
    with writing():
        sample = {model: _ids(model) for model in KINDS}
        used = _used_by_others(sample)
        leaving = {model: model._default_manager.filter(pk__in=sample[model] - used[model]) for model in KINDS}
        removal = Removal(
            {model: rows.count() for model, rows in leaving.items()},
            [row for model in KINDS for row in model._default_manager.filter(pk__in=sample[model] & used[model])],
        )
        if not dry_run:
            _delete(leaving)
            _forget(removal.kept)
    return removal


def _used_by_others(sample: dict[type[Model], set[int]]) -> dict[type[Model], set[int]]:
    """The records of each kind that something else than sample content needs."""
    used: dict[type[Model], set[int]] = {Event: set()}
    for model, links, column in (
        (Venue, EventVenue, "venue"),
        (Organizer, EventOrganizer, "organizer"),
        (Category, Event.categories.through, "category"),
        (Tag, Event.tags.through, "tag"),
    ):
        others = links._default_manager.exclude(event__in=sample[Event])
        used[model] = set(others.values_list(column, flat=True))
    used[Image] = {
        pk
        for model in (Event, Venue, Organizer)
        for pk in model._default_manager.exclude(pk__in=sample[model] - used.get(model, set()))
        .filter(image__isnull=False)
        .values_list("image", flat=True)
    }
    used[Category] = _with_those_above(used[Category], sample[Category])
    return used


def _with_those_above(used: set[int], sample: set[int]) -> set[int]:
    """The used categories, those that are no sample content, and all that are above either."""
    parents = Category.objects.parents_by_id()
    needed: set[int] = set()
    for step in used | (parents.keys() - sample):
        while step is not None and step not in needed:
            needed.add(step)
            step = parents[step]
    return needed


def _delete(leaving: dict[type[Model], Any]) -> None:
    """Deletes the records, with all that is kept of what became of them."""
    ids = {model: list(rows.values_list("pk", flat=True)) for model, rows in leaving.items()}
    delete_events(leaving[Event], user=None)
    for model in (Category, Tag, Venue, Organizer):
        leaving[model].delete()
    for image in leaving[Image]:
        delete_image(image, user=None)
    for model, gone in ids.items():
        forget(model, gone)


def _forget(kept: list[Model]) -> None:
    """Drops the account, unless it is the author of something still, and the marks of all that is gone."""
    for account in User.objects.filter(pk__in=_ids(User)):
        try:
            account.delete()
        except ProtectedError:
            kept = [*kept, account]
    marks = {(row._meta.label_lower, row.pk) for row in kept}
    for mark in SampleRecord.objects.all():
        if (mark.model, mark.record_id) not in marks:
            mark.delete()


def _remember(record: Model) -> None:
    SampleRecord.objects.create(model=record._meta.label_lower, record_id=record.pk)


def _ids(model: type[Model]) -> set[int]:
    rows = SampleRecord.objects.filter(model=model._meta.label_lower)
    return set(rows.values_list("record_id", flat=True))
