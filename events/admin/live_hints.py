"""Hints that the form of an event shows while the user fills it in: about its times, and about the parsed cost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.admin import ModelAdmin
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from calendar_site.back_office.forms.time_fields import SiteTimeZoneField
from calendar_site.back_office.urls import admin_url
from calendar_site.core.dates.conversion import Zone, is_ambiguous, parse_zone, site_zone, to_wire
from calendar_site.core.dates.formatting import format_time
from calendar_site.core.dates.parser import parse_wire_date
from events.admin.time_display import city_of, format_span, format_span_in_zone
from events.costs import Cost, parse_cost
from events.models import Event
from events.schedule import order_error

TIMES_HINT_FIELDS = ("start", "end", "all_day", "time_zone")
COST_HINT_FIELDS = ("cost",)
DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)

# The texts in the fields of the form, by field name.
FormData = Mapping[str, Any]


class Hint(NamedTuple):
    """A sentence, and errors by form field."""

    text: str
    errors: dict[str, str]


def times_hint_view(request: HttpRequest, *, model_admin: ModelAdmin) -> HttpResponse:
    return _hint_response(model_admin, request, hint_at_times)


def cost_hint_view(request: HttpRequest, *, model_admin: ModelAdmin) -> HttpResponse:
    return _hint_response(model_admin, request, hint_at_cost)


def _hint_response(model_admin: ModelAdmin, request: HttpRequest, get_hint: Callable[[FormData], Hint]) -> HttpResponse:
    if not (model_admin.has_add_permission(request) or model_admin.has_change_permission(request)):
        raise PermissionDenied
    if request.method != "GET":
        return HttpResponseNotAllowed(["GET"])
    return JsonResponse(get_hint(request.GET)._asdict())


def hint_output(page: str, fields: Iterable[str], text: str) -> SafeString:
    """Return the element with a hint, which a script updates from this page when one of the fields changes."""
    return format_html(
        '<output class="hint" for="{}" data-url="{}">{}</output>',
        " ".join(f"id_{name}" for name in fields),
        admin_url(Event, page),
        text,
    )


# --- Times ---------------------------------------------------------------------------------------


def hint_at_times(data: FormData) -> Hint:
    """Return the hint about the entered times, which is empty as long as they are incomplete."""
    is_all_day = bool(data.get("all_day"))
    errors: dict[str, str] = {}
    moments: dict[str, datetime] = {}
    try:
        zone = parse_zone(SiteTimeZoneField(required=False).clean(data.get("time_zone", "")))
    except ValidationError as error:
        return Hint("", {"time_zone": " ".join(error.messages)})
    for name in ("start", "end"):
        try:
            if data.get(name):
                moments[name] = parse_wire_date(data[name], zone)
        except ValueError as error:
            errors[name] = str(error)
    if len(moments) < 2:
        return Hint("", errors)
    if wrong_order := order_error(moments["start"], moments["end"], is_all_day=is_all_day):
        return Hint("", {"end": wrong_order})
    sentences = [describe_times(**moments, zone=zone, is_all_day=is_all_day)]
    if not is_all_day:
        sentences += [_hint_at_clock_change(data[name], moment) for name, moment in moments.items()]
    return Hint(" ".join(filter(None, dict.fromkeys(sentences))), {})


def describe_times(start: datetime, end: datetime, *, zone: Zone, is_all_day: bool) -> str:
    """Return a span in its own time zone and in that of the site, and its duration."""
    site = site_zone()
    start, end = (moment.astimezone(zone.tz) for moment in (start, end))
    if is_all_day:
        days = (end.date() - start.date()).days + 1
        length = ngettext("%(count)d full day", "%(count)d full days", days) % {"count": days}
        return f"{format_span(start, end, is_all_day=True)} ({length})."
    values = {
        "span": format_span(start, end),
        "place": city_of(zone.name),
        "site_span": format_span_in_zone(start, end, site.tz),
        "site": city_of(site.name),
    }
    if zone.name == site.name:
        text = _("%(span)s in the site's time zone (%(site)s).")
    else:
        text = _("%(span)s in %(place)s is %(site_span)s in the site's time zone (%(site)s).")
    duration = _format_duration(end.astimezone(UTC) - start.astimezone(UTC))
    return " ".join(filter(None, (text % values, duration and _("Duration: %(length)s.") % {"length": duration})))


def _format_duration(duration: timedelta) -> str:
    """Return a text such as `2 hours, 30 minutes`."""
    days, rest = divmod(duration, DAY)
    hours, rest = divmod(rest, HOUR)
    minutes = rest // MINUTE
    parts = (
        (days, ngettext("%(count)d day", "%(count)d days", days)),
        (hours, ngettext("%(count)d hour", "%(count)d hours", hours)),
        (minutes, ngettext("%(count)d minute", "%(count)d minutes", minutes)),
    )
    return ", ".join(text % {"count": count} for count, text in parts if count)


def _hint_at_clock_change(text: str, moment: datetime) -> str:
    """Return a hint about a time that daylight saving time skips or repeats; "" for others."""
    if is_ambiguous(moment):
        return _("%(clock)s occurs twice that night because the clocks change. The first of both times is used.") % {
            "clock": format_time(moment)
        }
    try:
        wall = datetime.fromisoformat(text)
    except ValueError:
        return ""
    if wall.tzinfo or to_wire(wall) == to_wire(moment):
        return ""
    return _("%(clock)s does not exist that night because the clocks change. %(later)s is used instead.") % {
        "clock": format_time(wall),
        "later": format_time(moment),
    }


# --- Cost ----------------------------------------------------------------------------------------


def hint_at_cost(data: FormData) -> Hint:
    """Return the hint about the entered cost."""
    try:
        cost = parse_cost(data.get("cost") or "", settings.DEFAULT_CURRENCY_SYMBOL, settings.DEFAULT_CURRENCY_POSITION)
    except ValueError as error:
        return Hint("", {"cost": str(error)})
    return Hint(describe_cost(cost), {})


def describe_cost(cost: Cost) -> str:
    """Return the display of a cost, and its parsed values."""
    if not cost.text:
        return ""
    if cost.values in (["free"], ["0"]):
        return _("Free.")
    if not all(value[:1].isdecimal() for value in cost.values):
        return _("No price found. API clients receive this cost as text.")
    texts = {
        "prefix": _("Shown as %(cost)s. API clients receive %(values)s, with %(symbol)s before the number."),
        "postfix": _("Shown as %(cost)s. API clients receive %(values)s, with %(symbol)s after the number."),
    }
    text = texts.get(cost.position, _("Shown as %(cost)s. API clients receive %(values)s, in the site's currency."))
    return text % {"cost": cost.text, "values": " – ".join(cost.values), "symbol": cost.symbol}
