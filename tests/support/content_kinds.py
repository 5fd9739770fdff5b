"""Events, venues and organizers in the admin: their factories and the paths of their pages."""

from datetime import UTC, datetime
from typing import Any, NamedTuple

from tests.factories import EventFactory, OrganizerFactory, VenueFactory

STATUSES = ("publish", "future", "draft", "pending", "private", "trash")
EVENT_FORM = {
    "start": "2027-03-10T10:00",
    "end": "2027-03-10T12:00",
    "tickets-TOTAL_FORMS": "0",
    "tickets-INITIAL_FORMS": "0",
}
FAR_AHEAD = datetime(2090, 1, 1, 12, tzinfo=UTC)


class ContentKind(NamedTuple):
    """A kind of content: its factory, and the path of its list."""

    name: str
    factory: Any
    list: str

    def __str__(self) -> str:
        return self.name

    def page(self, row: Any, page: str = "change") -> str:
        """Return the path of a page of a record."""
        return f"{self.list}{row.pk}/{page}/"

    def of_every_status(self, author: Any) -> dict[str, Any]:
        """Return a record of the author's for each status, with the status as its title."""
        return {
            status: self.factory(
                title=status,
                status=status,
                author=author,
                **({"published_at": FAR_AHEAD} if status == "future" else {}),
            )
            for status in STATUSES
        }

    def new_form(self, **fields: Any) -> dict[str, Any]:
        """Return the data for the form of a new record: all that is required but the status."""
        return {"title": "New", **(EVENT_FORM if self is EVENT else {}), **fields}

    def saved_form(self, row: Any, **changes: Any) -> dict[str, Any]:
        """Return the data that the form of a record submits, without its optional fields, which it empties."""
        status = "publish" if row.status == "future" else row.status
        published_at = f"{row.published_at:%Y-%m-%dT%H:%M}" if row.published_at else ""
        return self.new_form(**{"title": row.title, "status": status, "published_at": published_at, **changes})


EVENT = ContentKind("event", EventFactory, "/admin/events/event/")
VENUE = ContentKind("venue", VenueFactory, "/admin/venues/venue/")
ORGANIZER = ContentKind("organizer", OrganizerFactory, "/admin/organizers/organizer/")
CONTENT_KINDS = (EVENT, VENUE, ORGANIZER)
