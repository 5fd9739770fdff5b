"""The kinds of records with pages, by their names in the original."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from calendar_site.api.output.loading import load_content_relations
from calendar_site.compatibility.addresses import WP_TYPES, OriginalURLs
from calendar_site.compatibility.bare_lists import load_event_records
from calendar_site.core.compiled_queries.queries import fetch_by_ids
from calendar_site.core.types import AnyUser
from events.models import Event
from organizers.loading import OrganizerRow
from organizers.models import Organizer
from organizers.representation import represent_organizer
from venues.loading import VenueRow
from venues.models import Venue
from venues.representation import represent_venue

Records = list[Any]


class Kind(NamedTuple):
    """A kind of records. `load` returns the records of the contract with these ids that exist, in their order."""

    collection: str
    model: Any
    # The key of the name in the record of the contract.
    name_key: str
    load: Callable[[list[int], AnyUser, OriginalURLs], Records]

    @property
    def post_type(self) -> str:
        """The name of the kind in the original."""
        return WP_TYPES[self.collection]


def _load_venues(ids: list[int], user: AnyUser, urls: OriginalURLs) -> Records:
    rows = fetch_by_ids(Venue, VenueRow, ids)
    relations = load_content_relations(rows)
    return [represent_venue(row, urls, relations) for row in rows]


def _load_organizers(ids: list[int], user: AnyUser, urls: OriginalURLs) -> Records:
    rows = fetch_by_ids(Organizer, OrganizerRow, ids)
    relations = load_content_relations(rows)
    return [represent_organizer(row, urls, relations) for row in rows]


EVENTS = Kind("events", Event, "title", load_event_records)
VENUES = Kind("venues", Venue, "venue", _load_venues)
ORGANIZERS = Kind("organizers", Organizer, "organizer", _load_organizers)
KINDS = (EVENTS, VENUES, ORGANIZERS)
