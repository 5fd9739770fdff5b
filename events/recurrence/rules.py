"""Recurrence rules of RFC 5545, section 3.3.10: `FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20271231`.

Occurrences repeat by the day and keep the time of the first one on the clock, so rules have no hours, minutes or
seconds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from itertools import islice
from typing import Self

from django.utils.translation import gettext as _

from calendar_site.core.dates.conversion import resolve_local
from events.recurrence.days import WEEKDAYS, days_of_rule

MAX_RULE_LENGTH = 500
# The limit of rules that clients send. A series that is split gets a rule with UNTIL.
MAX_SENT_RULE_LENGTH = 450
MAX_INTERVAL = 1000
# The years in which a rule may end.
MIN_YEAR, MAX_YEAR = 1000, 9998

MAX_WEEKS_OF_MONTH = 5
# In this many years, each date falls on each weekday, in common and in leap years.
_CYCLE = (date(2000, 1, 1), date(2027, 12, 31))
# The largest number of each part; a negative one counts from the end, except for months.
NUMBERS = {"BYMONTH": 12, "BYWEEKNO": 53, "BYYEARDAY": 366, "BYMONTHDAY": 31, "BYSETPOS": 366}
# The parts of each frequency, as in the table of the RFC.
PARTS = {
    "DAILY": {"BYMONTH", "BYMONTHDAY", "BYDAY"},
    "WEEKLY": {"BYMONTH", "BYDAY", "BYSETPOS"},
    "MONTHLY": {"BYMONTH", "BYMONTHDAY", "BYDAY", "BYSETPOS"},
    "YEARLY": {"BYMONTH", "BYWEEKNO", "BYYEARDAY", "BYMONTHDAY", "BYDAY", "BYSETPOS"},
}
# The order of the parts in a rule.
ORDER = ("FREQ", "INTERVAL", "COUNT", "UNTIL", *NUMBERS, "BYDAY", "WKST")
WEEKDAY = re.compile(r"([+-]?\d{1,2})?(MO|TU|WE|TH|FR|SA|SU)", re.ASCII)
INTEGER = re.compile(r"[+-]?\d{1,9}", re.ASCII)
# The separators of parts and values, with spaces around them, as people and other programs write them (D46).
_SEPARATORS = re.compile(r"\s*([;=,])\s*")
UNTIL_FORMATS = ("%Y%m%dT%H%M%SZ", "%Y%m%dT%H%M%S", "%Y%m%d")


class InvalidRule(ValueError):
    """The text is no rule, or none that the service supports."""


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A recurrence rule by its parts."""

    frequency: str
    interval: int = 1
    count: int | None = None
    # The text in the rule: a day, a local time, or a moment in UTC.
    until: str = ""
    # The values of NUMBERS and BYDAY, as texts, in the order of the rule.
    by: dict[str, tuple[str, ...]]
    week_start: str = "MO"

    @classmethod
    def parse(cls, text: str, max_length: int = MAX_RULE_LENGTH) -> Self:
        """Return the rule. Raises InvalidRule with a message for the client."""
        text = _SEPARATORS.sub(r"\1", text.strip().upper().removeprefix("RRULE:"))
        parts: dict[str, str] = {}
        for part in filter(None, text.split(";")):
            name, _separator, value = part.partition("=")
            if name not in ORDER or name in parts or not value or len(text) > max_length:
                raise _invalid(part)
            parts[name] = value
        frequency = parts.get("FREQ", "")
        if frequency not in PARTS:
            raise _invalid(f"FREQ={frequency}")
        if "COUNT" in parts and "UNTIL" in parts:
            raise InvalidRule(_("A recurrence rule cannot contain both COUNT and UNTIL."))
        rule = cls(
            frequency=frequency,
            interval=_parse_number("INTERVAL", parts.get("INTERVAL", "1"), MAX_INTERVAL),
            count=_parse_number("COUNT", parts["COUNT"], 10**6) if "COUNT" in parts else None,
            until=_parse_until(parts["UNTIL"]) if "UNTIL" in parts else "",
            by={name: _parse_list(name, parts[name]) for name in ORDER if name.startswith("BY") and name in parts},
            week_start=parts.get("WKST", "MO"),
        )
        if rule.week_start not in WEEKDAYS:
            raise _invalid(f"WKST={rule.week_start}")
        rule._check_combinations()
        return rule

    @classmethod
    def parse_sent(cls, text: str) -> Self:
        """Return the rule that a client has sent. Raises InvalidRule, also if no day can ever match it."""
        rule = cls.parse(text, MAX_SENT_RULE_LENGTH)
        if rule.frequency == "MONTHLY" or "BYMONTH" in rule.by:
            for value in rule.by.get("BYDAY", ()):
                if abs(int(value[:-2] or 1)) > MAX_WEEKS_OF_MONTH:
                    raise _invalid(f"BYDAY={value}")
        if rule.never_matches():
            raise InvalidRule(
                _(
                    "No day ever matches the recurrence rule “%(rule)s”. Change its conditions, such as BYDAY, "
                    "BYMONTHDAY or BYSETPOS."
                )
                % {"rule": str(rule)[:100]}
            )
        return rule

    def never_matches(self) -> bool:
        """Return whether no day matches the rule, whatever the date of its first occurrence."""
        rule = replace(self, interval=1)
        # Only weeks take their weekday from the first occurrence. Other missing parts match from the first day of the
        # cycle if they match from any.
        takes_weekday = "BYWEEKNO" in rule.by and not rule.by.keys() & {"BYYEARDAY", "BYMONTHDAY", "BYDAY"}
        rules = [replace(rule, by={**rule.by, "BYDAY": (day,)}) for day in WEEKDAYS] if takes_weekday else [rule]
        return all(next(days_of_rule(rule, *_CYCLE), None) is None for rule in rules)

    def _check_combinations(self) -> None:
        """Raise InvalidRule for parts that the RFC does not allow together."""
        for name, values in self.by.items():
            has_ordinals = name == "BYDAY" and any(len(value) > 2 for value in values)
            takes_ordinals = self.frequency == "MONTHLY" or (self.frequency == "YEARLY" and "BYWEEKNO" not in self.by)
            # A week may belong to two months: positions within it would depend on the order of the parts.
            is_alone = name == "BYSETPOS" and (
                len(self.by) == 1 or (self.frequency == "WEEKLY" and "BYMONTH" in self.by)
            )
            if name not in PARTS[self.frequency] or (has_ordinals and not takes_ordinals) or is_alone:
                raise _invalid(f"{name}={','.join(values)}")

    def __str__(self) -> str:
        """Return the rule with its parts in the order of ORDER."""
        parts = {
            "FREQ": self.frequency,
            "INTERVAL": str(self.interval) if self.interval > 1 else "",
            "COUNT": str(self.count or ""),
            "UNTIL": self.until,
            **{name: ",".join(values) for name, values in self.by.items()},
            "WKST": self.week_start if self.week_start != "MO" else "",
        }
        return ";".join(f"{name}={parts[name]}" for name in ORDER if parts.get(name))

    def until_on_clock(self, tz: tzinfo) -> datetime:
        """Return the last local time at which an occurrence may start. A day counts until it ends."""
        if not self.until:
            return datetime.max
        until = _read_until(self.until)
        if self.until.endswith("Z"):
            return until.replace(tzinfo=UTC).astimezone(tz).replace(tzinfo=None)
        return until if "T" in self.until else until + timedelta(days=1, microseconds=-1)

    def last_day(self, start: datetime, tz: tzinfo) -> date:
        """Return the last day on which occurrences at the time of `start` may start, of a rule with UNTIL."""
        until = self.until_on_clock(tz)
        # The rule of a series that was split ends shortly before an occurrence.
        return (until if until.time() >= start.time() else until - timedelta(days=1)).date()

    def occurrences(self, start: datetime, last: datetime, tz: tzinfo) -> Iterator[datetime]:
        """Yield the local times from `start` to `last` at which occurrences start, in order.

        If `start` does not match the rule, the first occurrence is a later one.
        """
        end, time = min(last, self.until_on_clock(tz)), start.time().replace(microsecond=0)
        moments = (datetime.combine(day, time) for day in days_of_rule(self, start.date(), end.date()))
        return islice((moment for moment in moments if moment <= end), self.count)

    def ends_by(self, start: datetime, last: datetime, tz: tzinfo) -> bool:
        """Return whether COUNT or UNTIL ends the rule at `last` or before."""
        if self.count is None:
            return self.until_on_clock(tz) <= last
        return sum(1 for _moment in self.occurrences(start, last, tz)) == self.count

    def ending_before(self, occurrence: datetime, tz: tzinfo) -> Rule:
        """Return the rule that ends before an occurrence, by its local start."""
        until = resolve_local(occurrence, tz).astimezone(UTC) - timedelta(seconds=1)
        on_clock = until.astimezone(tz).replace(tzinfo=None)
        if on_clock >= occurrence:
            # The clock skips the start, so the event begins later: end before the clock is changed.
            until -= on_clock - occurrence + timedelta(seconds=1)
        return replace(self, until=until.strftime(UNTIL_FORMATS[0]), count=None)

    def ending_on(self, day: str) -> Rule:
        """Return the rule with this last day (`YYYYMMDD`), on which occurrences may still start."""
        return replace(self, until=day, count=None)

    def with_count(self, count: int) -> Rule:
        return replace(self, count=count)


