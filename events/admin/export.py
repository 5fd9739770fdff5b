"""Events as the lines of a table."""

from events.admin.seen import seen_links
from events.models import EventOrganizer

COLUMNS = (
    "id",
    "title",
    "slug",
    "status",
    "start",
    "end",
    "timezone",
    "all_day",
    "venues",
    "organizers",
    "categories",
    "tags",
    "cost",
    "website",
    "author",
)
# What a program for tables would take for the beginning of a formula.
FORMULA = ("=", "+", "-", "@", "\t", "\r")
AT_ONCE = 500


def exported(events, user):
    """A line for each event of a list of the admin, read a few hundred at a time."""
    linked = events.prefetch_related(seen_links(EventOrganizer, "organizer", user), "categories", "tags")
    for event in linked.select_related("author").iterator(chunk_size=AT_ONCE):
        yield [_safe(value) for value in _values(event)]


def _values(event):
    always = [event.pk, event.title, event.slug, event.status, event.start_local, event.end_local, event.time_zone]
    if not event.shows_fields:
        return [*always, *[""] * (len(COLUMNS) - len(always) - 1), event.author]
    return [
        *always,
        "yes" if event.all_day else "no",
        _names(link.venue for link in event.seen_venues),
        _names(link.organizer for link in event.seen_organizers),
        _names(event.categories.all()),
        _names(event.tags.all()),
        event.cost,
        event.website,
        event.author,
    ]


def _names(rows):
    return "; ".join(map(str, rows))


def _safe(value):
    text = str(value)
    return f"'{text}" if text.startswith(FORMULA) else text
