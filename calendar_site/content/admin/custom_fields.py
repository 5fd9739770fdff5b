"""Declaring custom fields."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from calendar_site.content.admin.base import ServiceAdmin
from calendar_site.content.admin.forms import ServiceForm
from calendar_site.content.admin.states import Subject
from calendar_site.content.custom_fields import (
    FIXED,
    amount_outside,
    amounts_held,
    drop_custom_field,
    save_custom_field,
    set_custom_field,
)
from calendar_site.content.models import CustomField
from calendar_site.content.transactions import writing


class CustomFieldForm(ServiceForm):
    def prepare(self) -> None:
        if kind := self.fields.get("kind"):
            kind.help_text = _("The name, the type and what it is for stay as they are from now on.")
        if choices := self.fields.get("choices"):
            choices.help_text = _("One on each line. Records that hold a choice that is taken away keep it.")
            choices.widget.attrs["rows"] = 5

    def settle(self, fields: dict[str, Any]) -> None:
        set_custom_field(self.instance, fields)


@admin.register(CustomField)
class CustomFieldAdmin(ServiceAdmin):
    form = CustomFieldForm
    list_display = ("label", "name", "resource", "kind", "position", "held")
    search_fields = ()
    ordering = CustomField._meta.ordering
    view_on_site: Any = False

    def write(self, row: CustomField, fields: dict[str, Any], user: Any) -> None:
        save_custom_field(row, fields, user)

    def set_fields(self, row: CustomField, fields: dict[str, Any], user: Any) -> None:
        set_custom_field(row, fields)

    def may_bring_back(self, request: HttpRequest, subject: Subject) -> bool:
        # What records held in one that was deleted is gone as well.
        return subject.row is not None

    def delete_for_good(self, rows: Any, user: Any) -> None:
        with writing():
            for field in rows:
                drop_custom_field(field, user)

    def search(self, rows: Any, query: str, user: Any) -> Any:
        return rows

    # --- List

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        changelist = super().get_changelist_instance(request)
        amounts = amounts_held(changelist.result_list)
        for field in changelist.result_list:
            field.amount_held = amounts[field.pk]
        return changelist

    @admin.display(description=gettext_lazy("records with a value"))
    def held(self, field: Any) -> int:
        return int(field.amount_held)

    # --- Form

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        names = ["label", "name", "resource", "kind", "choices", "position"]
        if obj is not None and obj.kind != CustomField.Kind.CHOICE:
            names.remove("choices")
        return names

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return () if obj is None else FIXED

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if change and "choices" in form.changed_data and (amount := amount_outside(obj)):
            text = ngettext(
                "%(count)d record holds a choice that is no longer offered, and keeps it until somebody changes it.",
                "%(count)d records hold choices that are no longer offered, and keep them until somebody changes them.",
                amount,
            )
            messages.warning(request, text % {"count": amount})

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        fields = list(objs)
        amounts = amounts_held(fields)
        _names, *others = super().get_deleted_objects(fields, request)
        return [_consequence(field, amounts[field.pk]) for field in fields], *others


def _consequence(field: CustomField, amount: int) -> str:
    text = ngettext(
        "%(label)s, of %(resource)s (%(count)d record loses what it holds there)",
        "%(label)s, of %(resource)s (%(count)d records lose what they hold there)",
        amount,
    )
    return text % {"label": field.label, "resource": field.get_resource_display(), "count": amount}
