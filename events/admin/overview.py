"""The first page of the back office: what is on, what waits, and what lacks something."""

from datetime import timedelta

from django.contrib.admin import site
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from calendar_site.content import rules
from calendar_site.content.admin.last_changes import row_of, sources
from calendar_site.content.choices import Status
from calendar_site.content.dates import site_zone
from calendar_site.content.last_changes import last_changes
from calendar_site.content.querysets import editable_q
from events.admin.times import time_span
from events.models import Event
from organizers.models import Organizer
from venues.models import Venue

LISTED = 8


def first_page(request, context):
    """The context of the first page, with a section for each thing to look after. Costs ten queries."""
    user = request.user
    if not rules.may(user, "view", Event):
        return {**context, "sections": []}
    now = timezone.now()
    today = now.astimezone(site_zone().tz).date()
    tomorrow, last = today + timedelta(days=1), today + timedelta(days=6)
    week = reverse("admin:events_event_calendar") + f"?view=week&day={today}"
    coming = Event.objects.filter(editable_q(user, Event)).outside_trash().coming(now)
    events = Event.objects.visible_to(user)
    sections = [
        _section(_("Today"), week, _events(events.on_days(today, today), user)),
        _section(_("In the next days"), week, _events(events.on_days(tomorrow, last), user)),
        *(_waiting(model, user) for model in (Event, Venue, Organizer)),
        _section(_("To come, without a picture"), _list("lacks=image"), _events(coming.filter(image=None), user)),
        _section(_("To come, without a venue"), _list("lacks=venue"), _events(coming.lacking_venues(), user)),
        _changes(request),
    ]
    return {**context, "title": _("Overview"), "sections": [section for section in sections if section["rows"]]}


def _section(title, address, rows):
    return {"title": title, "address": address, "rows": rows[:LISTED], "has_more": len(rows) > LISTED}


def _events(events, user):
    found = events.telling_what_shows(user).defer("description", "excerpt", "search_text").by_wall_clock()
    return [
        _row(event, time_span(event, is_all_day=event.all_day and event.shows_fields)) for event in found[: LISTED + 1]
    ]


def _waiting(model, user):
    title = _("Waiting for review: %(kind)s") % {"kind": model._meta.verbose_name_plural}
    waiting = model.objects.visible_to(user).filter(status=Status.PENDING).order_by("modified_at", "pk")
    rows = [_row(row, "") for row in waiting.only("title", "modified_at")[: LISTED + 1]]
    address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    return _section(title, f"{address}?status={Status.PENDING}", rows)


def _changes(request):
    """What the user may see of the last changes. Costs at the most two queries for each kind of record."""
    rows = [
        {
            "title": row["title"],
            "detail": ", ".join(filter(None, (row["told"].kind, row["told"].when, row["told"].who))),
            "address": row["history"],
        }
        for row in map(row_of, last_changes(sources(site, request), LISTED + 1))
    ]
    return _section(_("Last changes"), reverse("admin:last_changes"), rows)


def _row(row, detail):
    address = reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[row.pk])
    return {"title": str(row), "detail": detail, "address": address}


def _list(filters):
    return f"{reverse('admin:events_event_changelist')}?time=coming&{filters}"
