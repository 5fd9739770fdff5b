"""Venues for the places that a source names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from rapidfuzz import fuzz, process

from calendar_site.core.permissions import visible_q
from calendar_site.core.text.plain_text import name_key
from calendar_site.core.types import AnyUser
from calendar_site.transfer.models import Place, Source
from venues.models import Venue

# Of 100.
MIN_SIMILARITY = 90
# So many venues are compared.
MAX_VENUES = 20_000


class FoundPlace(NamedTuple):
    """The venue of a place; None if there is none. `note` says how it was found, if not by its exact name."""

    venue: Venue | None
    note: str = ""


class KnownPlaces:
    """The venues that the places of one run stand for. Names are read once, for all records of the run."""

    def __init__(self, source: Source, user: AnyUser) -> None:
        self._source, self._user = source, user
        self._names: dict[int, str] | None = None
        # The places that were found, which the next records name again.
        self._found: dict[tuple[str, ...], FoundPlace] = {}

    def find(self, values: Mapping[str, Any]) -> FoundPlace:
        """Return the venue of a place with these values: remembered, exact, by its address, or by a similar name."""
        known = tuple(str(values.get(name, "")) for name in ("title", "address", "zip"))
        if known not in self._found:
            found = self._search(values)
            if found.venue is None:
                return found
            self._found[known] = found
        return self._found[known]

    def _search(self, values: Mapping[str, Any]) -> FoundPlace:
        text = str(values["title"])
        remembered = Place.objects.filter(source=self._source, text_key=name_key(text)).select_related("venue").first()
        if remembered is not None and remembered.venue is not None:
            return FoundPlace(remembered.venue)
        rows = Venue.objects.filter(visible_q(self._user, Venue)).order_by("pk")
        if exact := rows.filter(name_key=name_key(text)).first():
            return FoundPlace(exact)
        address = values.get("address") or text.partition(",")[2].strip()
        if address and (at_address := self._at_address(rows, str(address), str(values.get("zip", "")))):
            return FoundPlace(at_address, _same_address(text, at_address))
        similar = self._similar(rows, text)
        return FoundPlace(similar, _similar_name(text, similar)) if similar else FoundPlace(None)

    def remember_unknown(self, text: str) -> None:
        """List a place that has no venue, once, so that somebody can choose one."""
        key = name_key(text)
        Place.objects.get_or_create(source=self._source, text_key=key, defaults={"text": text[: Place.MAX_LENGTH]})

    def _at_address(self, rows: Any, address: str, postal_code: str) -> Venue | None:
        found = rows.filter(address__iexact=address)
        if postal_code:
            found = found.filter(zip=postal_code)
        venues = list(found[:2])
        # An address with several venues, such as the rooms of a house, decides nothing.
        return venues[0] if len(venues) == 1 else None

    def _similar(self, rows: Any, text: str) -> Venue | None:
        if self._names is None:
            self._names = dict(rows.values_list("pk", "name_key")[:MAX_VENUES])
        best = process.extractOne(name_key(text), self._names, scorer=fuzz.ratio, score_cutoff=MIN_SIMILARITY)
        return rows.filter(pk=best[2]).first() if best else None

    def forget_names(self) -> None:
        """Read the names again, after a venue was created."""
        self._names = None


def _same_address(text: str, venue: Venue) -> str:
    return _("“%(place)s” is at the address of “%(venue)s”.") % {"place": text, "venue": venue.title}


def _similar_name(text: str, venue: Venue) -> str:
    return _("“%(place)s” is taken for “%(venue)s”.") % {"place": text, "venue": venue.title}
