"""The form of an event."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.widgets import UnfoldAdminTextInputWidget

from calendar_site.back_office.forms.content import ContentForm
from calendar_site.back_office.forms.record_fields import OrderedRecordsField
from calendar_site.back_office.forms.time_fields import LocalTimeField, SiteTimeZoneField, to_input_value
from calendar_site.back_office.urls import admin_url
from calendar_site.core.dates.conversion import Zone, parse_zone, site_zone, to_wire
from events.admin.live_hints import (
    COST_HINT_FIELDS,
    TIMES_HINT_FIELDS,
    describe_cost,
    describe_times,
    hint_at_cost,
    hint_at_times,
    hint_output,
)
from events.admin.series.recurrence import Recurrence
from events.admin.series.recurrence_field import RecurrenceField
from events.admin.series.repeating import can_repeat
from events.admin.series.scope import ALL, OF_SINGLE_EVENTS, THIS, THIS_AND_FOLLOWING, can_choose_scope, scope_field
from events.admin.time_display import DEFAULT_DURATION, DEFAULT_START_TIME
from events.costs import MAX_COST_LENGTH, cost_of
from events.models import Event
from events.schedule import SCHEDULE_FIELDS, order_error, zone_of
from organizers.models import Organizer
from venues.models import Venue

WITH_DEFAULT = ("event_status", "attendance_mode")
PASSWORD_LENGTH = Event._meta.get_field("password").max_length


class EventForm(ContentForm):
    """An event, with times in its own time zone."""

    class Media:
        js = ("back_office/event_form.js",)

    class Meta(ContentForm.Meta):
        labels = {**ContentForm.Meta.labels, "website": gettext_lazy("Event website")}
        help_texts = {
            **ContentForm.Meta.help_texts,
            "featured": gettext_lazy("Websites can highlight this event."),
            "sticky": gettext_lazy("Websites can keep this event at the top of their lists."),
            "hide_from_listings": gettext_lazy("Leaves the event out of lists. Visitors can still open its URL."),
            "show_map": gettext_lazy("Websites can show the venue on a map."),
            "show_map_link": gettext_lazy("The event page links to a map of the venue."),
            "website": gettext_lazy("For example the page of a ticket shop."),
            "event_status": gettext_lazy("Visitors see it if the event does not take place as planned."),
            "event_status_reason": gettext_lazy("For example “The singer is ill”. Visitors can read it."),
            "online_url": gettext_lazy("Where people attend the event online."),
            "hide_online_url": gettext_lazy("Visitors see the online URL only from one hour before the start."),
            "accessibility": gettext_lazy("In addition to what the venue has."),
            "parent": gettext_lazy("The larger event that this event is part of, such as a festival."),
        }

    model_names = {
        **ContentForm.model_names,
        "ordered_venues": "venues",
        "ordered_organizers": "organizers",
        "recurrence": "rrule",
    }

    start = LocalTimeField(label=gettext_lazy("Starts"))
    end = LocalTimeField(label=gettext_lazy("Ends"))
    time_zone = SiteTimeZoneField(
        label=gettext_lazy("Time zone"),
        required=False,
        help_text=gettext_lazy("The times above are in this time zone. Leave empty to use the site's time zone."),
    )
    previous_start = LocalTimeField(
        label=gettext_lazy("Previous start"),
        required=False,
        help_text=gettext_lazy(
            "When the event was to start at first. Leave empty to use the start before this change."
        ),
    )
    cost = forms.CharField(
        label=gettext_lazy("Cost"),
        required=False,
        max_length=MAX_COST_LENGTH,
        widget=UnfoldAdminTextInputWidget,
        help_text=gettext_lazy(
            "For example 10, $10 – $30 or Free. A number without a currency uses the site's currency."
        ),
    )
    password = forms.CharField(
        label=gettext_lazy("Password"),
        required=False,
        strip=False,
        max_length=PASSWORD_LENGTH,
        help_text=gettext_lazy(
            "Visitors without the password see only the title and dates. Leave empty for no password protection."
        ),
        widget=UnfoldAdminTextInputWidget({"autocomplete": "off"}),
    )
    recurrence = RecurrenceField(label=gettext_lazy("Repeats"))
    # Under other names: Django's admin does not accept a relation with a `through` model as a field.
    ordered_venues = OrderedRecordsField(Venue.objects.none())
    ordered_organizers = OrderedRecordsField(Organizer.objects.none())

    def prepare(self) -> None:
        super().prepare()
        event: Any = self.instance
        self._set_initial_zone()
        # Anything in the URL of the form.
        self.initial.pop("recurrence", None)
        if event.pk:
            # The input of a whole day has no time.
            shown = 10 if event.all_day else None
            self.initial["start"] = to_input_value(event.start_local)[:shown]
            self.initial["end"] = to_input_value(event.end_local)[:shown]
        if event.previous_start:
            previous = event.previous_start.astimezone(zone_of(event).tz)
            self.initial["previous_start"] = to_input_value(to_wire(previous))
        for name in WITH_DEFAULT:
            if name in self.fields:
                self.fields[name].required = False
        if "recurrence" in self.fields and not can_repeat(self.user, event):
            del self.fields["recurrence"]
        if can_choose_scope(self.user, event):
            self.fields["scope"], self.initial["scope"] = scope_field(event), THIS
        self._set_default_times()
        self._set_default_zone()
        self._add_hints()
        if event.pk:
            # Links that the user may not see are kept by the service.
            self.initial["ordered_venues"] = [link.venue_id for link in event.visible_venues]
            self.initial["ordered_organizers"] = [link.organizer_id for link in event.visible_organizers]
        if event.parent_id and not Event.objects.visible_to(self.user).filter(pk=event.parent_id).exists():
            self.initial["parent"] = None

    def _set_initial_zone(self) -> None:
        """Show the zone of the event; a new one may have another than that of the site, and so may its URL."""
        zone = zone_of(self.instance).name
        if self.instance.pk:
            self.initial["time_zone"] = zone
        else:
            self.initial.setdefault("time_zone", zone)

    def _set_default_times(self) -> None:
        """Pass the default times to the script, which fills them in for events without times."""
        start = datetime.combine(date.min, DEFAULT_START_TIME)
        for name, moment in (("start", start), ("end", start + DEFAULT_DURATION)):
            self.fields[name].widget.attrs["data-time"] = f"{moment:%H:%M}"
        self.fields["start"].widget.attrs["data-written-times-url"] = admin_url(Event, "written_times")
        self.fields["end"].widget.attrs["data-minutes"] = DEFAULT_DURATION // timedelta(minutes=1)

    def _set_default_zone(self) -> None:
        """Pass the site's zone to the script, which hides it, and takes the zone of the venue for new events."""
        attrs = self.fields["time_zone"].widget.attrs
        attrs["data-site-zone"] = site_zone().name
        if not self.instance.pk:
            attrs["data-venue-zone-url"] = admin_url(Event, "venue_zone")

    def _add_hints(self) -> None:
        """Add the hints below the fields, which a script updates."""
        event, data = self.instance, self.data if self.is_bound else self.initial
        if event.pk and not self.is_bound:
            times = describe_times(event.start, event.end, zone=zone_of(event), is_all_day=event.all_day)
            cost = describe_cost(cost_of(event))
        else:
            times = hint_at_times(data).text
            cost = hint_at_cost(data).text
        for name, hint in (
            ("time_zone", hint_output("times_hint", TIMES_HINT_FIELDS, times)),
            ("cost", hint_output("cost_hint", COST_HINT_FIELDS, cost)),
        ):
            help_text = format_html('<span class="hint-help">{}</span> {}', self.fields[name].help_text, hint)
            self.fields[name].help_text = help_text

    @property
    def changes(self) -> dict[str, Any]:
        """Return the values for the service that saves the event, without the recurrence and the scope."""
        return {name: value for name, value in super().changes.items() if name not in ("rrule", "scope")}

    @property
    def recurrence_value(self) -> Recurrence | None:
        """Return when the event repeats; None if it does not, or is in a series already."""
        value: Recurrence | None = self.cleaned_data.get("recurrence")
        return value

    @property
    def scope(self) -> str:
        """Return which events of the series to change."""
        return self.cleaned_data.get("scope") or THIS

    def clean(self) -> dict[str, Any]:
        for name in WITH_DEFAULT:
            # A form without the field keeps the value.
            if name in self.fields and not self.cleaned_data.get(name) and name not in self.errors:
                self.cleaned_data[name] = getattr(self.instance, name)
        if "time_zone" in self.cleaned_data:
            self.parse_times(parse_zone(self.cleaned_data["time_zone"]), "start", "end", "previous_start")
            self.cleaned_data["previous_start"] = self.cleaned_data.get("previous_start") or None
        # A time that occurs twice when daylight saving time ends is parsed as its first occurrence, but a saved time
        # may be the second: times are checked only if they were changed.
        if not self.instance.pk or not set(SCHEDULE_FIELDS).isdisjoint(self.changed_data):
            self._check_order()
        if self.scope in (THIS_AND_FOLLOWING, ALL):
            self._check_day()
        if not self.instance.pk and self.recurrence_value is not None:
            self._check_fields_of_series()
        return super().clean()

    def _check_fields_of_series(self) -> None:
        """Add an error to each field with a value that the events of a new series would not get."""
        for name in OF_SINGLE_EVENTS:
            # The page fills in a slug while the title is typed: each event gets one of its own.
            if name in self.changed_data and name != "slug":
                self.add_error(
                    name, _("A series has no such value. Create the series without it, and change its events then.")
                )

    def _check_day(self) -> None:
        """Add an error if the day was changed: it depends on the rule of the series."""
        start = self.cleaned_data.get("start")
        if isinstance(start, datetime) and start.date() != date.fromisoformat(self.instance.start_local[:10]):
            self.add_error("start", _("To move several events to other days, change when the series repeats."))

    def _check_order(self) -> None:
        start, end = self.cleaned_data.get("start"), self.cleaned_data.get("end")
        if not start or not end:
            return
        if error := order_error(start, end, is_all_day=bool(self.cleaned_data.get("all_day"))):
            self.add_error("end", error)


def entered_zone(request: HttpRequest) -> Zone | None:
    """Return the time zone that the form was sent with; None if it was not sent or is unknown."""
    if request.method != "POST":
        return None
    try:
        return parse_zone(EventForm.base_fields["time_zone"].clean(request.POST.get("time_zone", "")))
    except ValidationError:
        return None
