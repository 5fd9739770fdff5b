"""The calendar of the back office: events on their days, and moving them to others."""

from collections import defaultdict
from datetime import date, datetime, timedelta

from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpResponseNotAllowed, HttpResponseRedirect, JsonResponse
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils import timezone
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext as _
from unfold.views import ChangeList

from calendar_site.content import rules
from calendar_site.content.choices import Status
from calendar_site.content.dates import site_zone
from calendar_site.content.days import bare_day, clock
from calendar_site.content.days import day as in_words
from calendar_site.content.transactions import writing
from events.admin.periods import LIST, MONTH, WEEK, read_period
from events.admin.seen import hue_of, named_categories
from events.admin.time_filters import DaysFilter, StartFilter, TimeFilter
from events.admin.times import EVENING, LENGTH, time_span
from events.services import move_event

CALENDAR = "events_event_calendar"
VIEW, DAY = "view", "day"
# More than these on one page help nobody: they are narrowed by a filter.
MOST = 1000
MOST_A_DAY = 5
# What goes on for longer stands above the days, once.
RUNNING = timedelta(days=7)


class PeriodList(ChangeList):
    """What the filters leave, without a page of it."""

    def get_filters_params(self, params=None):
        given = super().get_filters_params(params)
        return {name: value for name, value in given.items() if name not in (VIEW, DAY)}

    def get_results(self, request):
        self.result_count, self.full_result_count, self.result_list = 0, 0, []
        self.show_full_result_count = self.show_admin_actions = self.can_show_all = self.multi_page = False


