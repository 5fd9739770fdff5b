"""How the events of a series differ from it."""

from __future__ import annotations

from collections.abc import Sequence

from calendar_site.core.dates.conversion import in_utc
from events.loading import EventRow
from events.models import Event, Series
from events.recurrence.schedules import Schedule
from events.relations import load_relations
from events.series.template import EventTemplate

MOVED = "start"


def find_deviations(series: Series, events: Sequence[Event]) -> dict[int, set[str]]:
    """Return the names of the fields that were changed in each event alone, by the id of the event.

    `start` stands for all dates. An event that is still to get the present values of the series is compared with its
    former ones. The number of queries is fixed: those of the relations, and those of the templates.
    """
    schedule, present, relations = Schedule.of(series), EventTemplate.of_series(series), load_relations(events)
    former, hidden = _former_templates(series), _hidden_columns(series)
    found: dict[int, set[str]] = {}
    for event in events:
        template = former.get(event.pk, present)
        names = template.differences(EventTemplate.of_event(event, relations[event.pk]))
        names -= hidden.get(event.pk, set())
        found[event.pk] = names | ({MOVED} if is_moved(event, schedule) else set())
    return found


def _former_templates(series: Series) -> dict[int, EventTemplate]:
    """Return the templates of the events that a background task will give the present values, by their ids."""
    templates: dict[int, EventTemplate] = {}
    for group in series.outdated:
        values = {name: group["values"][name] for name in ("title", "password", "template")}
        templates |= dict.fromkeys(group["events"], EventTemplate.of_series(Series(**values)))
    return templates


def _hidden_columns(series: Series) -> dict[int, set[str]]:
    """Return the columns that events have of the present values already (`series.hiding`), by the ids of the events."""
    return {int(pk): set(values) for group in series.outdated for pk, values in group.get("hidden", {}).items()}


def is_moved(event: Event | EventRow, schedule: Schedule) -> bool:
    """Return whether the dates of an event are not those that the series gives its occurrence."""
    occurrence = event.series_occurrence
    own = (in_utc(event.start), in_utc(event.end), event.time_zone, event.all_day)
    return own != (
        in_utc(schedule.start_of(occurrence)), in_utc(schedule.end_of(occurrence)), schedule.zone.name, schedule.all_day
    )  # fmt: skip
