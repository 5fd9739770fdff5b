"""The template of a series: the values of its occurrences, without their dates.

An occurrence deviates from the template in the fields that somebody has changed in it alone. Changes of the series
leave these fields as they are.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple, cast

from django.db.models import Model

from calendar_site.core.choices import Status
from events.changes import EventChanges
from events.costs import cost_of
from events.models import Event, Series
from events.relation_writes import ticket_changes, validated_ticket_states
from events.relations import RELATIONS, EventRelations, no_relations
from events.schedule import SCHEDULE_FIELDS
from events.services import NOT_COPIED

_LEFT_OUT = (*NOT_COPIED, *SCHEDULE_FIELDS, "start_local", "end_local", "is_long")
_FIELDS: dict[str, Any] = {field.attname: field for field in Event._meta.concrete_fields if field.name not in _LEFT_OUT}
# Parts of the cost change together.
_COST_COLUMNS = ("cost", "cost_symbol", "cost_position", "cost_values")
# Each custom field is a name of its own: one may deviate while the others follow the series.
CUSTOM_PREFIX = "custom_values."
# The names of all columns and relations, for `EventTemplate.changes()`.
TEMPLATE_NAMES = {*(name for name in _FIELDS if name not in _COST_COLUMNS), "cost", *RELATIONS}
# The names that are also columns of the series.
_SERIES_COLUMNS = ("title", "password")


class EventTemplate(NamedTuple):
    """The columns of an event, by attribute name, and its relations."""

    columns: dict[str, Any]
    relations: EventRelations

    @classmethod
    def of_event(cls, event: Event, relations: EventRelations) -> EventTemplate:
        return cls({name: getattr(event, name) for name in _FIELDS}, relations)

    @classmethod
    def of_series(cls, series: Series) -> EventTemplate:
        """Return the template without the records that have been deleted since. One query for each kind of record."""
        stored = series.template.get("columns", {})
        columns = {
            name: field.to_python(stored[name]) if name in stored else field.get_default()
            for name, field in _FIELDS.items()
        }
        columns |= {name: getattr(series, name) for name in _SERIES_COLUMNS}
        for name, field in _FIELDS.items():
            if field.is_relation and columns[name] and not _existing(field.related_model, [columns[name]]):
                columns[name] = None
        relations: Any = {**no_relations(), **series.template.get("relations", {})}
        for name in RELATIONS:
            if name != "tickets" and relations[name]:
                relations[name] = [row.pk for row in _existing(_model_of(name), relations[name])]
        return cls(columns, relations)

    def count_relations(self, names: Collection[str] = RELATIONS) -> int:
        """Return the number of tickets and links in these relations; other names count nothing."""
        lists: Any = self.relations
        return sum(len(lists[name]) for name in RELATIONS if name in names)

    @property
    def text_length(self) -> int:
        """Return the number of characters of the texts without a small limit."""
        return len(self.columns["description"]) + len(self.columns["excerpt"])

    def store_in(self, series: Series) -> None:
        """Set the columns of the series."""
        for name in _SERIES_COLUMNS:
            setattr(series, name, self.columns[name])
        columns = {name: value for name, value in self.columns.items() if name not in _SERIES_COLUMNS}
        series.template = {"columns": columns, "relations": self.relations}

    def differences(self, other: EventTemplate) -> set[str]:
        """Return the names of the columns, custom fields and relations in which the other one differs."""
        names = {name for name, value in self.columns.items() if value != other.columns[name]}
        if "custom_values" in names:
            names.remove("custom_values")
            names |= {f"{CUSTOM_PREFIX}{name}" for name in _differing(*map(_custom_values, (self, other)))}
        if names & set(_COST_COLUMNS):
            names = (names - set(_COST_COLUMNS)) | {"cost"}
        return names | {name for name in RELATIONS if self.relations[name] != other.relations[name]}  # type: ignore[literal-required]

    def changes(self, names: set[str]) -> EventChanges:
        """Return the changes that give an event the values of these columns and relations."""
        changes: dict[str, Any] = {}
        for name in names:
            if name == "cost":
                changes["cost"] = cost_of(Event(**self.columns))
            elif name == "tickets":
                changes["tickets"] = [ticket_changes(state) for state in self.relations["tickets"]]
            elif name.startswith(CUSTOM_PREFIX):
                field = name.removeprefix(CUSTOM_PREFIX)
                # None clears the value.
                changes.setdefault("custom_values", {})[field] = self.columns["custom_values"].get(field)
            elif name in RELATIONS:
                changes[name] = _existing(_model_of(name), self.relations[name])  # type: ignore[literal-required]
            else:
                changes[name] = self.columns[name]
        return cast("EventChanges", changes)

    def with_changes(self, event: Event, changes: Mapping[str, Any]) -> EventTemplate:
        """Return the template of a changed event, with the relations in `changes`. Raises RelatedErrors."""
        # The values as they are saved: sanitized.
        columns = {name: field.pre_save(event, True) for name, field in _FIELDS.items()}
        relations: Any = dict(self.relations)
        for name in RELATIONS:
            if name == "tickets" and name in changes:
                relations[name] = validated_ticket_states(changes[name])
            elif name in changes:
                ids = list(dict.fromkeys(row.pk for row in changes[name]))
                relations[name] = sorted(ids) if name in ("categories", "tags") else ids
        return EventTemplate(columns, relations)


def new_event(template: EventTemplate, **columns: Any) -> Event:
    """Return an unsaved event with the columns of the template."""
    return Event(**{**template.columns, "custom_values": dict(template.columns["custom_values"]), **columns})


def _custom_values(template: EventTemplate) -> dict[str, Any]:
    values: dict[str, Any] = template.columns["custom_values"]
    return values


def _differing(values: dict[str, Any], others: dict[str, Any]) -> set[str]:
    """Return the keys with different values, or in only one of the two."""
    return {name for name in values.keys() | others.keys() if values.get(name) != others.get(name)}


def _model_of(relation: str) -> Any:
    return Event._meta.get_field(relation).related_model


def _existing(model: Any, ids: list[int]) -> list[Model]:
    """Return the records with these ids in this order, without deleted ones and those in the trash."""
    found = model._default_manager.in_bulk(ids)
    rows = [found[pk] for pk in ids if pk in found]
    return [row for row in rows if getattr(row, "status", "") != Status.TRASH]
