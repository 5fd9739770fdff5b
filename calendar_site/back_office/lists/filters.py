"""The filters of the admin's lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from calendar_site.back_office.forms.record_fields import RecordSelect
from calendar_site.back_office.urls import is_valid_id
from calendar_site.core.choices import Accessibility, Status
from calendar_site.core.types import AnyUser


class StatusFilter(admin.SimpleListFilter):
    """Status of records; the trash is shown only if requested."""

    title = gettext_lazy("status")
    parameter_name = "status"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [(status.value, status.label) for status in Status]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        if self.value() is None:
            return queryset.not_trashed()
        if self.value() not in Status.values:
            raise IncorrectLookupParameters
        return queryset.with_statuses([self.value()], request.user)


class AuthorFilter(admin.SimpleListFilter):
    title = gettext_lazy("author")
    parameter_name = "author"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("me", _("Me"))]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        return queryset.filter(author=request.user.pk) if self.value() == "me" else queryset


class MissingValueFilter(admin.SimpleListFilter):
    title = gettext_lazy("missing information")
    parameter_name = "lacks"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("image", _("No image"))]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        # Do not reveal the missing values of events with a password.
        return queryset.with_fields_visible_to(request.user).filter(image=None) if self.value() == "image" else queryset


class AccessibilityFilter(admin.SimpleListFilter):
    """Events or venues with an accessibility feature."""

    title = gettext_lazy("accessibility")
    parameter_name = "accessibility"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return list(Accessibility.choices)

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        if self.value() not in Accessibility.values:
            return queryset
        return self.filter_by_feature(queryset, str(self.value()), request.user)

    def filter_by_feature(self, rows: Any, feature: str, user: AnyUser) -> Any:
        return rows.with_accessibility([feature])


class EventsFilter(admin.SimpleListFilter):
    title = gettext_lazy("events")
    parameter_name = "events"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("with", _("With published events")), ("without", _("Without published events"))]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        if self.value() not in ("with", "without"):
            return queryset
        # Do not reveal the links of events with a password.
        links = queryset.event_links.published().with_fields_visible_to(request.user)
        return queryset.with_any_link_in(links, self.value() == "with")


class RelatedRecordFilter(admin.SimpleListFilter):
    """A filter by a related record, with a search, because there may be thousands."""

    template = "admin/related_record_filter.html"
    relation: ClassVar[str]
    # Provides the label of the selected record.
    field_class: ClassVar[type[forms.ModelChoiceField]] = forms.ModelChoiceField

    def filter_related(self, rows: Any, pk: int) -> Any:
        """Filter to rows that are related to the record with this id."""
        raise NotImplementedError

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        self.field = model_admin.opts.get_field(self.relation)
        self.site = model_admin.admin_site
        self.remote = self.site.get_model_admin(self.field.remote_field.model)
        return []

    def has_output(self) -> bool:
        return bool(self.remote.has_view_permission(self.request))

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        if not self.value():
            return queryset
        self.record = self._selected().first()
        if self.record is None:
            raise IncorrectLookupParameters
        return self.filter_related(queryset, int(str(self.value())))

    def choices(self, changelist: ChangeList) -> Any:
        field = self.field_class(self._selected(), required=False, widget=RecordSelect(self.field, self.site))
        html_id = f"filter-{self.parameter_name}"
        widget = field.widget.render(self.parameter_name, self.value(), {"id": html_id, "aria-label": self.title})
        kept = [(name, value) for name, value in self.request.GET.items() if name not in (self.parameter_name, "p")]
        yield {"widget": widget, "kept": kept, "html_id": html_id}

    def selected_label(self) -> str:
        return str(self.record)

    def _selected(self) -> Any:
        if not is_valid_id(self.value()):
            return self.remote.model._default_manager.none()
        return self.remote.get_queryset(self.request).filter(pk=int(str(self.value())))


def is_filter_parameter(lookup: str, list_filter: Iterable[Any]) -> bool:
    """Return whether a filter of a list has this parameter. Others could reveal hidden values letter by letter.

    Django allows all lookups of the columns of the model, such as `digest__startswith`.
    """
    return any(lookup in _filter_parameters(spec) for spec in list_filter)


def _filter_parameters(spec: Any) -> Sequence[str]:
    """Return the parameters of a filter of `list_filter`: the name of a field, or a class."""
    if isinstance(spec, str):
        return (f"{spec}__exact",)
    return getattr(spec, "parameter_names", None) or (spec.parameter_name,)
