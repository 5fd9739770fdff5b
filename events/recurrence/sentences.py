"""Recurrence rules as sentences, such as “Every week on Tuesday and Thursday until 30 June 2027”."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext, pgettext_lazy

from calendar_site.core.dates.formatting import format_day_of_year, format_day_without_weekday
from events.recurrence.days import WEEKDAYS
from events.recurrence.rules import Rule
from events.recurrence.schedules import HasSchedule, Schedule

# With the article or preposition that the language needs in such a list.
WEEKDAYS_IN_LIST = {
    "MO": pgettext_lazy("every week on …", "Monday"),
    "TU": pgettext_lazy("every week on …", "Tuesday"),
    "WE": pgettext_lazy("every week on …", "Wednesday"),
    "TH": pgettext_lazy("every week on …", "Thursday"),
    "FR": pgettext_lazy("every week on …", "Friday"),
    "SA": pgettext_lazy("every week on …", "Saturday"),
    "SU": pgettext_lazy("every week on …", "Sunday"),
}
# Whole phrases, because many languages inflect the number with the day.
WEEKDAYS_OF_MONTH = {
    "1MO": gettext_lazy("on the first Monday"),
    "1TU": gettext_lazy("on the first Tuesday"),
    "1WE": gettext_lazy("on the first Wednesday"),
    "1TH": gettext_lazy("on the first Thursday"),
    "1FR": gettext_lazy("on the first Friday"),
    "1SA": gettext_lazy("on the first Saturday"),
    "1SU": gettext_lazy("on the first Sunday"),
    "2MO": gettext_lazy("on the second Monday"),
    "2TU": gettext_lazy("on the second Tuesday"),
    "2WE": gettext_lazy("on the second Wednesday"),
    "2TH": gettext_lazy("on the second Thursday"),
    "2FR": gettext_lazy("on the second Friday"),
    "2SA": gettext_lazy("on the second Saturday"),
    "2SU": gettext_lazy("on the second Sunday"),
    "3MO": gettext_lazy("on the third Monday"),
    "3TU": gettext_lazy("on the third Tuesday"),
    "3WE": gettext_lazy("on the third Wednesday"),
    "3TH": gettext_lazy("on the third Thursday"),
    "3FR": gettext_lazy("on the third Friday"),
    "3SA": gettext_lazy("on the third Saturday"),
    "3SU": gettext_lazy("on the third Sunday"),
    "4MO": gettext_lazy("on the fourth Monday"),
    "4TU": gettext_lazy("on the fourth Tuesday"),
    "4WE": gettext_lazy("on the fourth Wednesday"),
    "4TH": gettext_lazy("on the fourth Thursday"),
    "4FR": gettext_lazy("on the fourth Friday"),
    "4SA": gettext_lazy("on the fourth Saturday"),
    "4SU": gettext_lazy("on the fourth Sunday"),
    "-1MO": gettext_lazy("on the last Monday"),
    "-1TU": gettext_lazy("on the last Tuesday"),
    "-1WE": gettext_lazy("on the last Wednesday"),
    "-1TH": gettext_lazy("on the last Thursday"),
    "-1FR": gettext_lazy("on the last Friday"),
    "-1SA": gettext_lazy("on the last Saturday"),
    "-1SU": gettext_lazy("on the last Sunday"),
}
# The parts of the rules that are described; others are shown as they are.
_DESCRIBED_PARTS = {"DAILY": set(), "WEEKLY": {"BYDAY"}, "MONTHLY": {"BYDAY", "BYMONTHDAY"}, "YEARLY": set()}


def describe_schedule(schedule: Schedule) -> str:
    """Return when the occurrences are, as a sentence without a full stop."""
    if schedule.rule is None:
        dates = {schedule.start.isoformat(" "), *schedule.added} - set(schedule.excluded)
        return ngettext("On %(count)d date", "On %(count)d dates", len(dates)) % {"count": len(dates)}
    text = _describe_rule(schedule.rule, schedule.start.date())
    if schedule.rule.until:
        last = schedule.rule.last_day(schedule.start, schedule.zone.tz)
        text = _("%(rule)s until %(day)s") % {"rule": text, "day": format_day_without_weekday(last)}
    elif count := schedule.rule.count:
        text = ngettext("%(rule)s, %(count)d time", "%(rule)s, %(count)d times", count) % {"rule": text, "count": count}
    if schedule.added:
        added = len(schedule.added)
        more = ngettext("%(rule)s, and on %(count)d more date", "%(rule)s, and on %(count)d more dates", added)
        text = more % {"rule": text, "count": added}
    return text


def format_recurrence(rule: str, series: HasSchedule) -> str:
    """Return when a series repeats, for histories. `series` is a series or a revision of one."""
    return describe_schedule(Schedule.of(series))


def is_described(rule: Rule) -> bool:
    """Return whether there is a sentence for the rule."""
    days = rule.by.get("BYDAY", ())
    if not set(rule.by) <= _DESCRIBED_PARTS[rule.frequency] or (rule.week_start != "MO" and rule.interval > 1):
        return False
    if rule.frequency == "MONTHLY" and rule.by:
        parts = [value for values in rule.by.values() for value in values]
        return len(parts) == 1 and (parts[0] in WEEKDAYS_OF_MONTH or parts[0].isdigit() or parts[0] == "-1")
    return set(days) <= set(WEEKDAYS)


def _describe_rule(rule: Rule, start: date) -> str:
    """Return the sentence without the end. `start` is the day from which the rule counts."""
    if not is_described(rule):
        return _("By the rule %(rule)s") % {"rule": rule}
    describe = {"DAILY": _daily, "WEEKLY": _weekly, "MONTHLY": _monthly, "YEARLY": _yearly}
    return describe[rule.frequency](rule, start)


def _daily(rule: Rule, start: date) -> str:
    if rule.interval == 1:
        return _("Every day")
    return ngettext("Every %(count)d day", "Every %(count)d days", rule.interval) % {"count": rule.interval}


def _weekly(rule: Rule, start: date) -> str:
    chosen = rule.by.get("BYDAY", ()) or (list(WEEKDAYS)[start.weekday()],)
    days = _join(str(name) for day, name in WEEKDAYS_IN_LIST.items() if day in chosen)
    if rule.interval == 1:
        return _("Every week on %(days)s") % {"days": days}
    text = ngettext("Every %(count)d week on %(days)s", "Every %(count)d weeks on %(days)s", rule.interval)
    return text % {"count": rule.interval, "days": days}


def _monthly(rule: Rule, start: date) -> str:
    weekdays = rule.by.get("BYDAY")
    if weekdays:
        day = str(WEEKDAYS_OF_MONTH[weekdays[0]])
    else:
        number = int(rule.by.get("BYMONTHDAY", (str(start.day),))[0])
        day = _("on the last day") if number < 0 else _("on day %(number)s") % {"number": number}
    if rule.interval == 1:
        return _("Every month %(day)s") % {"day": day}
    text = ngettext("Every %(count)d month %(day)s", "Every %(count)d months %(day)s", rule.interval)
    return text % {"count": rule.interval, "day": day}


def _yearly(rule: Rule, start: date) -> str:
    day = format_day_of_year(start)
    if rule.interval == 1:
        return _("Every year on %(day)s") % {"day": day}
    text = ngettext("Every %(count)d year on %(day)s", "Every %(count)d years on %(day)s", rule.interval)
    return text % {"count": rule.interval, "day": day}


def _join(names: Iterable[str]) -> str:
    """Return a list such as `Monday, Tuesday and Friday`."""
    *first, last = names
    if not first:
        return last
    return pgettext("the end of a list", "%(first)s and %(last)s") % {"first": ", ".join(first), "last": last}
