"""The start page of the admin: current events, submissions to review, and records with missing values."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from django.contrib.admin import site
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from calendar_site.accounts.access import no_access_text
from calendar_site.back_office.history.change_feed import change_sources, feed_rows
from calendar_site.back_office.lists.columns import status_now
from calendar_site.back_office.review.outcomes import outcome_sections
from calendar_site.back_office.urls import admin_url
from calendar_site.content.models import Content, LinkedContent
from calendar_site.core import clock, permissions
from calendar_site.core.choices import Status
from calendar_site.core.dates.conversion import site_zone
from calendar_site.core.dates.formatting import format_in_site_time
from calendar_site.core.permissions import editable_q
from calendar_site.core.types import AnyUser
from calendar_site.review.groups import load_entries
from calendar_site.review.queue import grouped_queue, review_queue
from calendar_site.revisions.feed import latest_changes
from events.admin.columns import thumbnail
from events.admin.time_display import format_event_times
from events.feed_sizes import CalendarSize, too_large_calendars
from events.models import Event
from organizers.models import Organizer
from venues.models import Venue

MAX_ROWS = 8
# So many changes are grouped to rows: a series has many events.
MAX_CHANGES = 60


def first_page(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Return the context of the start page. 16 queries at most, and the queries of `_changes()`."""
    user = request.user
    if not permissions.has_model_permission(user, "view", Event):
        return {**context, "sections": [], "no_access": no_access_text() if not context["app_list"] else ""}
    now = clock.now()
    today = now.astimezone(site_zone().tz).date()
    drafts = Event.objects.filter(author=user.pk, status=Status.DRAFT)
    coming = Event.objects.filter(editable_q(user, Event)).not_trashed().upcoming(now)
    sections = [
        *outcome_sections(user, MAX_ROWS),
        _waiting(user),
        *_current(user, today),
        _section(_("Your draft events"), _drafts_url(Event), _events(drafts.order_by("-modified_at", "-pk"), user)),
        _section(_("Your draft venues"), _drafts_url(Venue), _linked_drafts(Venue, user)),
        _section(_("Your draft organizers"), _drafts_url(Organizer), _linked_drafts(Organizer, user)),
        _section(
            _("Upcoming events without an image"),
            _list_url("lacks=image"),
            _incomplete(coming.filter(image=None), user),
        ),
        _section(
            _("Upcoming events without a venue"), _list_url("lacks=venue"), _incomplete(coming.without_venues(), user)
        ),
        _too_large_calendars(user),
        _changes(request),
    ]
    return {
        **context,
        "title": _("Overview"),
        "sections": [section for section in sections if section["rows"]],
        "add_label": _("Add %(name)s") % {"name": Event._meta.verbose_name},
        "add_url": admin_url(Event, "add") if permissions.can_create(user, Event) else "",
    }


def _current(user: AnyUser, today: date) -> list[dict[str, Any]]:
    """Return the events of the next days; for users who may change only their own, these alone.

    Each event is listed once, on the first of its days.
    """
    if not permissions.can_edit_others(user, Event):
        own = Event.objects.filter(author=user.pk).not_trashed().upcoming(clock.now())
        return [_section(_("Your upcoming events"), _list_url("author=me"), _events(own, user))]
    tomorrow, last = today + timedelta(days=1), today + timedelta(days=6)
    week = reverse("admin:events_event_calendar") + f"?view=week&day={today}"
    # The week of today may contain none of these days.
    next_days = f"{admin_url(Event, 'changelist')}?from={tomorrow}&to={last}"
    events = Event.objects.visible_to(user)
    later = events.on_days(tomorrow, last).filter(start_local__gte=str(tomorrow))
    return [
        _section(_("Today"), week, _events(events.on_days(today, today), user)),
        _section(_("Next 6 days"), next_days, _events(later, user)),
    ]


