"""Changing the title, times, status and venues of an event in a dialog of the list."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.template.response import TemplateResponse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from calendar_site.back_office.forms.record_fields import OrderedRecordSelectMultiple, OrderedRecordsField
from calendar_site.back_office.urls import admin_url
from calendar_site.core import permissions
from calendar_site.core.choices import Status
from calendar_site.core.date_parser import parse_wire_date
from calendar_site.core.permissions import visible_q
from calendar_site.core.request_context import current_request_id
from calendar_site.core.types import AnyUser
from calendar_site.core.write_lock import write_lock
from events.models import Event, EventVenue
from events.schedule import zone_of
from events.services import save_event
from venues.models import Venue

if TYPE_CHECKING:
    from events.admin.event_admin import EventAdmin

STATUSES = (Status.DRAFT, Status.PENDING, Status.PUBLISH, Status.PRIVATE)
MINUTES = "%Y-%m-%dT%H:%M"
SELECT_PARENT = "#quick-edit"


class QuickEditForm(forms.Form):
    """The fields of the dialog. Times are those of the event's own time zone; all-day events have none."""

    title = forms.CharField(label=gettext_lazy("Title"), max_length=Event._meta.get_field("title").max_length)
    # The revision that the dialog shows.
    revision = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, model_admin: EventAdmin, request: HttpRequest, event: Event) -> None:
        self.event = event
        links = EventVenue.objects.filter(visible_q(request.user, Venue, "venue__"), event=event)
        statuses = _statuses(request.user, event)
        initial = {
            "title": event.title,
            "revision": _newest_revision(event),
            "status": _shown_status(event),
            "venues": [link.venue_id for link in links],
            "start": datetime.fromisoformat(event.start_local).strftime(MINUTES),
            "end": datetime.fromisoformat(event.end_local).strftime(MINUTES),
        }
        super().__init__(request.POST if request.method == "POST" else None, initial=initial, label_suffix="")
        if not event.all_day:
            clock = forms.DateTimeInput(attrs={"type": "datetime-local"})
            # Text, because it is a local time of the event's zone, and is compared with the shown text.
            self.fields["start"] = forms.CharField(label=_("Starts"), widget=clock)
            self.fields["end"] = forms.CharField(label=_("Ends"), widget=clock)
        self.fields["status"] = forms.ChoiceField(
            label=_("Status"), choices=[(status.value, status.label) for status in statuses]
        )
        field = Event._meta.get_field("venues")
        attrs = {"data-ordered": "true", "data-dropdown-parent": SELECT_PARENT}
        self.fields["venues"] = OrderedRecordsField(
            Venue.objects.visible_to(request.user),
            required=False,
            label=capfirst(field.verbose_name),
            widget=OrderedRecordSelectMultiple(field, model_admin.admin_site, attrs=attrs),
        )

    def clean_revision(self) -> None:
        newest = _newest_revision(self.event)
        if self.cleaned_data["revision"] != newest:
            # The user can save after checking.
            sent: Any = self.data
            self.data = sent.copy()
            self.data["revision"] = str(newest)  # type: ignore[index]
            raise ValidationError(_("Someone changed this record in the meantime. Check again what will change."))

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        zone = zone_of(self.event)
        for name in {"start", "end"} & set(self.changed_data) & data.keys():
            try:
                data[name] = parse_wire_date(data[name], zone)
            except ValueError as error:
                self.add_error(name, str(error))
        start, end = (self._moment(data, name) for name in ("start", "end"))
        if start and end and end < start:
            self.add_error("end", _("An event cannot end before it starts."))
        return data

    def _moment(self, data: dict[str, Any], name: str) -> datetime | None:
        value = data.get(name)
        return getattr(self.event, name) if isinstance(value, str) else value

    @property
    def changes(self) -> Any:
        """Return the changed values, as the service takes them."""
        return {name: self.cleaned_data[name] for name in self.changed_data if name != "revision"}


def quick_edit_view(request: HttpRequest, *, object_id: str, model_admin: EventAdmin) -> HttpResponse:
    """Return the form of the dialog as HTML; save it, and return JSON with a message and the URL that undoes it."""
    if request.method == "POST":
        with write_lock():
            return _quick_edit(request, object_id, model_admin)
    return _quick_edit(request, object_id, model_admin)


def _quick_edit(request: HttpRequest, object_id: str, model_admin: EventAdmin) -> HttpResponse:
    event = model_admin.get_object(request, unquote(object_id))
    if event is None:
        raise Http404
    if event.status == Status.TRASH or not permissions.can_edit(request.user, event):
        raise PermissionDenied
    form = QuickEditForm(model_admin, request, event)
    if form.is_bound and form.is_valid():
        try:
            save_event(event, changes=form.changes, user=request.user)
        except ValidationError as error:
            form.add_error(None, ValidationError(error.messages))
        else:
            undo = f"{admin_url(Event, 'undo')}?request={current_request_id()}"
            return JsonResponse({"message": _("Changed: %(titles)s.") % {"titles": event}, "undo": undo})
    context = {"form": form, "event": event, "url": admin_url(Event, "quick_edit", event.pk)}
    status = 400 if form.is_bound else 200
    return TemplateResponse(request, "admin/events/event/quick_edit.html", context, status=status)


def _statuses(user: AnyUser, event: Event) -> list[Status]:
    """Return the statuses that the user may set, and the current one."""
    statuses = [status for status in STATUSES if permissions.allowed_status(user, Event, status) == status]
    current = _shown_status(event)
    return statuses if current in statuses else [*statuses, current]


def _shown_status(event: Event) -> Status:
    """Return the status as forms show it: whether a published event is scheduled depends on its date."""
    return Status.PUBLISH if event.status == Status.FUTURE else Status(event.status)


def _newest_revision(event: Event) -> int:
    history: Any = Event.history
    return int(history.filter(id=event.pk).order_by("-history_id").values_list("history_id", flat=True).first() or 0)
