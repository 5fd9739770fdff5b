"""The first page of the back office: what is on, what waits, and what lacks something."""

from datetime import timedelta

from django.contrib.admin import site
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from calendar_site.content import rules
from calendar_site.content.admin.last_changes import row_of, sources
from calendar_site.content.dates import site_zone
from calendar_site.content.days import in_site_time
from calendar_site.content.last_changes import last_changes
from calendar_site.content.querysets import editable_q
from calendar_site.content.submissions import Returned, Waiting, queue, returned
from events.admin.times import time_span
from events.models import Event

LISTED = 8


def first_page(request, context):
    """The context of the first page, with a section for each thing to look after. Costs nine queries and `_changes`."""
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
        _sent_back(user),
        _section(_("Today"), week, _events(events.on_days(today, today), user)),
        _section(_("In the next days"), week, _events(events.on_days(tomorrow, last), user)),
        _waiting(user),
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


def _waiting(user):
    """What waits of the records that the user may change: to be decided on, or his own to wait for."""
    rows = []
    for values in queue(user)[: LISTED + 1]:
        waiting = Waiting(*values)
        page = "review" if rules.can_publish(user, waiting.model) else "change"
        detail = _("%(who)s, %(when)s") % {"who": waiting.who, "when": in_site_time(waiting.since)}
        rows.append({"title": waiting.title, "detail": detail, "address": _address(waiting.model, waiting.pk, page)})
    return _section(_("Waiting for review"), reverse("admin:review"), rows)


def _sent_back(user):
    rows = []
    for values in returned(user)[: LISTED + 1]:
        draft = Returned(*values)
        told = _("%(who)s, %(when)s") % {"who": draft.who, "when": in_site_time(draft.when)}
        rows.append(
            {"title": draft.title, "detail": told, "note": draft.note, "address": _address(draft.model, draft.pk)}
        )
    return _section(_("Sent back to you"), f"{_list_of(draft.model)}?status=draft&author=me" if rows else "", rows)


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
    return {"title": str(row), "detail": detail, "address": _address(type(row), row.pk)}


def _address(model, pk, page="change"):
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=[pk])


def _list(filters):
    return f"{_list_of(Event)}?time=coming&{filters}"


def _list_of(model):
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
