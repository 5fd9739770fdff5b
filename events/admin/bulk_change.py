"""Actions that ask for values and then change, or duplicate, all selected events."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from datetime import date, timedelta
from functools import partial
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin import ModelAdmin
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from calendar_site.back_office.base.action_page import action_page
from calendar_site.back_office.content.row_actions import check_editable, check_not_trashed, run_on_each
from calendar_site.back_office.forms.image_picker import ImagePicker
from calendar_site.back_office.forms.record_fields import RecordSelectMultiple, RecordsField
from calendar_site.back_office.forms.time_fields import DayInput
from calendar_site.core.permissions import selectable_statuses, visible_q
from calendar_site.core.types import AnyUser
from calendar_site.media.models import Image
from calendar_site.review.services import save_or_approve
from events.admin.actions import may_create
from events.admin.warnings import warn_of_events
from events.models import Event, EventOrganizer
from events.services import duplicate_event, event_services, shifted_times
from organizers.models import Organizer
from taxonomy.admin.fields import CategoriesField

MAX_SHIFT_DAYS = 3660
MAX_SHIFT_MINUTES = 1440
# So many days later it is the same weekday, a year later.
WEEKDAY_NEXT_YEAR = 52 * 7
MAX_COPIES = 52
RELATIONS = ("categories", "tags", "organizers")


class BulkChangeForm(forms.Form):
    """The changes to make to all selected events. Empty fields change nothing."""

    featured = forms.ChoiceField(
        label=gettext_lazy("Featured"),
        choices=[("", gettext_lazy("No change")), ("yes", gettext_lazy("Yes")), ("no", gettext_lazy("No"))],
        required=False,
    )
    days = forms.IntegerField(
        label=gettext_lazy("Move by days"),
        min_value=-MAX_SHIFT_DAYS,
        max_value=MAX_SHIFT_DAYS,
        required=False,
        help_text=gettext_lazy("For example 7 for a week later, or -1 for a day earlier."),
    )
    minutes = forms.IntegerField(
        label=gettext_lazy("Move by minutes"),
        min_value=-MAX_SHIFT_MINUTES,
        max_value=MAX_SHIFT_MINUTES,
        required=False,
        help_text=gettext_lazy("For example 30 for half an hour later, or -60 for an hour earlier."),
    )

    def __init__(self, model_admin: ModelAdmin, request: HttpRequest) -> None:
        super().__init__(request.POST if "bulk" in request.POST else None, label_suffix="")
        user = request.user
        statuses = selectable_statuses(user, Event)
        labels = {
            "categories": (_("Add categories"), _("Remove categories")),
            "tags": (_("Add tags"), _("Remove tags")),
            "organizers": (_("Add organizers"), _("Remove organizers")),
        }
        linked: dict[str, forms.Field] = {}
        for relation, (add, remove) in labels.items():
            linked[f"add_{relation}"] = _records_field(model_admin, request, relation, add)
            linked[f"remove_{relation}"] = _records_field(model_admin, request, relation, remove)
        image = forms.ModelChoiceField(
            Image.objects.usable_by(user),
            required=False,
            label=_("Image"),
            widget=ImagePicker(Event._meta.get_field("image"), model_admin.admin_site, user),
        )
        status = forms.ChoiceField(
            choices=[("", _("No change")), *((status.value, status.label) for status in statuses)],
            required=False,
            label=_("Status"),
        )
        self.fields = {**linked, "image": image, "status": status, **self.fields}

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if not self.errors and not any(data.values()):
            raise ValidationError(_("Fill in at least one field."))
        return data


class CopiesForm(forms.Form):
    """How often, and at which interval, to duplicate all selected events."""

    copies = forms.IntegerField(
        label=gettext_lazy("Number of copies of each event"), min_value=1, max_value=MAX_COPIES, initial=1
    )
    interval = forms.IntegerField(
        label=gettext_lazy("Days between them"),
        min_value=1,
        max_value=366,
        initial=7,
        help_text=gettext_lazy("7 for every week. The time of day stays the same."),
        required=False,
    )
    next_year = forms.BooleanField(
        label=gettext_lazy("The same weekday next year"),
        required=False,
        help_text=gettext_lazy("Instead of the days between them: 52 weeks later."),
    )
    first_day = forms.DateField(
        label=gettext_lazy("First copy on"),
        required=False,
        widget=DayInput,
        help_text=gettext_lazy("Instead of the days between them, for a single copy."),
    )

    def __init__(self, model_admin: ModelAdmin, request: HttpRequest) -> None:
        super().__init__(request.POST if "bulk" in request.POST else None, label_suffix="")

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or self.cleaned_data
        if data.get("first_day") and data.get("copies", 1) > 1:
            self.add_error("first_day", _("With a date, there is one copy of each event."))
        if not self.errors and not (data["interval"] or data["next_year"] or data["first_day"]):
            self.add_error("interval", _("Enter the days between them, or choose one of the fields below."))
        return data

    def steps(self, event: Event) -> list[timedelta]:
        """Return how much later than the event each copy is."""
        if day := self.cleaned_data["first_day"]:
            return [day - date.fromisoformat(event.start_local[:10])]
        days = WEEKDAY_NEXT_YEAR if self.cleaned_data["next_year"] else self.cleaned_data["interval"]
        return [timedelta(days=number * days) for number in range(1, self.cleaned_data["copies"] + 1)]


def _records_field(model_admin: ModelAdmin, request: HttpRequest, relation: str, label: str) -> RecordsField:
    field: Any = Event._meta.get_field(relation)
    model = field.remote_field.model
    rows = model.objects.visible_to(request.user) if relation == "organizers" else model.objects.all()
    widget = RecordSelectMultiple(field, model_admin.admin_site)
    field_class = CategoriesField if relation == "categories" else RecordsField
    return field_class(rows, required=False, label=label, widget=widget)


@admin.action(description=gettext_lazy("Change several fields"), permissions=["change"])
def change_selected(model_admin: ModelAdmin, request: HttpRequest, queryset: QuerySet[Event]) -> HttpResponse | None:
    """Ask for changes, and then make them to all selected events."""
    form = BulkChangeForm(model_admin, request)
    if form.is_bound and form.is_valid():
        changed: list[tuple[Event, Collection[str]]] = []
        run_on_each(request, queryset, partial(_change, form.cleaned_data, changed))
        warn_of_events(request, changed)
        return None
    return _page(model_admin, request, queryset, form, "change_selected", _("Change several events"), _("Save"))


@admin.action(description=gettext_lazy("Duplicate several times"), permissions=["add"])
def duplicate_repeatedly(
    model_admin: ModelAdmin, request: HttpRequest, queryset: QuerySet[Event]
) -> HttpResponse | None:
    """Ask for a number and an interval, and then save that many later copies of each event as drafts."""
    form = CopiesForm(model_admin, request)
    if form.is_bound and form.is_valid() and may_create(request, queryset.count() * form.cleaned_data["copies"]):
        saved: list[tuple[Event, Collection[str]]] = []
        run_on_each(request, queryset, partial(_duplicate, form, saved), in_parts=False)
        warn_of_events(request, saved)
        return None
    title = _("Duplicate several times")
    return _page(model_admin, request, queryset, form, "duplicate_repeatedly", title, _("Duplicate"))


def _page(
    model_admin: ModelAdmin,
    request: HttpRequest,
    queryset: QuerySet[Event],
    form: forms.Form,
    action: str,
    title: str,
    button: str,
) -> HttpResponse:
    template = "admin/events/event/bulk_form.html"
    context = {"form": form, "events": list(queryset), "action": action, "button": button}
    return action_page(model_admin, request, template, title=title, context=context, form_media=form.media)


def _change(data: dict[str, Any], changed: list[tuple[Event, Collection[str]]], event: Event, user: AnyUser) -> str:
    """Change the event, and add it to `changed` with the names of its changed fields."""
    check_editable(user, event)
    check_not_trashed(event)
    changes: Any = {}
    current: dict[str, Callable[[], Iterable[Any]]] = {
        "categories": event.categories.all,
        "tags": event.tags.all,
        "organizers": lambda: _visible_organizers(event, user),
    }
    for relation in RELATIONS:
        added, removed = data[f"add_{relation}"], data[f"remove_{relation}"]
        if added or removed:
            kept = [row for row in current[relation]() if row not in removed]
            changes[relation] = [*kept, *(row for row in added if row not in kept)]
    if data["image"]:
        changes["image"] = data["image"]
    if data["status"]:
        changes["status"] = data["status"]
    if data["featured"]:
        changes["featured"] = data["featured"] == "yes"
    # All-day events have no time of day to move.
    minutes = 0 if event.all_day else data["minutes"] or 0
    step = timedelta(days=data["days"] or 0, minutes=minutes)
    if step:
        changes.update(_shift(event, step))
    event = save_or_approve(event, services=event_services, changes=changes, user=user)
    changed.append((event, changes))
    return _("Changed: %(titles)s.")


def _visible_organizers(event: Event, user: AnyUser) -> list[Organizer]:
    """Return the organizers that the user may see, in their order. The service keeps the others."""
    links = EventOrganizer.objects.filter(visible_q(user, Organizer, "organizer__"), event=event)
    return [link.organizer for link in links.select_related("organizer")]


def _duplicate(form: CopiesForm, saved: list[tuple[Event, Collection[str]]], event: Event, user: AnyUser) -> str:
    """Save copies of the event, and add them to `saved` with the names of their new values."""
    # Users who may not change the event do not see everything that would be copied.
    check_editable(user, event)
    check_not_trashed(event)
    try:
        with transaction.atomic():
            new = [duplicate_event(event, user=user, step=step) for step in form.steps(event)]
    except ValueError as error:
        raise ValidationError(str(error)) from error
    saved.extend((copy, ("start", "end")) for copy in new)
    return _("Duplicated as draft: %(titles)s.")


def _shift(event: Event, step: timedelta) -> Any:
    try:
        return shifted_times(event, step)
    except ValueError as error:
        raise ValidationError(str(error)) from error
