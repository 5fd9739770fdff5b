"""The list of errors above a form, with links to their fields."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.contrib.admin import ModelAdmin
from django.forms import BaseForm
from django.http import HttpRequest

from calendar_site.core.text.plain_text import join_label


class ErrorLink(NamedTuple):
    """An error, and the id of its input."""

    html_id: str
    text: str


def error_links_context(model_admin: ModelAdmin, request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Return the errors of all fields of the form and of its formsets, in their order on the page."""
    inlines = context.get("inline_admin_formsets") or ()
    forms = [context["adminform"].form, *(form for inline in inlines for form in inline.formset.forms)]
    return {"error_links": [link for form in forms if form.is_bound for link in _links(form)]}


def _links(form: BaseForm) -> Iterator[ErrorLink]:
    for bound in _ordered(form):
        for error in bound.errors:
            yield ErrorLink(bound.auto_id, join_label(str(bound.label), str(error)))


def _ordered(form: BaseForm) -> list[Any]:
    return [form[name] for name in form.fields]
