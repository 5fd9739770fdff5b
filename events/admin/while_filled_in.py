"""What the form of an event tells while it is filled in: times on two clocks, and what programs read in a cost."""

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from django.conf import settings
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpResponseNotAllowed, JsonResponse
from django.urls import path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from calendar_site.content.admin.fields import ZoneField
from calendar_site.content.dates import is_doubled, parse_wire_date, parse_zone, site_zone, wire
from calendar_site.content.days import clock
from events.admin.times import span, span_beside
from events.costs import parse_cost

TIMES, COST = "events_event_told_times", "events_event_told_cost"
TOLD_TIMES = ("start", "end", "all_day", "time_zone")
DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)


class Remark(NamedTuple):
    """A sentence, and what is wrong, by the fields of the form."""

    text: str
    faults: dict[str, str]


class FormViews:
    """What the form asks for while it is filled in, for the admin of events."""

    def get_urls(self):
        view = self.admin_site.admin_view
        return [
            path("told/times/", view(self.told_times_view), name=TIMES),
            path("told/cost/", view(self.told_cost_view), name=COST),
            *super().get_urls(),
        ]

    def told_times_view(self, request):
        return self._tell(request, lambda given: read_times(given, bool(given.get("all_day"))))

    def told_cost_view(self, request):
        return self._tell(request, lambda given: read_cost(given.get("cost", "")))

    def _tell(self, request, read):
        if not (self.has_add_permission(request) or self.has_change_permission(request)):
            raise PermissionDenied
        if request.method != "GET":
            return HttpResponseNotAllowed(["GET"])
        return JsonResponse(read(request.GET)._asdict())


def told_line(route, names, text):
    """The place of such a sentence in a form, which a script fills anew when one of these fields is changed."""
    return format_html(
        '<output class="told" for="{}" data-address="{}">{}</output>',
        " ".join(f"id_{name}" for name in names),
        reverse(f"admin:{route}"),
        text,
    )


# --- Times ---------------------------------------------------------------------------------------


def order_fault(start, end, is_all_day):
    """What is wrong with the order of two moments on one clock; "" where nothing is."""
    if is_all_day:
        start, end = start.date(), end.date()
    return _("An event does not end before it starts.") if end < start else ""


def read_times(given, is_all_day):
    """What is to be told of times as they were sent; nothing of those that are not filled in yet."""
    faults, moments = {}, {}
    try:
        zone = parse_zone(ZoneField(required=False).clean(given.get("time_zone", "")))
    except ValidationError as error:
        return Remark("", {"time_zone": " ".join(error.messages)})
    for name in ("start", "end"):
        try:
            if given.get(name):
                moments[name] = parse_wire_date(given[name], zone)
        except ValueError as error:
            faults[name] = str(error)
    if len(moments) < 2:
        return Remark("", faults)
    if fault := order_fault(moments["start"], moments["end"], is_all_day):
        return Remark("", {"end": fault})
    sentences = [times_in_words(**moments, zone=zone, is_all_day=is_all_day)]
    if not is_all_day:
        sentences += [_odd_hour(given[name], moment) for name, moment in moments.items()]
    return Remark(" ".join(filter(None, dict.fromkeys(sentences))), {})


def times_in_words(start, end, zone, is_all_day):
    """When something happens on its own clock and on that of the site, and for how long."""
    site = site_zone()
    start, end = (moment.astimezone(zone.tz) for moment in (start, end))
    if is_all_day:
        days = (end.date() - start.date()).days + 1
        length = ngettext("%(count)d whole day", "%(count)d whole days", days) % {"count": days}
        return f"{span(start, end, is_all_day=True)} ({length})."
    words = {
        "span": span(start, end),
        "place": _place(zone),
        "site_span": span_beside(start, end, site.tz),
        "site": _place(site),
    }
    if zone.name == site.name:
        text = _("%(span)s on the clock of the site (%(site)s).")
    else:
        text = _("%(span)s in %(place)s is %(site_span)s on the clock of the site (%(site)s).")
    length = _length(end.astimezone(UTC) - start.astimezone(UTC))
    return " ".join(filter(None, (text % words, length and _("It lasts %(length)s.") % {"length": length})))


def _place(zone):
    return zone.name.rpartition("/")[2].replace("_", " ")


def _length(duration):
    """`2 hours, 30 minutes`"""
    days, rest = divmod(duration, DAY)
    hours, rest = divmod(rest, HOUR)
    minutes = rest // MINUTE
    parts = (
        (days, ngettext("%(count)d day", "%(count)d days", days)),
        (hours, ngettext("%(count)d hour", "%(count)d hours", hours)),
        (minutes, ngettext("%(count)d minute", "%(count)d minutes", minutes)),
    )
    return ", ".join(text % {"count": count} for count, text in parts if count)


def _odd_hour(text, moment):
    """What is to be said of a time that summer time skips or doubles."""
    if is_doubled(moment):
        return _("The clocks show %(clock)s twice that night: the first time is meant.") % {"clock": clock(moment)}
    try:
        wall = datetime.fromisoformat(text)
    except ValueError:
        return ""
    if wall.tzinfo or wire(wall) == wire(moment):
        return ""
    return _("The clocks skip %(clock)s that night: it becomes %(later)s.") % {
        "clock": clock(wall),
        "later": clock(moment),
    }


# --- Cost ----------------------------------------------------------------------------------------


def read_cost(text):
    """What is to be told of a cost as it was written."""
    try:
        cost = parse_cost(text, settings.DEFAULT_CURRENCY_SYMBOL, settings.DEFAULT_CURRENCY_POSITION)
    except ValueError as error:
        return Remark("", {"cost": str(error)})
    return Remark(cost_in_words(cost), {})


def cost_in_words(cost):
    """What a cost is shown as, and what programs read in it."""
    if not cost.text:
        return ""
    if cost.values in (["free"], ["0"]):
        return _("Free.")
    if not all(value[:1].isdecimal() for value in cost.values):
        return _("No price is found in this: programs get it as words.")
    texts = {
        "prefix": _("Shown as %(cost)s. Programs get %(values)s, with %(symbol)s before it."),
        "postfix": _("Shown as %(cost)s. Programs get %(values)s, with %(symbol)s behind it."),
    }
    text = texts.get(cost.position, _("Shown as %(cost)s. Programs get %(values)s, in the currency of the site."))
    return text % {"cost": cost.text, "values": " – ".join(cost.values), "symbol": cost.symbol}
