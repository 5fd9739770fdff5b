"""The first page of the back office: what is on, what waits, and what lacks something."""

from datetime import timedelta

from django.contrib.admin import site
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from calendar_site.content import rules
from calendar_site.content.admin.decided import decided_sections
from calendar_site.content.admin.last_changes import row_of, sources
from calendar_site.content.admin.routes import address
from calendar_site.content.dates import site_zone
from calendar_site.content.days import in_site_time
from calendar_site.content.last_changes import last_changes
from calendar_site.content.querysets import editable_q
from calendar_site.content.submissions import Waiting, queue
from events.admin.times import time_span
from events.models import Event

LISTED = 8


def first_page(request, context):
    """The context of the first page, with a section for each thing to look after. Costs ten queries and `_changes`."""
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
        *decided_sections(user, LISTED),
        _waiting(user),
        _section(_("Today"), week, _events(events.on_days(today, today), user)),
        _section(_("In the next days"), week, _events(events.on_days(tomorrow, last), user)),
        _section(_("To come, without a picture"), _list("lacks=image"), _events(coming.filter(image=None), user)),
        _section(_("To come, without a venue"), _list("lacks=venue"), _events(coming.lacking_venues(), user)),
        _changes(request),
    ]
    return {**context, "title": _("Overview"), "sections": [section for section in sections if section["rows"]]}


def _section(title, address_of_all, rows):
    return {"title": title, "address": address_of_all, "rows": rows[:LISTED], "has_more": len(rows) > LISTED}


def _events(events, user):
    found = events.telling_what_shows(user).defer("description", "excerpt", "search_text").by_wall_clock()
    return [
        _row(event, time_span(event, is_all_day=event.all_day and event.shows_fields)) for event in found[: LISTED + 1]
    ]


def _waiting(user):
    """What waits of the records that the user may change: to be decided on, or his own to wait for."""
    rows = []
    for values in queue(user)[: LISTED + 1]:
        waiting = Waiting(*values)
        page = "review" if rules.can_publish(user, waiting.model) else "change"
        detail = _("%(who)s, %(when)s") % {"who": waiting.who, "when": in_site_time(waiting.since)}
        rows.append({"title": waiting.title, "detail": detail, "address": address(waiting.model, page, waiting.pk)})
    return _section(_("Waiting for review"), reverse("admin:review"), rows)


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
    return {"title": str(row), "detail": detail, "address": address(row, "change", row.pk)}


def _list(filters):
    return f"{address(Event, 'changelist')}?time=coming&{filters}"