def _invalid(part: str) -> InvalidRule:
    return InvalidRule(
        _(
            "Not a valid recurrence rule: “%(part)s”. Use the format of RFC 5545 with days, weeks, months or years, "
            "such as FREQ=WEEKLY;BYDAY=TU,TH."
        )
        % {"part": part[:50]}
    )


def _parse_number(name: str, text: str, maximum: int, *, is_signed: bool = False) -> int:
    number = int(text) if INTEGER.fullmatch(text) else 0
    if not number or abs(number) > maximum or (number < 0 and not is_signed):
        raise _invalid(f"{name}={text}")
    return number


def _parse_list(name: str, text: str) -> tuple[str, ...]:
    """Return the values of a part, without leading zeros and plus signs."""
    values = text.split(",")
    if name != "BYDAY":
        is_signed = name != "BYMONTH"
        numbers = (str(_parse_number(name, value, NUMBERS[name], is_signed=is_signed)) for value in values)
        return tuple(dict.fromkeys(numbers))
    days: list[str] = []
    for value in values:
        found = WEEKDAY.fullmatch(value)
        if not found or (found[1] and not 1 <= abs(int(found[1])) <= 53):
            raise _invalid(f"{name}={text}")
        days.append(f"{int(found[1]) if found[1] else ''}{found[2]}")
    return tuple(dict.fromkeys(days))


def _parse_until(text: str) -> str:
    try:
        _read_until(text)
    except ValueError as error:
        raise _invalid(f"UNTIL={text}") from error
    return text


def _read_until(text: str) -> datetime:
    parse: Callable[[str, str], datetime] = datetime.strptime
    formats = {16: UNTIL_FORMATS[0], 15: UNTIL_FORMATS[1], 8: UNTIL_FORMATS[2]}
    if len(text) not in formats:
        raise ValueError(text)
    moment = parse(text, formats[len(text)])
    if not MIN_YEAR <= moment.year <= MAX_YEAR:
        raise ValueError(text)
    return moment
