"""Making one record of several that are the same: what linked to any of them links to the one that is kept."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from django.core.exceptions import PermissionDenied
from django.db.models import Field, Model, QuerySet

from calendar_site.content import rules
from calendar_site.content.history import Kind
from calendar_site.content.models import NamedContent
from calendar_site.content.recording import TAKEN_FROM, Besides, meaning
from calendar_site.content.saving import save_content, trash_named
from calendar_site.content.transactions import writing

Named = TypeVar("Named", bound=NamedContent)

AT_ONCE = 500
# A place is both of its coordinates, or none.
TOGETHER = ("geo_lat", "geo_lng")


def may_merge_any(user: Any, model: Any) -> bool:
    """Whether the user may merge records of this type at all: whoever does, changes the events of others."""
    return rules.may(user, "delete", model) and rules.can_edit_others(
        user, model._meta.get_field("events").related_model
    )


def may_merge(user: Any, row: Any) -> bool:
    """Whether the user may let this very record go into another, or another into it."""
    return may_merge_any(user, type(row)) and rules.can_edit(user, row) and rules.can_delete(user, row)


def merge_named(kept: Named, others: Iterable[Named], user: Any) -> Named:
    """Venues or organizers as one: `kept`, with what it lacked and they had. They go into the trash.

    Raises PermissionDenied where the user may not change one of them, and ValidationError.
    """
    rows: Any = type(kept).objects.all()
    with writing():
        kept, *others = as_they_are([kept, *others], user)
        events = relink(rows.links, rows.link_field, kept, others)
        with meaning(kept, Kind.MERGED, merged=[other.pk for other in others]):
            save_content(kept, lacking(kept, others), user)
        for other in others:
            with meaning(other, merged_into=kept.pk, **taken(events, other)):
                trash_named(other, user)
    return kept


def as_they_are(rows: list[Any], user: Any) -> list[Any]:
    """The records as they are now that nobody else writes: what was read before may be old by now.

    Raises PermissionDenied where one is gone, or the user may not merge it.
    """
    found = type(rows[0])._default_manager.in_bulk([row.pk for row in rows])
    if len(found) < len(rows) or not all(may_merge(user, row) for row in found.values()):
        raise PermissionDenied
    return [found[row.pk] for row in rows]


def relink(links: QuerySet, column: str, kept: Model, others: list[Any]) -> dict[int, list[int]]:
    """Lets `kept` take the place of the first of `others` in each event that has not got it yet.

    The links that are left over are those of events which have `kept` anyway; they go with the others. Answers which
    events each of the others had.
    """
    had: dict[int, list[int]] = {}
    taken = set(links.filter(**{column: kept.pk}).values_list("event", flat=True))
    moved = []
    of_others = links.filter(**{f"{column}__in": [other.pk for other in others]})
    for pk, event, other in of_others.order_by("event", "pk").values_list("pk", "event", column):
        had.setdefault(other, []).append(event)
        if event not in taken:
            taken.add(event)
            moved.append(pk)
    for start in range(0, len(moved), AT_ONCE):
        links.filter(pk__in=moved[start : start + AT_ONCE]).update(**{column: kept.pk})
    return had


def taken(events: dict[int, list[int]], other: Any) -> Besides:
    """Which of these events were taken from `other`, for its history."""
    return {TAKEN_FROM: events[other.pk]} if other.pk in events else {}


def lacking(kept: Any, others: list[Any]) -> dict[str, Any]:
    """What `kept` has not got and one of `others` has: the first that has it gives it."""
    fields: dict[str, Any] = {}
    for other in others:
        for field in kept._meta.concrete_fields:
            if _may_be_empty(field) and field.name not in TOGETHER and not getattr(kept, field.name):
                fields.setdefault(field.name, getattr(other, field.name) or None)
        if hasattr(kept, "geo_lat") and kept.geo_lat is None and other.geo_lat is not None:
            fields = {**{name: getattr(other, name) for name in TOGETHER}, **fields}
    given = {name: value for name, value in fields.items() if value is not None}
    if hasattr(kept, "custom_values"):
        values: dict[str, Any] = {}
        for other in (*reversed(others), kept):
            values.update(other.custom_values)
        given["custom_values"] = values
    return given


def _may_be_empty(field: Field) -> bool:
    return field.editable and field.blank and field.name != "slug"
