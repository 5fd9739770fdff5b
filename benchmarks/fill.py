"""Fill an empty database with several years of events, and print the parameters of the benchmark as JSON.

Most events are past, as in a calendar that has been used for some time. The same number of events always produces the
same rows, relative to today.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "calendar_site.settings")
django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection, transaction  # noqa: E402
from django.db.models import Count, OuterRef, Q, Subquery  # noqa: E402
from django.db.models.functions import Coalesce  # noqa: E402

from calendar_site.accounts.models import User  # noqa: E402
from calendar_site.accounts.services import create_application_password, create_user  # noqa: E402
from calendar_site.core.choices import Status  # noqa: E402
from calendar_site.core.dates import from_local, parse_zone  # noqa: E402
from calendar_site.core.slugs import slugify  # noqa: E402
from events.models import Event, EventOrganizer, EventVenue, Ticket  # noqa: E402
from events.schedule import set_schedule  # noqa: E402
from events.services import save_event, set_cost  # noqa: E402
from organizers.models import Organizer  # noqa: E402
from taxonomy.models import Category, Tag  # noqa: E402
from venues.models import Venue  # noqa: E402

SEED = 20270310
BATCH_SIZE = 2000
YEARS_BACK, DAYS_AHEAD = 6, 900
PAST_EVENT_SHARE = 0.85
LONG_EVENT_SHARE = 0.003

ZONES = ["Europe/Berlin"] * 8 + ["Europe/Paris", "Europe/London", "America/New_York", "America/Los_Angeles"] * 3
ZONES += ["UTC", "UTC+2", "Asia/Tokyo", "Asia/Kathmandu", "Australia/Sydney", "Pacific/Auckland", "Pacific/Honolulu"]
STATUSES = [Status.PUBLISH] * 93 + [Status.DRAFT] * 3 + [Status.FUTURE, Status.PENDING, Status.PRIVATE, Status.TRASH]
HOURS = [9, 10, 11, 14, 17, 18, 18, 19, 19, 19, 20, 20, 21]
LENGTHS = [60, 90, 90, 120, 120, 120, 150, 180, 240, 480]
COSTS = ["", "", "Free", "0", "8", "12", "$15", "20 – 35 €", "10,50 €", "pay what you want"]

KINDS = ["Concert", "Reading", "Workshop", "Lecture", "Exhibition", "Festival", "Market", "Walk", "Screening", "Match"]
STYLES = ["jazz", "chamber", "folk", "early", "electronic", "choral", "modern", "outdoor", "family", "late-night"]
CITIES = ["Berlin", "Paris", "London", "Lyon", "Boston", "Osaka", "Zürich", "Leeds", "Porto", "Graz", "Turin", "Aarhus"]
NOUNS = """
garden river library harbour museum bakery theatre school orchestra poetry science history kitchen market forest
bicycle chess pottery robotics gospel tango swing puppet astronomy gardening climate radio printing
"""
PHRASES = """
the doors open half an hour before and seats are not numbered bring friends neighbours children or an instrument of
your own everybody is welcome there will be tea coffee cake and a short break in the middle our guests come from Łódź
São Paulo and Malmö and talk about their work afterwards please book early since the room is small in good weather we
meet in the courtyard otherwise inside on the first floor
"""
WORDS, NAMES = PHRASES.split(), NOUNS.split()


class Calendar:
    """The rows of a calendar, made from a fixed sequence of random numbers."""

    def __init__(self, amount: int, author: User) -> None:
        self.amount = amount
        self.author = author
        self.random = random.Random(SEED)
        self.today = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)

    def text(self, words: int) -> str:
        return " ".join(self.random.choices(WORDS + NAMES, k=words)).capitalize() + "."

    def name(self) -> str:
        return f"{self.random.choice(STYLES)} {self.random.choice(NAMES)}".capitalize()

    def random_publication(self) -> datetime:
        return self.today - timedelta(seconds=self.random.randrange(86_400, YEARS_BACK * 366 * 86_400))

    def venues(self) -> Iterator[Venue]:
        for number in range(max(self.amount // 100, 20)):
            title = f"{self.name()} hall {number}"
            yield Venue(
                **self.named(title),
                address=f"{self.random.randrange(1, 200)} {self.random.choice(NAMES).capitalize()} Street",
                city=self.random.choice(CITIES),
                country="Somewhere",
                zip=str(self.random.randrange(10_000, 99_999)),
                geo_lat=round(self.random.uniform(40, 55), 5),
                geo_lng=round(self.random.uniform(-5, 20), 5),
            )

    def organizers(self) -> Iterator[Organizer]:
        for number in range(max(self.amount // 200, 10)):
            yield Organizer(**self.named(f"{self.name()} society {number}"), email=f"box-{number}@example.org")

    def named(self, title: str) -> dict[str, Any]:
        return {
            "title": title,
            "slug": slugify(title),
            "author": self.author,
            "published_at": self.random_publication(),
            "description": f"<p>{self.text(25)}</p>",
        }

    def categories(self) -> Iterator[Category]:
        for number, kind in enumerate(KINDS):
            yield Category(name=kind, slug=slugify(kind), pk=number + 1)
        for number in range(len(KINDS), 40):
            name = f"{self.random.choice(KINDS)}: {self.random.choice(NAMES)} {number}"
            yield Category(
                name=name, slug=slugify(name), pk=number + 1, parent_id=self.random.randrange(len(KINDS)) + 1
            )

    def tags(self) -> Iterator[Tag]:
        for number in range(200):
            name = f"{self.name()} {number}"
            yield Tag(name=name, slug=slugify(name))

    def events(self) -> Iterator[Event]:
        for number in range(self.amount):
            title = f"{self.random.choice(KINDS)}: {self.name()} in {self.random.choice(CITIES)}"
            status = self.random.choice(STATUSES)
            event = Event(
                title=title,
                slug=f"{slugify(title)}-{number}",
                author=self.author,
                status=status,
                published_at=self.today + timedelta(days=30) if status == Status.FUTURE else self.random_publication(),
                description=f"<p>{self.text(40)}</p>\n<p>{self.text(60)}</p>",
                excerpt=f"<p>{self.text(12)}</p>",
                website=f"https://example.org/{number}" if number % 3 else "",
                featured=number % 20 == 0,
                hide_from_listings=number % 50 == 7,
            )
            set_schedule(event, self.schedule())
            set_cost(event, self.random.choice(COSTS))
            yield event

    def schedule(self) -> dict[str, Any]:
        zone = parse_zone(self.random.choice(ZONES))
        is_past = self.random.random() < PAST_EVENT_SHARE
        day = self.random.randrange(-YEARS_BACK * 365, 0) if is_past else self.random.randrange(DAYS_AHEAD)
        date = self.today + timedelta(days=day)
        start = from_local(
            f"{date:%Y-%m-%d} {self.random.choice(HOURS):02}:{self.random.choice((0, 0, 30)):02}:00", zone
        )
        if self.random.random() < LONG_EVENT_SHARE:
            length = timedelta(days=self.random.randrange(10, 120))
        else:
            length = timedelta(minutes=self.random.choice(LENGTHS))
        return {"start": start, "end": start + length, "time_zone": zone.name, "all_day": self.random.random() < 0.1}

    def some(self, ids: list[int], amounts: tuple[int, ...]) -> list[int]:
        """Choose some ids without duplicates, the first ones more often."""
        picked = (ids[int(len(ids) * self.random.random() ** 2)] for _ in range(self.random.choice(amounts)))
        return list(dict.fromkeys(picked))


def fill(amount: int, author: User) -> None:
    calendar = Calendar(amount, author)
    venues = create(Venue, calendar.venues())
    organizers = create(Organizer, calendar.organizers())
    categories = create(Category, calendar.categories())
    tags = create(Tag, calendar.tags())
    events = create(Event, calendar.events())
    link(EventVenue, "venue_id", events, lambda: calendar.some(venues, (0, *[1] * 18, 2)))
    link(EventOrganizer, "organizer_id", events, lambda: calendar.some(organizers, (0, 1, 1, 1, 1, 2)))
    create_tickets(calendar, events)
    link(Event.categories.through, "category_id", events, lambda: calendar.some(categories, (0, 1, 1, 1, 2)))
    link(Event.tags.through, "tag_id", events, lambda: calendar.some(tags, (0, 1, 2, 3, 4)))
    count(Category, Event.categories.through, "category")
    count(Tag, Event.tags.through, "tag")


def create(model: Any, rows: Iterable[Any]) -> list[int]:
    """Create the rows in bulk, with the columns that `save()` would derive, and return their ids."""
    rows = iter(rows)
    while batch := list(islice(rows, BATCH_SIZE)):
        for row in batch:
            row.update_derived_fields()
        model.objects.bulk_create(batch)
    return list(model.objects.order_by("pk").values_list("pk", flat=True))


def link(model: Any, column: str, events: list[int], pick: Any) -> None:
    is_ordered = any(field.name == "position" for field in model._meta.fields)
    links = (
        model(event_id=event, **{column: pk}, **({"position": position} if is_ordered else {}))
        for event in events
        for position, pk in enumerate(pick())
    )
    while batch := list(islice(links, BATCH_SIZE)):
        model.objects.bulk_create(batch)


def create_tickets(calendar: Calendar, events: list[int]) -> None:
    """Give every seventh event one or two kinds of tickets."""
    tickets = (
        Ticket(event_id=event, name=name, price=calendar.random.randrange(5, 60), currency="EUR", position=position)
        for event in events[::7]
        for position, name in enumerate(["Regular", "Reduced"][: calendar.random.choice((1, 2))])
    )
    while batch := list(islice(tickets, BATCH_SIZE)):
        Ticket.objects.bulk_create(batch)


def count(model: Any, links: Any, column: str) -> None:
    published_links = links.objects.filter(**{column: OuterRef("pk")}, event__status=Status.PUBLISH).order_by()
    amount = published_links.values(column).annotate(n=Count("pk")).values("n")
    model.objects.update(event_count=Coalesce(Subquery(amount), 0))


def check(author: User) -> None:
    """Raise AssertionError if the service would save some of the events differently."""
    for pk in Event.objects.order_by("pk").values_list("pk", flat=True)[:: max(Event.objects.count() // 20, 1)]:
        before = Event.objects.filter(pk=pk).values().get()
        save_event(Event.objects.get(pk=pk), changes={}, user=author)
        after = Event.objects.filter(pk=pk).values().get()
        if before | {"modified_at": None} != after | {"modified_at": None}:
            raise AssertionError(f"Event {pk} is not as the service saves it: {before} != {after}")


def case_parameters(secret: str) -> dict[str, Any]:
    """Return the parameters of the cases of the benchmark."""
    upcoming = Event.objects.published().filter(start__gt=datetime.now(UTC), hide_from_listings=False)
    event = upcoming.filter(venues__isnull=False, categories__isnull=False).order_by("start_local").first()
    venue = Venue.objects.annotate(n=Count("events", filter=Q(events__in=upcoming))).order_by("-n", "pk").first()
    category = Category.objects.filter(parent=None).order_by("-event_count", "pk").first()
    return {
        "database": f"{connection.vendor} {version()}",
        "secret": secret,
        "event": event.pk,
        "slug": event.slug,
        "venue": venue.pk,
        "category": category.slug,
    }


def version() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT sqlite_version()" if connection.vendor == "sqlite" else "SHOW server_version")
        return cursor.fetchone()[0].split()[0]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("amount", type=int, help="The number of events.")
    amount = parser.parse_args().amount
    call_command("migrate", verbosity=0)
    with transaction.atomic():
        author = create_user("benchmark", "editor")
        _password, secret = create_application_password(author, "benchmark")
        fill(amount, author)
        check(author)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            # Autovacuum would update the statistics before long: without them, the first measurements would differ.
            cursor.execute("VACUUM ANALYZE")
    json.dump(case_parameters(secret), sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
