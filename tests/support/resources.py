"""The five resources of the API, for tests that apply to all of them."""

from typing import Any, NamedTuple

from tests.factories import (
    CategoryFactory,
    EventFactory,
    OrganizerFactory,
    SeriesFactory,
    TagFactory,
    VenueFactory,
)
from tests.support.api_client import API


class Resource(NamedTuple):
    collection: str
    kind: str
    factory: Any
    # The field that tests set to recognize a record, and the arguments with which a list contains every record.
    name: str
    arguments: str = ""

    @property
    def path(self) -> str:
        return f"{API}/{self.collection}"

    def item(self, row: Any) -> str:
        return f"{self.path}/{row.pk}"

    def list(self, arguments: str = "") -> str:
        query = "&".join(part for part in (self.arguments, arguments) if part)
        return f"{self.path}?{query}" if query else self.path

    def make(self, name: str, **fields: Any) -> Any:
        return self.factory(**{self.name: name}, **fields)

    def __str__(self) -> str:
        return self.collection


EVENTS = Resource("events", "event", EventFactory, "title")
VENUES = Resource("venues", "venue", VenueFactory, "title")
ORGANIZERS = Resource("organizers", "organizer", OrganizerFactory, "title")
CATEGORIES = Resource("categories", "category", CategoryFactory, "name", "hide_empty=false")
TAGS = Resource("tags", "tag", TagFactory, "name", "hide_empty=false")

# Beside the contract, with the permissions of events.
SERIES = Resource("series", "series", SeriesFactory, "title")

NAMED = (VENUES, ORGANIZERS)
CONTENT = (EVENTS, *NAMED)
TERMS = (CATEGORIES, TAGS)
RESOURCES = (*CONTENT, *TERMS)
