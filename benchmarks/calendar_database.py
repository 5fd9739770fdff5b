"""Fill the database of the settings with the rows of `calendar_rows`."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from bulk_insert import bulk_load, insert
from calendar_rows import COMMON_WORD, EVENT_COLUMNS, OCCASIONAL_WORD, RARE_WORD, TICKET_COLUMNS, Calendar
from django.core.management import call_command
from django.db import connection
from django.db.models import Count, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from calendar_site.accounts.models import User
from calendar_site.accounts.services import create_application_password, create_user
from calendar_site.core.choices import Status
from calendar_site.derived.triggers import drop_triggers
from events.models import Event, EventOrganizer, EventVenue, Ticket
from events.services import save_event
from organizers.models import Organizer
from taxonomy.models import Category, Tag
from venues.models import Venue

STARTED = time.monotonic()


def fill(amount: int) -> dict[str, Any]:
    """Fill the database of the settings, and return the parameters of the benchmark."""
    call_command("migrate", verbosity=0)
    if Event.objects.exists():
        sys.exit("The database is not empty.")
    log("Migrated.")
    author = create_user("benchmark", "editor")
    _password, secret = create_application_password(author, "benchmark")
    with bulk_load():
        drop_triggers()
        insert_rows(Calendar(amount, author))
        collect_statistics()
        for model in (Category, Tag):
            count_events(model)
    log("Inserted.")
    call_command("rebuild_derived", stdout=sys.stderr)
    log("Rebuilt.")
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            # Autovacuum would do so before long: without statistics, the first measurements would differ.
            cursor.execute("VACUUM ANALYZE")
    check(author)
    return case_parameters(secret)


def insert_rows(calendar: Calendar) -> None:
    venues, organizers = create(Venue, calendar.venues()), create(Organizer, calendar.organizers())
    categories, tags = create(Category, calendar.categories()), create(Tag, calendar.tags())
    insert(Event(author=calendar.author), EVENT_COLUMNS, calendar.events())
    insert(EventVenue(), ("event_id", "venue_id", "position"), calendar.links(venues, (0, *[1] * 18, 2)))
    insert(EventOrganizer(), ("event_id", "organizer_id", "position"), calendar.links(organizers, (0, 1, 1, 1, 1, 2)))
    for links, column, targets, amounts in (
        (Event.categories.through, "category_id", categories, (0, 1, 1, 1, 2)),
        (Event.tags.through, "tag_id", tags, (0, 1, 2, 3, 4)),
    ):
        insert(links(), ("event_id", column), (link[:2] for link in calendar.links(targets, amounts)))
    insert(Ticket(), TICKET_COLUMNS, calendar.tickets())


def collect_statistics() -> None:
    """Let PostgreSQL plan counts and the rebuild, which would read whole tables for each of their rows."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")


def create(model: Any, rows: Iterable[Any]) -> list[int]:
    """Create the rows with the columns that `save()` would derive, and return their ids."""
    rows = list(rows)
    for row in rows:
        row.update_derived_fields()
    model.objects.bulk_create(rows, batch_size=1000)
    return list(model.objects.order_by("pk").values_list("pk", flat=True))


def count_events(model: Any) -> None:
    """Set the number of published events of each category or tag."""
    name = model._meta.model_name
    published = Event.objects.filter(status=Status.PUBLISH).found_by_terms()
    links = model.events.through.objects.filter(**{name: OuterRef("pk")}, event__in=published).order_by()
    model.objects.update(event_count=Coalesce(Subquery(links.values(name).annotate(n=Count("pk")).values("n")), 0))


def check(author: User) -> None:
    """Raise AssertionError if the service would save some of the events differently."""
    ids = list(Event.objects.order_by("pk").values_list("pk", flat=True))
    for pk in ids[:: max(len(ids) // 20, 1)]:
        before = Event.objects.filter(pk=pk).values().get()
        save_event(Event.objects.get(pk=pk), changes={}, user=author)
        after = Event.objects.filter(pk=pk).values().get()
        if before | {"modified_at": None} != after | {"modified_at": None}:
            raise AssertionError(f"Event {pk} is not as the service saves it: {before} != {after}")


def case_parameters(secret: str) -> dict[str, Any]:
    """Return the parameters of the cases of the benchmark."""
    upcoming = Event.objects.published().filter(start__gt=datetime.now(UTC), hide_from_listings=False)
    event = upcoming.filter(venues__isnull=False, categories__isnull=False).order_by("start_local", "pk").first()
    venue = Venue.objects.annotate(n=Count("events", filter=Q(events__in=upcoming))).order_by("-n", "pk").first()
    category = Category.objects.filter(parent=None).order_by("-event_count", "pk").first()
    return {
        "database": f"{connection.vendor} {database_version()}",
        "secret": secret,
        "event": event.pk,
        "slug": event.slug,
        "venue": venue.pk,
        "category": category.slug,
        "organizer": Organizer.objects.order_by("pk").first().pk,
        "categories": list(Category.objects.order_by("pk").values_list("slug", flat=True)[3:5]),
        "tags": list(Tag.objects.order_by("pk").values_list("slug", flat=True)[:3]),
        "tag": Tag.objects.order_by("-event_count", "pk").first().slug,
        "words": {"common": COMMON_WORD, "occasional": OCCASIONAL_WORD, "rare": RARE_WORD, "none": "xylomarimba"},
    }


def database_version() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT sqlite_version()" if connection.vendor == "sqlite" else "SHOW server_version")
        return cursor.fetchone()[0].split()[0]


def log(text: str) -> None:
    print(f"{text} {time.process_time():.1f} s of CPU time, {time.monotonic() - STARTED:.1f} s", file=sys.stderr)
