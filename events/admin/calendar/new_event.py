"""The small form of a new event, which opens at an empty time of the calendar: title, times and venues."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.template.response import TemplateResponse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from calendar_site.back_office.content.content_admin import ContentModelAdmin
from calendar_site.back_office.forms.record_fields import OrderedRecordSelectMultiple, OrderedRecordsField
from calendar_site.back_office.forms.time_fields import LAST_TIMES
from calendar_site.back_office.urls import admin_url
from calendar_site.core import permissions
from calendar_site.core.dates.conversion import site_zone
from calendar_site.core.dates.parser import parse_wire_date
from events.models import Event
from events.schedule import order_error
from venues.models import Venue

TIMES = ("start", "end")
DIALOG = "#new-event"


class NewEventForm(forms.Form):
    """The fields of the dialog. Times are those of the site's time zone."""

    def __init__(self, model_admin: ContentModelAdmin, request: HttpRequest) -> None:
        # The page has other fields with the usual ids.
        data = request.POST if request.method == "POST" else None
        super().__init__(data, initial=request.GET.dict(), label_suffix="", auto_id="new_event_%s")
        column = Event._meta.get_field("venues")
        attrs = {"data-ordered": "true", "data-dropdown-parent": DIALOG}
        widget = OrderedRecordSelectMultiple(column, model_admin.admin_site, attrs=attrs)
        title: Any = Event._meta.get_field("title")
        self.fields["title"] = title.formfield(label=_("Title"), widget=forms.TextInput({"autocomplete": "off"}))
        self.fields["start"] = self._time_field(_("Starts"))
        self.fields["end"] = self._time_field(_("Ends"))
        self.fields["venues"] = OrderedRecordsField(
            Venue.objects.visible_to(request.user), required=False, label=capfirst(column.verbose_name), widget=widget
        )

    @staticmethod
    def _time_field(label: str) -> forms.Field:
        attrs = {"type": "datetime-local", "max": LAST_TIMES["datetime-local"]}
        return forms.CharField(label=label, widget=forms.TextInput(attrs))

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        for name in TIMES:
            if name in data:
                data[name] = self._parse(name, data[name])
        start, end = (data.get(name) for name in TIMES)
        if start and end and (wrong_order := order_error(start, end)):
            self.add_error("end", wrong_order)
        return data

    def _parse(self, name: str, text: str) -> datetime | None:
        try:
            return parse_wire_date(text, site_zone())
        except ValueError as error:
            self.add_error(name, str(error))
            return None


def new_event_view(request: HttpRequest, *, model_admin: ContentModelAdmin) -> HttpResponse:
    """Return the form of the dialog as HTML, with `start` and `end` of the query; save it; return empty JSON.

    The message with what was saved is on the next page, like that of the whole form.
    """
    if request.method not in ("GET", "POST"):
        return HttpResponseNotAllowed(["GET", "POST"])
    if not model_admin.has_add_permission(request):
        raise PermissionDenied
    form = NewEventForm(model_admin, request)
    if form.is_bound and form.is_valid():
        event = Event()
        try:
            model_admin.services.save(event, changes=form.cleaned_data, user=request.user)
        except ValidationError as error:
            form.add_error(None, ValidationError(error.messages))
        else:
            _report(model_admin, request, event)
            return JsonResponse({})
    publishes = permissions.can_publish(request.user, Event)
    context = {
        "form": form,
        "url": admin_url(Event, "new"),
        "form_url": admin_url(Event, "add"),
        "button": _("Publish") if publishes else _("Save draft"),
    }
    return TemplateResponse(request, "admin/events/event/new_event.html", context, status=400 if form.is_bound else 200)


def _report(model_admin: ContentModelAdmin, request: HttpRequest, event: Event) -> None:
    request.saved_row, request.is_new_row = event, True  # type: ignore[attr-defined]
    text = _("Added: %(titles)s.") % {"titles": event}
    model_admin.message_user(request, text, messages.SUCCESS)
    model_admin.show_warnings(request, event, {"title", *TIMES})