class CalendarViews:
    """The views of the calendar, for the admin of events."""

    def get_urls(self):
        view = self.admin_site.admin_view
        return [
            path("calendar/", view(self.calendar_view), name=CALENDAR),
            path("<path:object_id>/move/", view(self.move_view), name="events_event_move"),
            *super().get_urls(),
        ]

    def is_calendar(self, request):
        return request.resolver_match is not None and request.resolver_match.url_name == CALENDAR

    def is_listing(self, request):
        return self.is_calendar(request) or super().is_listing(request)

    def get_changelist(self, request, **kwargs):
        return PeriodList if self.is_calendar(request) else super().get_changelist(request, **kwargs)

    def get_list_filter(self, request):
        filters = super().get_list_filter(request)
        if not self.is_calendar(request):
            return filters
        # The calendar has its own way through time.
        return [spec for spec in filters if spec not in (TimeFilter, StartFilter, DaysFilter)]

    # --- Looking

    def calendar_view(self, request):
        if not self.has_view_permission(request):
            raise PermissionDenied
        try:
            shown = self.get_changelist_instance(request)
        except IncorrectLookupParameters:
            return HttpResponseRedirect(request.path)
        request.heading = _("Calendar")
        today = timezone.now().astimezone(site_zone().tz).date()
        period = read_period(request.GET.get(VIEW), request.GET.get(DAY), today)
        events = list(self._events_of(shown.queryset, period)[: MOST + 1])
        cards = [self._card(request, event) for event in events[:MOST]]
        days = _by_day([card for card in cards if not card["is_running"]], period)
        context = {
            **self.admin_site.each_context(request),
            "cl": shown,
            "opts": self.opts,
            "media": self.media,
            "title": _("Calendar"),
            "subtitle": period.name,
            "has_add_permission": self.has_add_permission(request),
            "period": period,
            "weekdays": [WEEKDAYS[day.weekday()] for day in period.weeks[0]],
            "weeks": [
                [self._day(request, day, days.get(day, []), period, today) for day in week] for week in period.weeks
            ],
            "days": [self._day(request, day, days[day], period, today) for day in sorted(days)],
            "running": [card for card in cards if card["is_running"]],
            "views": [(name, label, _query(shown, name, period.day)) for name, label in _views()],
            "ways": [
                ("chevron_left", _("Earlier"), _query(shown, period.view, period.previous.day)),
                ("today", _("Today"), _query(shown, period.view, today)),
                ("chevron_right", _("Later"), _query(shown, period.view, period.next.day)),
            ],
            "categories": _legend(cards),
            "is_cut": len(events) > MOST,
            "most": MOST,
        }
        return TemplateResponse(request, "admin/events/event/calendar.html", context)

    def _events_of(self, events, period):
        return events.on_days(period.first, period.last).by_wall_clock().prefetch_related(named_categories())

    def _card(self, request, event):
        """What the calendar shows of an event: no more than a list does."""
        category = next(iter(event.categories.all()), None) if event.shows_fields else None
        is_all_day = event.all_day and event.shows_fields
        start, end = datetime.fromisoformat(event.start_local), datetime.fromisoformat(event.end_local)
        # What ends at midnight is over when the day begins.
        first, last = start.date(), max(start, end - timedelta(seconds=1)).date()
        return {
            "event": event,
            "address": reverse("admin:events_event_change", args=[event.pk]),
            "start": first,
            "end": last,
            "days": f"{bare_day(first)} – {bare_day(last)}",
            "is_running": last - first >= RUNNING,
            "clock": "" if is_all_day else clock(start),
            "when": time_span(event, is_all_day=is_all_day),
            "venues": self.venue_names(event),
            "category": category,
            "hue": hue_of(category) if category else "none",
            "status": "" if event.is_published and event.status == Status.PUBLISH else self.status_now(event),
            "may_move": event.status != Status.TRASH and rules.can_edit(request.user, event),
            "move_address": reverse("admin:events_event_move", args=[event.pk]),
        }

    def _day(self, request, day, cards, period, today):
        begins = datetime.combine(day, EVENING)
        new = f"?start={begins:%Y-%m-%dT%H:%M}&end={begins + LENGTH:%Y-%m-%dT%H:%M}"
        may_add = self.has_add_permission(request)
        return {
            "day": day,
            "name": in_words(day),
            "is_today": day == today,
            "is_outside": period.view == MONTH and day.month != period.day.month,
            "shown": cards if period.view != MONTH else cards[:MOST_A_DAY],
            "more": [] if period.view != MONTH else cards[MOST_A_DAY:],
            "add_address": reverse("admin:events_event_add") + new if may_add else None,
        }

    # --- Moving

    def move_view(self, request, object_id):
        """Moves an event from the day `from` to the day `to`; answers JSON: what happened, in words."""
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        try:
            old, new = (date.fromisoformat(request.POST.get(name, "")) for name in ("from", "to"))
        except ValueError:
            return _refused(_("This is no day."), 400)
        with writing():
            event = self.get_object(request, unquote(object_id))
            if event is None:
                raise Http404
            if event.status == Status.TRASH or not self.has_change_permission(request, event):
                return _refused(_("“%(event)s” is not yours to change.") % {"event": event}, 403)
            if event.start_local[:10] != old.isoformat():
                return _refused(_("Somebody else has moved “%(event)s” in the meantime.") % {"event": event}, 409)
            try:
                move_event(event, new - old, request.user)
            except (ValueError, ValidationError) as error:
                return _refused(" ".join(getattr(error, "messages", [str(error)])), 400)
        done = _("“%(event)s” is now on %(day)s.") % {"event": event, "day": in_words(new)}
        return JsonResponse({"message": done, "from": new.isoformat(), "to": old.isoformat()})


def _refused(text, status):
    return JsonResponse({"message": text}, status=status)


def _views():
    return ((MONTH, _("Month")), (WEEK, _("Week")), (LIST, _("List")))


def _query(shown, view, day):
    return shown.get_query_string({VIEW: view, DAY: day.isoformat()})


def _by_day(cards, period):
    """The cards of each day of the period that has any, in their order."""
    days = defaultdict(list)
    for card in cards:
        day = max(card["start"], period.first)
        while day <= min(card["end"], period.last):
            days[day].append(card)
            day += timedelta(days=1)
    return dict(days)


def _legend(cards):
    """The categories that give the cards their colours, each once, by name."""
    seen = {card["category"].pk: card for card in cards if card["category"]}
    return sorted((card["category"].name, card["hue"]) for card in seen.values())
