"""Filtering and replacing the fields in the sections of forms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.admin import ModelAdmin
from django.contrib.admin.utils import flatten
from django.http import HttpRequest

# Classes of sections. Wide pages show the first kind in a second column; the inlines follow the second kind; fields of
# the third kind are closer together; the fourth kind is folded until one of its fields differs from its default.
ASIDE, WITH_INLINES, COMPACT, MORE = "aside", "with-inlines", "compact", "more"

# The name of a field of the model or the form, or a function that displays a value of the record.
FieldSpec = str | Callable[[Any], Any]
Fieldsets = list[tuple[Any, dict[str, Any]]]


def field_name(spec: Any) -> str:
    """Return the name of a field, or of the function that displays it."""
    return spec if isinstance(spec, str) else spec.__name__


def is_aside(options: dict[str, Any]) -> bool:
    """Return whether wide pages show the section in the second column."""
    return ASIDE in options.get("classes", ())


def filter_fields(fieldsets: Any, keep: Callable[[Any], bool]) -> Fieldsets:
    """Return the sections with the fields, or lines of fields, that `keep` accepts, without empty sections."""
    return _with_fields(fieldsets, lambda fields: [spec for spec in fields if keep(spec)])


def view_only_fields(fieldsets: Any, replaced: dict[str, FieldSpec | None]) -> Fieldsets:
    """Return the sections with one field per line, and inputs replaced as in `replaced`; None leaves the field out."""
    return _with_fields(
        fieldsets,
        lambda fields: [
            shown for spec in flatten(fields) if (shown := replaced.get(field_name(spec), spec)) is not None
        ],
    )


def inlines_context(model_admin: ModelAdmin, request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Return the context variable that tells whether a section of the form places the inlines."""
    return {"inlines_are_placed": any(WITH_INLINES in section.classes for section in context["adminform"])}


def more_context(model_admin: ModelAdmin, request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Return the context variables of the folded sections: whether there are any, and whether they are open."""
    sections = [section for section in context["adminform"] if MORE in section.classes]
    form = context["adminform"].form
    names = [name for section in sections for name in flatten(section.fields) if name in form.fields]
    # Whoever may not change the record reads all of it.
    is_open = not names or any(name in form.errors or _is_filled_in(form, name) for name in names)
    return {
        "has_more_fields": bool(sections),
        "more_fields_are_open": is_open or any(map(_has_rows, context["inline_admin_formsets"])),
    }


def _has_rows(inline: Any) -> bool:
    return inline.formset.initial_form_count() > 0 or (inline.formset.is_bound and inline.formset.has_changed())


def _is_filled_in(form: Any, name: str) -> bool:
    """Return whether the field has another value than that of a new record."""
    value = form[name].value()
    column = next((column for column in form._meta.model._meta.fields if column.name == name), None)
    default = column.get_default() if column is not None else None
    return value not in (None, "", [], False) and str(value) != str(default)


def _with_fields(fieldsets: Any, choose: Callable[[Any], list[Any]]) -> Fieldsets:
    chosen = [(name, {**options, "fields": choose(options["fields"])}) for name, options in fieldsets]
    return [(name, options) for name, options in chosen if options["fields"]]
