"""The last changes of records of all kinds, the newest first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any, NamedTuple, Self

from django.db.models import Q, QuerySet

from calendar_site.content.titles import title_columns

# What a list shows of a state, beside its title.
SHOWN = (
    "id",
    "history_id",
    "history_date",
    "history_kind",
    "history_door",
    "history_who",
    "history_changed",
    "history_change_reason",
)
# More ids than these no query names.
MOST_IDS = 1000


class Source(NamedTuple):
    """A kind of record, and those of them whose changes are wanted; None for all, and for those that are gone."""

    model: Any
    rows: QuerySet | None = None

    @property
    def label(self) -> str:
        return str(self.model._meta.label_lower)


class Place(NamedTuple):
    """Where in the order a change stands: by its moment, then by the kind of record, then by its number."""

    date: datetime
    label: str
    history_id: int

    def __str__(self) -> str:
        return f"{self.date.isoformat()} {self.label} {self.history_id}"

    @classmethod
    def of(cls, state: Any) -> Self:
        return cls(state.history_date, str(state.instance_type._meta.label_lower), state.history_id)

    @classmethod
    def read(cls, text: str) -> Self | None:
        """None for what is no place."""
        try:
            date, label, number = text.split(" ")
            moment = datetime.fromisoformat(date)
            place = cls(moment.astimezone(UTC), label, int(number))
        except (ValueError, OverflowError):
            return None
        # What no database takes for a number of a row, or for a moment.
        return place if moment.tzinfo is not None and 0 <= place.history_id < 2**63 else None


def last_changes(sources: Iterable[Source], count: int, *, after: Place | None = None, **wanted: Any) -> list[Any]:
    """The newest `count` states, from behind a place on. `wanted` are columns of histories and their values.

    Costs a query for each kind of record, and one more where only some of them are wanted.
    """
    states = [state for source in sources for state in _newest(source, after, wanted)[:count]]
    return sorted(states, key=_order)[:count]


def _order(state: Any) -> tuple[float, str, int]:
    place = Place.of(state)
    return -place.date.timestamp(), place.label, -place.history_id


def _newest(source: Source, after: Place | None, wanted: dict[str, Any]) -> Any:
    states = source.model.history.filter(**wanted).order_by("-history_date", "-history_id")
    if source.rows is not None:
        # Their ids first: planners cannot know how few of all changes are theirs. Unless they are not few.
        ids = source.rows.order_by().values_list("pk", flat=True)
        few = list(ids[: MOST_IDS + 1])
        states = states.filter(id__in=few if len(few) <= MOST_IDS else ids)
    for condition in _behind(source, after):
        states = states.filter(condition)
    return states.only(*SHOWN, *title_columns(source.model.history.model))


def _behind(source: Source, after: Place | None) -> Iterator[Q]:
    if after is None:
        return
    if source.label < after.label:
        yield Q(history_date__lt=after.date)
        return
    yield Q(history_date__lte=after.date)
    if source.label == after.label:
        yield Q(history_date__lt=after.date) | Q(history_id__lt=after.history_id)
