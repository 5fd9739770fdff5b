"""ModelAdmin of custom fields."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib import admin, messages
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from calendar_site.back_office.base.service_admin import ServiceModelAdmin
from calendar_site.back_office.forms.base import ServiceForm
from calendar_site.back_office.record_admin import RestorePolicy
from calendar_site.custom_fields.models import CustomField
from calendar_site.custom_fields.services import (
    FIXED_FIELDS,
    count_values,
    count_values_outside_choices,
    custom_field_services,
)


class CustomFieldForm(ServiceForm):
    def prepare(self) -> None:
        if kind := self.fields.get("kind"):
            kind.help_text = _("You cannot change “Name”, “Type” and “Applies to” later.")
        if choices := self.fields.get("choices"):
            choices.help_text = _(
                "One choice per line. Records that use a removed choice keep it until someone edits the field."
            )
            choices.widget.attrs["rows"] = 5


@admin.register(CustomField)
class CustomFieldAdmin(ServiceModelAdmin):
    services = custom_field_services
    # The values of a deleted field are deleted as well.
    restore_policy = RestorePolicy(includes_deleted=False)
    form = CustomFieldForm
    list_display = ("label", "name", "resource", "kind", "position", "held")
    search_fields = ()
    ordering = CustomField._meta.ordering

    # --- List

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        changelist = super().get_changelist_instance(request)
        counts = count_values(changelist.result_list)
        for field in changelist.result_list:
            field.value_count = counts[field.pk]
        return changelist

    @admin.display(description=gettext_lazy("records with a value"))
    def held(self, field: Any) -> int:
        return int(field.value_count)

    # --- Form

    def get_fields(self, request: HttpRequest, obj: CustomField | None = None) -> list[str]:
        names = ["label", "name", "resource", "kind", "choices", "position"]
        if obj is not None and obj.kind != CustomField.Kind.CHOICE:
            names.remove("choices")
        return names

    def get_readonly_fields(self, request: HttpRequest, obj: CustomField | None = None) -> Any:
        return () if obj is None else FIXED_FIELDS

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        if change and "choices" in form.changed_data and (count := count_values_outside_choices(form.instance)):
            text = ngettext(
                "%(count)d record uses a choice that is no longer offered. It keeps the choice until someone "
                "edits the field.",
                "%(count)d records use choices that are no longer offered. They keep these choices until "
                "someone edits the field.",
                count,
            )
            messages.warning(request, text % {"count": count})

    def get_deleted_objects(self, objs: Iterable[Any], request: HttpRequest) -> Any:
        fields = list(objs)
        counts = count_values(fields)
        _names, *others = super().get_deleted_objects(fields, request)
        return [_consequence(field, counts[field.pk]) for field in fields], *others


def _consequence(field: CustomField, count: int) -> str:
    text = ngettext(
        "%(label)s, for %(resource)s (%(count)d record will lose its value)",
        "%(label)s, for %(resource)s (%(count)d records will lose their values)",
        count,
    )
    return text % {"label": field.label, "resource": field.get_resource_display(), "count": count}
