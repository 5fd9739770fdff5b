"""The rows of the admin's lists, with short markup: Unfold repeats the classes of its design in every cell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from django import template
from django.contrib.admin.templatetags.admin_list import result_headers, result_hidden_fields, results
from django.contrib.admin.views.main import ChangeList
from django.template.context import Context
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst

register = template.Library()

# The columns whose values do not speak for themselves in the cards of phones.
LABELLED = ("linked_events", "use_count", "slug", "position", "held", "enqueued_at", "started_at", "finished_at")


class Row(NamedTuple):
    """A row of a list: its cells as HTML."""

    record: Any
    cells: list[SafeString]


@register.inclusion_tag("admin/record_list.html", takes_context=True)
def record_list(context: Context, cl: ChangeList) -> dict[str, Any]:
    """Return the context of the table: a table on desktops and tablets, cards on phones."""
    headers = [{**header, "text": _heading(header)} for header in result_headers(cl)]
    return {
        "cl": cl,
        "headers": headers,
        "hidden_fields": list(result_hidden_fields(cl)),
        "rows": list(_rows(cl, headers)),
        "has_add_permission": cl.model_admin.has_add_permission(context["request"]),
        "is_popup": context.get("is_popup"),
        "to_field": context.get("to_field"),
    }


def _rows(cl: ChangeList, headers: list[dict[str, Any]]) -> Iterator[Row]:
    empty = f">{cl.model_admin.get_empty_value_display()}</td>"
    labels = {name: header["text"] for name in LABELLED for header in headers if _is_column(header, name)}
    for record, cells in zip(cl.result_list, results(cl), strict=True):
        yield Row(record, [_shorten(_label(cell, labels), empty) for cell in cells])


def _label(cell: SafeString, labels: dict[str, SafeString]) -> str:
    """Add the heading of the column to a cell, if it is among `labels`."""
    for name, label in labels.items():
        start = f'<td class="field-{name}"'
        if cell.startswith(start):
            return f'{start} data-label="{label}"{cell[len(start) :]}'
    return cell


def _shorten(cell: str, empty: str) -> SafeString:
    """Leave out the dash of an empty value. `cell` is HTML of Django."""
    return mark_safe(f"{cell.removesuffix(empty)}></td>" if cell.endswith(empty) else cell)  # noqa: S308


def _heading(header: dict[str, Any]) -> SafeString:
    if _selects_all(header):
        # The script of Unfold looks for this class.
        return mark_safe(header["text"].replace("<input ", '<input class="action-toggle" ', 1))  # noqa: S308
    return conditional_escape(capfirst(header["text"]))


def _selects_all(header: dict[str, Any]) -> bool:
    """Return whether the column contains the checkboxes that select records."""
    return "action-checkbox-column" in header["class_attrib"]


def _is_column(header: dict[str, Any], name: str) -> bool:
    return f"column-{name}" in header["class_attrib"].replace('"', " ").split()
