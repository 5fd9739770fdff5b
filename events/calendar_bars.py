"""Bars: events that take several days, or a whole one, beside each other in the rows of a week."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any, Generic, NamedTuple, Protocol, TypeVar


class Lasting(Protocol):
    """An event in a calendar, from its first to its last day."""

    @property
    def start(self) -> Any: ...

    @property
    def end(self) -> Any: ...


Card = TypeVar("Card", bound=Lasting)


class Bar(NamedTuple, Generic[Card]):
    """An event in a row above the hours of a time grid, or in a week of a month."""

    card: Card
    # Places in the row, counted from 1.
    column: int
    span: int
    row: int
    begins_before: bool
    ends_after: bool


def place_bars(cards: Iterable[Card], days: list[date]) -> list[Bar[Card]]:
    """Return the bars of the events on these consecutive days. Those that share a day are in different rows."""
    shown = [card for card in cards if card.start <= days[-1] and card.end >= days[0]]
    shown.sort(key=lambda card: (max(card.start, days[0]), card.start - card.end))
    # The last day that is taken in each row.
    taken: list[date] = []
    placed = []
    for card in shown:
        first, last = max(card.start, days[0]), min(card.end, days[-1])
        row = _first_free(taken, first)
        taken[row : row + 1] = [last]
        column, span = (first - days[0]).days + 1, (last - first).days + 1
        placed.append(Bar(card, column, span, row + 1, card.start < days[0], card.end > days[-1]))
    return placed


def _first_free(taken: list[date], first: date) -> int:
    """Return the first row that is free from this day on; the number of rows if none is."""
    return next((row for row, last in enumerate(taken) if last < first), len(taken))
