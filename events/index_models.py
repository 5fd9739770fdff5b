"""The tables that triggers and services derive from events: what lists, totals and responses read instead of events.

docs/architecture.md says what keeps each of them. `models.py` imports this module, so that Django finds the models.
"""

from datetime import UTC, datetime
from typing import ClassVar

from django.db import models

from events.index_querysets import IndexedLinkQuerySet, IndexedVenueQuerySet, LinkedActivityQuerySet


class IndexedLink(models.Model):
    """A link of an event, with the columns of the event by which lists filter and order.

    Lists of the events of one venue, organizer, category or tag read an index of this table and no events. Triggers
    keep the rows (`events/listing/tables/links.py`): nothing else writes them. No foreign keys, so that deleting an
    event takes no queries on this table.
    """

    pk = models.CompositePrimaryKey("event_id", "linked_id")
    event_id = models.BigIntegerField()
    # The id of the venue, the organizer, the tag, or the category or one of its ancestors.
    linked_id = models.BigIntegerField()
    start_local = models.CharField(max_length=19)
    start = models.DateTimeField()
    end = models.DateTimeField()
    status = models.CharField(max_length=10)
    published_at = models.DateTimeField()
    hide_from_listings = models.BooleanField()
    author_id = models.BigIntegerField()
    # Whether the event has a password.
    is_protected = models.BooleanField()

    objects: ClassVar = IndexedLinkQuerySet.as_manager()

    class Meta:
        abstract = True
        default_permissions = ()
        indexes = [
            # In the order of lists, with every column that they filter by.
            models.Index(
                fields=[
                    "linked_id", "start_local", "event_id", "status", "published_at", "hide_from_listings",
                    "is_protected", "start", "end", "author_id",
                ],
                name="%(class)s_window",
            )
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"{self.event_id} {self.linked_id}"


class IndexedVenue(IndexedLink):
    objects: ClassVar = IndexedVenueQuerySet.as_manager()


class IndexedOrganizer(IndexedLink):
    pass


class IndexedCategory(IndexedLink):
    """A link to a category, or to an ancestor of one, so that a list of a category needs no other ids."""


class IndexedTag(IndexedLink):
    pass


class IndexedTicketed(IndexedLink):
    """An event with tickets, for their lists. `linked_id` is the same in all rows: `TICKETED`."""

    TICKETED = 1


class IndexedVenueCount(IndexedLink):
    """An event that has no venue, or several, for the totals of places. `linked_id` says which."""

    NONE, SEVERAL = 0, 2


class LinkedActivity(models.Model):
    """When the last public event of a venue or organizer ends: one that is published, and has no password.

    A venue or organizer without such events has no row. Totals of lists with such events read an index of this table
    and no venues or organizers. Triggers keep it (`events/derived/activity.py`): nothing else writes it.
    """

    linked_id = models.BigIntegerField(primary_key=True)
    last_end = models.DateTimeField()
    # Columns of the venue or organizer, not of an event. Triggers set them: the defaults are for a process of an older
    # version that runs while the database is migrated.
    status = models.CharField(max_length=10, db_default="")
    published_at = models.DateTimeField(db_default=datetime(1970, 1, 1, tzinfo=UTC))

    objects: ClassVar = LinkedActivityQuerySet.as_manager()

    class Meta:
        abstract = True
        default_permissions = ()
        # With every column that totals filter by.
        indexes = [models.Index(fields=["status", "last_end", "published_at"], name="%(class)s_upcoming")]

    def __str__(self) -> str:
        return f"{self.linked_id} until {self.last_end}"


class VenueActivity(LinkedActivity):
    pass


class OrganizerActivity(LinkedActivity):
    pass


class EventTally(models.Model):
    """The number of events that start on a day, in their time zone, and are neither hidden from lists nor long.

    The number is the sum over the slots: connections to PostgreSQL that write at the same time change different rows,
    so that they need not wait for each other. Triggers keep it (`events/listing/tables/tallies.py`): nothing else
    writes it.
    """

    pk = models.CompositePrimaryKey("status", "featured", "day", "slot")
    status = models.CharField(max_length=10)
    featured = models.BooleanField()
    # YYYY-MM-DD.
    day = models.CharField(max_length=10)
    slot = models.PositiveSmallIntegerField(default=0, db_default=0)
    count = models.IntegerField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.day}, {self.slot}: {self.count} ({self.status})"


class TermTally(models.Model):
    """The number of published events of a record that start on a day, in their time zone, and are in lists of it.

    Like `EventTally`, but with long events. Without hidden events and those with a password.
    """

    pk = models.CompositePrimaryKey("linked_id", "day", "slot")
    linked_id = models.BigIntegerField()
    # YYYY-MM-DD.
    day = models.CharField(max_length=10)
    slot = models.PositiveSmallIntegerField(default=0, db_default=0)
    count = models.IntegerField()

    class Meta:
        abstract = True
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.linked_id}, {self.day}, {self.slot}: {self.count}"


class CategoryTally(TermTally):
    """Of a category with its subcategories."""


class TagTally(TermTally):
    pass


class EventRendering(models.Model):
    """The stored JSON of an event; see `events.derived.renderings`."""

    # Not a foreign key: triggers delete the row with the event.
    event_id = models.BigIntegerField(primary_key=True)
    # Identifies everything else that the JSON depends on. Code that writes another format ignores the row.
    format = models.CharField(max_length=100)
    # The values of `events.loading.EventHead`, as JSON.
    head = models.TextField()
    # The template of the event's record, and its length.
    template = models.TextField()
    length = models.PositiveIntegerField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"#{self.event_id}"


class LinkedRecordsVersion(models.Model):
    """The version of the records that events link to: one row; see `events.derived.linked_records_version`."""

    id = models.PositiveSmallIntegerField(primary_key=True)
    # Random, so that a version that was rolled back or restored from a backup never returns with other records.
    version = models.CharField(max_length=40)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.version
