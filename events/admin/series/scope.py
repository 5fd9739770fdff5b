"""Changing an event of a series: this event alone, this and following events, or all of them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple, cast

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from unfold.widgets import UnfoldAdminSelectWidget

from calendar_site.core.choices import Status
from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.dates.conversion import resolve_local
from calendar_site.core.types import AnyUser
from events.admin.series.recurrence import DAY_LENGTH, Recurrence
from events.changes import SeriesChanges
from events.models import Event, Series
from events.relations import RELATIONS, load_relations
from events.schedule import SCHEDULE_FIELDS, zone_of
from events.series.services import can_edit_series, save_series
from events.series.template import TEMPLATE_NAMES, EventTemplate

THIS, THIS_AND_FOLLOWING, ALL = "this", "following", "all"
# Fields of the form that each event of a series has for itself.
OF_SINGLE_EVENTS = ("slug", "event_status", "event_status_reason", "previous_start", "sold_out")


class ScopeField(forms.ChoiceField):
    """A choice about saving the form, which is no value of the record and conflicts with nothing."""

    def has_changed(self, initial: Any, data: Any) -> bool:
        return False


class ScopeCounts(NamedTuple):
    """The numbers of events outside the trash."""

    following: int
    all: int


def can_choose_scope(user: AnyUser, event: Event) -> bool:
    """Return whether the user may change the series together with the event. At most two queries."""
    series = event.series
    return series is not None and event.status != Status.TRASH and can_edit_series(user, series)


def scope_field(event: Event) -> ScopeField:
    """Return the field in which the user chooses which events to change. One query."""
    return ScopeField(
        label=gettext_lazy("Apply the changes to"),
        choices=scope_choices(event),
        required=False,
        # The bar with the buttons is outside the form.
        widget=UnfoldAdminSelectWidget({"form": f"{Event._meta.model_name}_form"}),
        help_text=gettext_lazy(
            "What was changed in single events stays as it is. The slug, the event status and “sold out” always apply "
            "to this event only."
        ),
    )


def scope_choices(event: Event) -> list[tuple[str, str]]:
    """Return the scopes with the numbers of events. One query."""
    counts = _count(event)
    following = ngettext(
        "This and following events (%(count)d event)",
        "This and following events (%(count)d events)",
        counts.following,
    )
    every = ngettext(
        "All events of the series (%(count)d event)", "All events of the series (%(count)d events)", counts.all
    )
    return [
        (THIS, _("Only this event")),
        (THIS_AND_FOLLOWING, following % {"count": counts.following}),
        (ALL, every % {"count": counts.all}),
    ]


def _count(event: Event) -> ScopeCounts:
    events = Event.objects.filter(series=event.series_id).not_trashed()
    occurrences = list(events.values_list("series_occurrence", flat=True))
    return ScopeCounts(sum(text >= event.series_occurrence for text in occurrences), len(occurrences))


def change_series(event: Event, changes: Mapping[str, Any], scope: str, user: AnyUser) -> Series | None:
    """Give the other events of the scope the changes of an event that has been saved. Return their series.

    None if nothing was changed that they share. Raises the exceptions of `save_series()`.
    """
    series = event.series
    shared = {name: value for name, value in changes.items() if name not in OF_SINGLE_EVENTS}
    if series is None or not shared:
        return None
    with write_lock():
        if scope == THIS_AND_FOLLOWING:
            series = save_series(series, changes={"from_occurrence": event.series_occurrence}, user=user)
        return save_series(series, changes=_series_changes(series, event, shared), user=user)


def _series_changes(series: Series, event: Event, changes: Mapping[str, Any]) -> SeriesChanges:
    """Return the changes of the series. Relations are those of the event, with records that the user may not see."""
    values = {name: value for name, value in changes.items() if name not in (*RELATIONS, *SCHEDULE_FIELDS)}
    relations = set(changes) & set(RELATIONS) & TEMPLATE_NAMES
    if relations:
        template = EventTemplate.of_event(event, load_relations([event])[event.pk])
        values |= template.changes(relations)
    if not set(SCHEDULE_FIELDS).isdisjoint(changes):
        values |= _schedule_changes(series, event)
    return cast("SeriesChanges", values)


def _schedule_changes(series: Series, event: Event) -> dict[str, Any]:
    """Return the changes that give the series the time of the day and the duration of the event."""
    zone = zone_of(event)
    start_local = series.start_local[:DAY_LENGTH] + event.start_local[DAY_LENGTH:]
    start = datetime.fromisoformat(start_local)
    duration = datetime.fromisoformat(event.end_local) - datetime.fromisoformat(event.start_local)
    return {
        "start": resolve_local(start, zone.tz),
        "end": resolve_local(start + duration, zone.tz),
        "time_zone": zone.name,
        "all_day": event.all_day,
        **Recurrence.of_series(series).changes(start_local),
    }
