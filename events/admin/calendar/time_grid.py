"""The time grid of a week or a day: hours downwards, days across, and a row for events without times."""

from __future__ import annotations

from datetime import date, datetime
from typing import NamedTuple

from calendar_site.core.dates.formatting import format_clock
from events.admin.calendar.cards import CalendarCard

MINUTES_PER_DAY = 24 * 60
# Shorter events are as high as these, so that their titles can be read.
MIN_SHOWN_MINUTES = 30
MIN_MINUTES_OF_TWO_LINES = 45
# As many events at the same time are side by side as there is room for. The last place leads to the others.
MAX_LANES_OF_WEEK, MAX_LANES_OF_DAY = 3, 8


class Block(NamedTuple):
    """An event among the hours, or the link to the events that have no room there (`card` is None)."""

    card: CalendarCard | None
    # Minutes since midnight.
    top: int
    bottom: int
    # The lane in which it begins, the lanes that it takes, and the number of lanes.
    lane: int
    span: int
    lanes: int
    # The number of events behind the link.
    hidden: int = 0

    @property
    def is_short(self) -> bool:
        """Return whether there is room for one line only."""
        return self.bottom - self.top < MIN_MINUTES_OF_TWO_LINES


class GridDay(NamedTuple):
    day: date
    blocks: list[Block]


def hours() -> list[str]:
    """Return the labels of the hours."""
    return [format_clock(datetime(2000, 1, 1, hour)) for hour in range(24)]


def has_time_slot(card: CalendarCard) -> bool:
    """Return whether the event has its place among the hours of a single day."""
    return bool(card.time) and card.start == card.end


def grid_days(cards: list[CalendarCard], days: list[date]) -> list[GridDay]:
    """Return the events of each day with their places among the hours."""
    max_lanes = MAX_LANES_OF_DAY if len(days) == 1 else MAX_LANES_OF_WEEK
    timed = [card for card in cards if has_time_slot(card)]
    return [GridDay(day, _blocks([card for card in timed if card.start == day], max_lanes)) for day in days]


def _blocks(cards: list[CalendarCard], max_lanes: int) -> list[Block]:
    """Return the blocks of one day."""
    spans = sorted(((*_span(card), card) for card in cards), key=lambda span: (span[0], -span[1], span[2].event.pk))
    blocks: list[Block] = []
    group: list[tuple[int, int, CalendarCard]] = []
    group_end = 0
    for span in spans:
        if group and span[0] >= group_end:
            blocks += _side_by_side(group, max_lanes)
            group, group_end = [], 0
        group.append(span)
        group_end = max(group_end, span[1])
    return blocks + _side_by_side(group, max_lanes)


def _span(card: CalendarCard) -> tuple[int, int]:
    """Return the minutes from which and to which an event is shown. One that goes on after midnight ends there."""
    top = card.starts.hour * 60 + card.starts.minute
    minutes = int((card.ends - card.starts).total_seconds()) // 60
    bottom = min(top + max(minutes, MIN_SHOWN_MINUTES), MINUTES_PER_DAY)
    return min(top, MINUTES_PER_DAY - MIN_SHOWN_MINUTES), bottom


def _side_by_side(group: list[tuple[int, int, CalendarCard]], max_lanes: int) -> list[Block]:
    """Return the blocks of events that overlap each other in a chain, each in the first lane that is free."""
    # The minute until which each lane is taken.
    taken: list[int] = []
    places: list[tuple[int, int, int, CalendarCard]] = []
    for top, bottom, card in group:
        lane = next((lane for lane, end in enumerate(taken) if end <= top), len(taken))
        taken[lane : lane + 1] = [bottom]
        places.append((lane, top, bottom, card))
    lanes = min(len(taken), max_lanes)
    shown_lanes = lanes if len(taken) <= max_lanes else lanes - 1
    shown = [
        Block(card, top, bottom, lane, _free_lanes(places, lane, top, bottom, shown_lanes), lanes)
        for lane, top, bottom, card in places
        if lane < shown_lanes
    ]
    hidden = [(top, bottom) for lane, top, bottom, _card in places if lane >= shown_lanes]
    if hidden:
        first, last = min(hidden)[0], max(bottom for _top, bottom in hidden)
        shown.append(Block(None, first, last, shown_lanes, 1, lanes, len(hidden)))
    return shown


def _free_lanes(places: list[tuple[int, int, int, CalendarCard]], lane: int, top: int, bottom: int, lanes: int) -> int:
    """Return the number of lanes, from this one on, in which nothing else is at this time."""
    others = {other for other, begin, end, _card in places if other > lane and begin < bottom and end > top}
    return min({*others, lanes}) - lane
