"""Quick edit of an event: its title, times, status and venues."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from calendar_site.back_office.base.quick_edit import QuickEditForm
from calendar_site.back_office.forms.record_fields import OrderedRecordSelectMultiple, OrderedRecordsField
from calendar_site.back_office.forms.time_fields import LAST_TIMES
from calendar_site.core.dates.parser import parse_wire_date
from calendar_site.core.permissions import visible_q
from events.models import Event, EventVenue
from events.schedule import order_error, zone_of
from venues.models import Venue

MINUTES = "%Y-%m-%dT%H:%M"
TIMES = ("start", "end")
SELECT_PARENT = "#quick-edit"


class EventQuickEditForm(QuickEditForm):
    """The fields of the dialog. Times are those of the event's own time zone; all-day events have none."""

    def get_names(self) -> list[str]:
        return [name for name in super().get_names() if not (self.row.all_day and name in TIMES)]

    def make_field(self, name: str) -> tuple[forms.Field, Any]:
        if name in TIMES:
            return self._time_field(name)
        if name == "venues":
            return self._venues_field()
        return super().make_field(name)

    def _time_field(self, name: str) -> tuple[forms.Field, Any]:
        """Return a field of text: a local time of the event's zone, which is compared with the shown text."""
        label = {"start": _("Starts"), "end": _("Ends")}[name]
        local = datetime.fromisoformat(getattr(self.row, f"{name}_local"))
        widget = forms.DateTimeInput(attrs={"type": "datetime-local", "max": LAST_TIMES["datetime-local"]})
        return forms.CharField(label=label, widget=widget), local.strftime(MINUTES)

    def _venues_field(self) -> tuple[forms.Field, Any]:
        column = Event._meta.get_field("venues")
        attrs = {"data-ordered": "true", "data-dropdown-parent": SELECT_PARENT}
        field = OrderedRecordsField(
            Venue.objects.visible_to(self.user),
            required=False,
            label=capfirst(column.verbose_name),
            widget=OrderedRecordSelectMultiple(column, self.model_admin.admin_site, attrs=attrs),
        )
        links = EventVenue.objects.filter(visible_q(self.user, Venue, "venue__"), event=self.row)
        return field, [link.venue_id for link in links]

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        zone = zone_of(self.row)
        for name in set(TIMES) & set(self.changed_data) & data.keys():
            try:
                data[name] = parse_wire_date(data[name], zone)
            except ValueError as error:
                self.add_error(name, str(error))
        start, end = (self._moment(data, name) for name in TIMES)
        if start and end and (wrong_order := order_error(start, end)):
            self.add_error("end", wrong_order)
        return data

    def _moment(self, data: dict[str, Any], name: str) -> datetime | None:
        value = data.get(name)
        return getattr(self.row, name) if isinstance(value, str) else value
