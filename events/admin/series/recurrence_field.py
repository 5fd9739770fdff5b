"""The form field in which users choose when an event repeats."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.http import QueryDict
from django.template.loader import render_to_string
from django.utils.dates import WEEKDAYS as WEEKDAY_NAMES
from django.utils.dates import WEEKDAYS_ABBR
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from calendar_site.back_office.forms.time_fields import DayInput
from calendar_site.back_office.urls import admin_url
from calendar_site.core.text.plain_text import join_label
from events.admin.series.recurrence import DAY_LENGTH, Recurrence
from events.models import Event, Series
from events.recurrence.days import WEEKDAYS
from events.recurrence.rules import MAX_INTERVAL, MAX_SENT_RULE_LENGTH, MAX_YEAR, MIN_YEAR, InvalidRule, Rule
from events.recurrence.sentences import is_described

DATES, RULE = "DATES", "RULE"
SCRIPT, STYLE = "back_office/recurrence.js", "back_office/recurrence.css"
MAX_DATES_LENGTH = 30_000
FREQUENCIES = (
    ("", gettext_lazy("Does not repeat")),
    ("DAILY", gettext_lazy("Daily")),
    ("WEEKLY", gettext_lazy("Weekly")),
    ("MONTHLY", gettext_lazy("Monthly")),
    ("YEARLY", gettext_lazy("Yearly")),
    (DATES, gettext_lazy("On chosen dates")),
    (RULE, gettext_lazy("By a rule (RFC 5545)")),
)
UNITS = {
    "DAILY": gettext_lazy("days"),
    "WEEKLY": gettext_lazy("weeks"),
    "MONTHLY": gettext_lazy("months"),
    "YEARLY": gettext_lazy("years"),
}
DAY_OF_MONTH, DAY_OF_WEEK = "day", "weekday"
NEVER, UNTIL, COUNT = "never", "until", "count"
POSITIONS = (
    ("1", pgettext_lazy("a weekday of a month", "First")),
    ("2", pgettext_lazy("a weekday of a month", "Second")),
    ("3", pgettext_lazy("a weekday of a month", "Third")),
    ("4", pgettext_lazy("a weekday of a month", "Fourth")),
    ("-1", pgettext_lazy("a weekday of a month", "Last")),
)
INITIAL = {"interval": 1, "month_by": DAY_OF_MONTH, "position": "1", "weekday": "MO", "ends": NEVER}


class RecurrenceInputs(forms.Form):
    """The inputs of the field, most of which depend on `frequency`."""

    use_required_attribute = False

    frequency = forms.ChoiceField(label=gettext_lazy("Repeats"), choices=FREQUENCIES, required=False)
    interval = forms.IntegerField(
        label=pgettext_lazy("an interval: every … weeks", "Every"),
        min_value=1,
        max_value=MAX_INTERVAL,
        required=False,
    )
    days = forms.MultipleChoiceField(
        label=gettext_lazy("On these days"), required=False, widget=forms.CheckboxSelectMultiple
    )
    month_by = forms.ChoiceField(
        label=gettext_lazy("Each month"),
        choices=((DAY_OF_MONTH, gettext_lazy("On a day of the month")), (DAY_OF_WEEK, gettext_lazy("On a weekday"))),
        required=False,
    )
    month_day = forms.ChoiceField(label=gettext_lazy("Day of the month"), required=False)
    position = forms.ChoiceField(label=gettext_lazy("Position in the month"), choices=POSITIONS, required=False)
    weekday = forms.ChoiceField(label=gettext_lazy("Weekday"), required=False)
    rule = forms.CharField(
        label=gettext_lazy("Rule"),
        max_length=MAX_SENT_RULE_LENGTH,
        required=False,
        widget=forms.TextInput({"placeholder": "FREQ=WEEKLY;BYDAY=TU,TH", "autocomplete": "off"}),
    )
    ends = forms.ChoiceField(
        label=gettext_lazy("Stops"),
        choices=(
            (NEVER, gettext_lazy("Never")),
            (UNTIL, gettext_lazy("On a date")),
            (COUNT, gettext_lazy("After a number of times")),
        ),
        required=False,
    )
    until = forms.DateField(label=gettext_lazy("Last day"), required=False, widget=DayInput())
    count = forms.IntegerField(
        label=gettext_lazy("Number of times"), min_value=1, max_value=Series.MAX_OCCURRENCES, required=False
    )
    rdate = forms.CharField(
        label=gettext_lazy("Additional dates"), max_length=MAX_DATES_LENGTH, required=False, widget=forms.TextInput
    )
    exdate = forms.CharField(
        label=gettext_lazy("Dates without an event"),
        max_length=MAX_DATES_LENGTH,
        required=False,
        widget=forms.TextInput,
    )

    def __init__(self, data: Any = None, **kwargs: Any) -> None:
        super().__init__(data, label_suffix="", **kwargs)
        fields: dict[str, Any] = self.fields
        names = list(zip(WEEKDAYS, WEEKDAY_NAMES.values(), strict=True))
        fields["days"].choices = list(zip(WEEKDAYS, WEEKDAYS_ABBR.values(), strict=True))
        fields["weekday"].choices = names
        fields["month_day"].choices = [
            ("", _("Day of the first event")),
            *((str(day), str(day)) for day in range(1, 32)),
            ("-1", _("Last day of the month")),
        ]

    def clean_rdate(self) -> tuple[str, ...]:
        return _parse_dates(self.cleaned_data["rdate"])

    def clean_exdate(self) -> tuple[str, ...]:
        return _parse_dates(self.cleaned_data["exdate"])

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if not self.errors:
            data["recurrence"] = self._recurrence(data)
        return data

    def _recurrence(self, data: dict[str, Any]) -> Recurrence | None:
        """Return the chosen recurrence; None if the event does not repeat. Raises ValidationError."""
        frequency = data["frequency"]
        if not frequency:
            return None
        if frequency == DATES:
            if not data["rdate"]:
                raise ValidationError(_("Add at least one date."))
            return Recurrence("", data["rdate"], data["exdate"])
        if frequency == RULE and not data["rule"]:
            raise ValidationError(_("Enter a recurrence rule."))
        text = data["rule"] if frequency == RULE else ";".join([*_rule_parts(data), *_end_parts(data)])
        try:
            rule = Rule.parse_sent(text)
        except InvalidRule as error:
            raise ValidationError(str(error)) from error
        return Recurrence(str(rule), data["rdate"], data["exdate"])

    @property
    def error_sentences(self) -> list[str]:
        """Return the errors, each after the label of its input."""
        sentences = []
        for name, errors in self.errors.items():
            label = "" if name == NON_FIELD_ERRORS else str(self.fields[name].label)
            sentences += [join_label(label, str(error)) if label else str(error) for error in errors]
        return sentences


def bind_inputs(values: dict[str, list[str]], name: str = "recurrence") -> RecurrenceInputs:
    """Return the form with what a client sent, by the names of its fields. `name` is that of the whole field."""
    data = QueryDict(mutable=True)
    for key, items in values.items():
        data.setlist(f"{name}-{key}", items)
    return RecurrenceInputs(data, prefix=name)


def _initial_inputs(text: str, name: str) -> RecurrenceInputs:
    recurrence = Recurrence.from_text(text)
    dates = {"rdate": ", ".join(recurrence.rdate), "exdate": ", ".join(recurrence.exdate)}
    initial: dict[str, Any] = {**INITIAL, **dates}
    if recurrence.rrule:
        initial |= _initial_rule(Rule.parse(recurrence.rrule))
    elif text:
        initial["frequency"] = DATES
    return RecurrenceInputs(prefix=name, initial=initial)


def _initial_rule(rule: Rule) -> dict[str, Any]:
    """Return the initial values for a rule; the rule itself if there are no inputs for it."""
    # A rule that was sent to the API may end at a time of the day.
    if not is_described(rule) or "T" in rule.until:
        return {"frequency": RULE, "rule": str(rule)}
    initial: dict[str, Any] = {"frequency": rule.frequency, "interval": rule.interval}
    if rule.frequency == "WEEKLY":
        initial["days"] = list(rule.by.get("BYDAY", ()))
    elif weekday := rule.by.get("BYDAY"):
        initial |= {"month_by": DAY_OF_WEEK, "position": weekday[0][:-2], "weekday": weekday[0][-2:]}
    elif day := rule.by.get("BYMONTHDAY"):
        initial["month_day"] = day[0]
    if rule.until:
        initial |= {"ends": UNTIL, "until": datetime.strptime(rule.until, "%Y%m%d").date()}
    elif rule.count:
        initial |= {"ends": COUNT, "count": rule.count}
    return initial


def _rule_parts(data: dict[str, Any]) -> list[str]:
    """Return the parts of the rule, without its end."""
    parts = [f"FREQ={data['frequency']}", f"INTERVAL={data['interval'] or 1}"]
    if data["frequency"] == "WEEKLY" and data["days"]:
        parts.append(f"BYDAY={','.join(data['days'])}")
    if data["frequency"] == "MONTHLY" and data["month_by"] == DAY_OF_WEEK:
        parts.append(f"BYDAY={data['position'] or 1}{data['weekday'] or 'MO'}")
    elif data["frequency"] == "MONTHLY" and data["month_day"]:
        parts.append(f"BYMONTHDAY={data['month_day']}")
    return parts


def _end_parts(data: dict[str, Any]) -> list[str]:
    """Return the part of the rule that ends it, if any. Raises ValidationError."""
    if data["ends"] == UNTIL:
        if not data["until"]:
            raise ValidationError(_("Enter the last day."))
        return [f"UNTIL={data['until']:%Y%m%d}"]
    if data["ends"] == COUNT:
        if not data["count"]:
            raise ValidationError(_("Enter the number of times."))
        return [f"COUNT={data['count']}"]
    return []


def _parse_dates(text: str) -> tuple[str, ...]:
    """Return days, or local times, from a text that separates them with commas. Raises ValidationError."""
    dates = sorted({part.strip() for part in text.split(",") if part.strip()})
    if len(dates) > Series.MAX_DATES:
        limit = Series.MAX_DATES
        raise ValidationError(ngettext("At most %(limit)d date.", "At most %(limit)d dates.", limit) % {"limit": limit})
    return tuple(map(_parse_date, dates))


def _parse_date(text: str) -> str:
    try:
        parsed = datetime.fromisoformat(text) if len(text) > DAY_LENGTH else date.fromisoformat(text)
    except ValueError:
        parsed = date.min
    if not MIN_YEAR <= parsed.year <= MAX_YEAR or getattr(parsed, "tzinfo", None):
        message = _("%(date)s is not a date. Use year, month and day, such as 2027-03-10.")
        raise ValidationError(message % {"date": text[:40]})
    return parsed.isoformat(" ", "seconds") if isinstance(parsed, datetime) else parsed.isoformat()


class RecurrenceInput(forms.Widget):
    """The inputs of a recurrence, below which a script shows a preview of the dates."""

    # Whether the event may also not repeat.
    can_be_single = True

    class Media:
        css = {"all": (STYLE,)}
        js = (SCRIPT,)

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        prefix = f"{name}-"
        return {key.removeprefix(prefix): data.getlist(key) for key in data if key.startswith(prefix)}

    def value_omitted_from_data(self, data: Any, files: Any, name: str) -> bool:
        return f"{name}-frequency" not in data

    def id_for_label(self, id_: str) -> str:
        return f"{id_}-frequency" if id_ else id_

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        inputs = bind_inputs(value, name) if isinstance(value, dict) else _initial_inputs(value or "", name)
        fields: dict[str, Any] = inputs.fields
        if not self.can_be_single:
            fields["frequency"].choices = FREQUENCIES[1:]
        context = {
            "inputs": inputs,
            "preview_url": admin_url(Event, "series_preview"),
            "units": UNITS,
            "described_by": (attrs or {}).get("aria-describedby", ""),
        }
        return render_to_string("admin/events/series/recurrence.html", context)


class RecurrenceField(forms.Field):
    """The value is a Recurrence, or None for an event that does not repeat; the initial value is that as text."""

    widget = RecurrenceInput

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, **kwargs)

    def clean(self, value: Any) -> Recurrence | None:
        if not isinstance(value, dict):
            return Recurrence.from_text(value) if value else None
        inputs = bind_inputs(value)
        if not inputs.is_valid():
            raise ValidationError(inputs.error_sentences)
        recurrence: Recurrence | None = inputs.cleaned_data["recurrence"]
        return recurrence

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return str(self.clean(initial) or "") != str(self.clean(data) or "")
        except ValidationError:
            return True
