"""Warnings about an event that has been saved in its form: nothing is refused, but much of it is by mistake."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _

from calendar_site.content.similar_titles import most_similar
from calendar_site.core import clock
from calendar_site.core.choices import Status
from calendar_site.core.types import AnyUser
from events.admin.venue_zones import zone_warning
from events.choices import EventStatus
from events.models import Event
from events.querysets import EventQuerySet

MAX_SHOWN = 3
# Of one day, whose titles are compared.
MAX_COMPARED = 500
TIMES = {"start", "end", "all_day", "time_zone"}


def warn_of_event(request: HttpRequest, event: Event, changed: Collection[str]) -> None:
    """Show warnings about what was changed. At most four queries."""
    if event.status == Status.TRASH or event.event_status == EventStatus.CANCELLED:
        return
    if not TIMES.isdisjoint(changed) and clock.has_passed(event.end):
        messages.warning(request, _("“%(event)s” is in the past.") % {"event": event})
    if not {"venues", *TIMES}.isdisjoint(changed) and (titles := _events_at_same_place(event, request.user)):
        text = _("Other events at the same venue at the same time: %(titles)s.")
        messages.warning(request, text % {"titles": _join(titles)})
    if not {"venues", "attendance_mode", *TIMES}.isdisjoint(changed) and (text := zone_warning(event, request.user)):
        messages.warning(request, text)
    if not {"title", *TIMES}.isdisjoint(changed) and (titles := _similar_on_same_day(event, request.user)):
        text = _("Events on the same day with a similar title: %(titles)s.")
        messages.warning(request, text % {"titles": _join(titles)})


def _events_at_same_place(event: Event, user: AnyUser) -> list[str]:
    """Return the titles of other events that overlap with this one. A festival and its parts are no others."""
    venues = list(event.venues.values_list("pk", flat=True))
    if not venues:
        return []
    others = _others(event, user).with_fields_visible_to(user).at_venues(venues)
    others = others.exclude(parent=event.pk).exclude(pk=event.parent_id or 0)
    overlapping = others.starting_before(event.end).ending_after(event.start).ordered_by_local_start()
    return list(overlapping.values_list("title", flat=True)[: MAX_SHOWN + 1])


def _similar_on_same_day(event: Event, user: AnyUser) -> list[str]:
    day = event.start_local[:10]
    others = _others(event, user).filter(start_local__gte=day, start_local__lte=f"{day} 23:59:59")
    return most_similar(event.title, others.order_by().values_list("title", flat=True)[:MAX_COMPARED])


def _others(event: Event, user: AnyUser) -> EventQuerySet:
    others: EventQuerySet = Event.objects.visible_to(user).exclude(pk=event.pk)
    return others.exclude(event_status=EventStatus.CANCELLED)


def _join(titles: Iterable[str]) -> str:
    titles = list(titles)
    return ", ".join([*titles[:MAX_SHOWN], *(["…"] if len(titles) > MAX_SHOWN else [])])