def _section(title: str, list_url: str, rows: list[dict[str, str]]) -> dict[str, Any]:
    return {"title": title, "list_url": list_url, "rows": rows}


def _events(events: Any, user: AnyUser) -> list[dict[str, str]]:
    """Return the first events with their thumbnails and statuses, by their start if they have no other order."""
    found = events.with_field_visibility(user).defer("description", "excerpt", "search_text").select_related("image")
    if not events.query.order_by:
        found = found.ordered_by_local_start()
    return [_event_row(event) for event in found[:MAX_ROWS]]


def _incomplete(events: Any, user: AnyUser) -> list[dict[str, str]]:
    """Return the first events that lack something, without thumbnails: each of them is a request."""
    return [{**row, "image": ""} for row in _events(events, user)]


def _event_row(event: Any) -> dict[str, str]:
    row = _row(event, format_event_times(event, is_all_day=event.all_day and event.has_visible_fields))
    # Most are published: only others say so.
    is_usual = event.is_published and event.status == Status.PUBLISH
    return {**row, "image": thumbnail(event), "status": "" if is_usual else status_now(event)}


def _drafts_url(model: type[Content]) -> str:
    return f"{admin_url(model, 'changelist')}?status=draft&author=me"


def _linked_drafts(model: type[LinkedContent], user: AnyUser) -> list[dict[str, str]]:
    drafts = model.objects.filter(author=user.pk, status=Status.DRAFT).order_by("-modified_at", "-pk")
    return [_row(row, format_in_site_time(row.modified_at)) for row in drafts.defer("description")[:MAX_ROWS]]


def _waiting(user: AnyUser) -> dict[str, Any]:
    """Return the submissions that the user may see: reviewers see those to review, authors their own."""
    rows = []
    for entry in load_entries(grouped_queue(user)[:MAX_ROWS], review_queue(user)):
        review = entry.review
        page = "review" if permissions.can_publish(user, review.model) else "change"
        detail = {"who": review.submitted_by_name, "when": review.submitted_at_display}
        rows.append(
            {
                "title": review.title,
                "detail": ", ".join(filter(None, (_("%(who)s, %(when)s") % detail, entry.others_display))),
                "url": admin_url(review.model, page, review.record_id),
            }
        )
    return _section(_("Review queue"), reverse("admin:review"), rows)


def _changes(request: HttpRequest) -> dict[str, Any]:
    """Return the latest changes that the user may see. At most two queries for each kind of record."""
    rows = [
        {
            "title": row.title,
            "detail": ", ".join(filter(None, (row.entry.kind, row.count_display, row.entry.time, row.entry.user))),
            "url": row.history_url,
        }
        for row in feed_rows(latest_changes(change_sources(site, request), MAX_CHANGES))[:MAX_ROWS]
    ]
    return _section(_("Recent changes"), reverse("admin:change_feed"), rows)


def _too_large_calendars(user: AnyUser) -> dict[str, Any]:
    """Return the calendars that lack events or texts, for those who can change it for any event."""
    noted = too_large_calendars() if permissions.can_edit_others(user, Event) else []
    rows = [{"title": each.name, "detail": _missing_parts(each), "url": each.url} for each in noted]
    return _section(_("Calendars that are too large for calendar programs"), "", rows)


def _missing_parts(calendar: CalendarSize) -> str:
    left_out = ngettext("%(count)s event left out", "%(count)s events left out", calendar.left_out)
    shortened = ngettext("%(count)s description shortened", "%(count)s descriptions shortened", calendar.shortened)
    counts = ((left_out, calendar.left_out), (shortened, calendar.shortened))
    return ", ".join(text % {"count": count} for text, count in counts if count)


def _row(row: Content, detail: str) -> dict[str, str]:
    return {"title": str(row), "detail": detail, "url": admin_url(row, "change", row.pk)}


def _list_url(filters: str) -> str:
    return f"{admin_url(Event, 'changelist')}?time=coming&{filters}"
