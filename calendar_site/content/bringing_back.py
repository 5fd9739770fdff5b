"""Bringing back an earlier state: what a service is to write so that a record becomes as it was.

What cannot come back is named: records that are gone or that the user may not link to, values that no longer hold,
another author, a status that the user may not give. Passwords are not kept, and stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from django.contrib.auth import get_user_model
from django.utils.translation import gettext as _

from calendar_site.content import rules
from calendar_site.content.choices import Status
from calendar_site.content.custom_fields import FIXED
from calendar_site.content.custom_values import read_value
from calendar_site.content.field_words import CUSTOM, Declared, Fact, label_of, value_in_words
from calendar_site.content.loading import declared_fields
from calendar_site.content.models import Content, CustomField
from calendar_site.content.recording import Besides
from calendar_site.content.titles import Titles


class Earlier(NamedTuple):
    """An earlier state as a service takes it, what the record will then have beside its columns, and what is lost."""

    fields: dict[str, Any]
    besides: Besides
    left_out: list[Fact]


def earlier(state: Any, row: Any, user: Any) -> Earlier:
    """What makes `row` as `state` says; of a new row, a draft of what was deleted."""
    fields: dict[str, Any] = {}
    left_out = _lost_secrets(state, row)
    for field in _own_fields(state, row):
        value = getattr(state, field.attname)
        if not field.is_relation:
            fields[field.name] = value
        elif value != getattr(row, field.attname):
            found = linkable(field.related_model, [value], user)
            if value and not found:
                left_out.append(lost(type(row), field.name, [value], state, user))
            else:
                fields[field.name] = found[0] if found else None
    if isinstance(row, Content):
        left_out += [
            *_set_author(fields, state, row, user),
            *_set_status(fields, state, row, user),
            *_set_custom_values(fields, state, row),
        ]
    return Earlier(fields, {}, left_out)


def linkable(model: Any, ids: Iterable[Any], user: Any) -> list[Any]:
    """Those of these records that the user may link to, in this order. Costs a query."""
    ids = [pk for pk in ids if pk]
    rows = model.objects.visible_to(user) if issubclass(model, Content) else model._default_manager.all()
    found = rows.filter(pk__in=ids).in_bulk() if ids else {}
    return [found[pk] for pk in ids if pk in found]


def lost(model: Any, name: str, ids: list[Any], state: Any, user: Any) -> Fact:
    """The records of a link that do not come back, by their titles."""
    titles = Titles(user)
    titles.want(model._meta.get_field(name).related_model, ids)
    titles.load()
    return Fact(label_of(model, name), value_in_words(model, name, ids, state, titles))


def _lost_secrets(state: Any, row: Any) -> list[Fact]:
    """What a deleted record had that is kept nowhere: whoever publishes it again has to know."""
    if not row._state.adding:
        return []
    there_was = [name for name in state.secrets if state.history_besides.get(name)]
    return [Fact(label_of(type(row), name), _("there is one")) for name in there_was]


def _own_fields(state: Any, row: Any) -> list[Any]:
    """The columns that come back as they were; the others are settled by themselves."""
    settled = {"author", "status", CUSTOM, *state.parts, *state.parts.values()}
    if isinstance(row, CustomField):
        settled.update(FIXED)
    known = {field.name: field for field in row._meta.concrete_fields}
    tracked = [known[field.name] for field in state.tracked_fields]
    return [field for field in tracked if field.editable and not field.primary_key and field.name not in settled]


def _set_author(fields: dict[str, Any], state: Any, row: Content, user: Any) -> list[Fact]:
    if state.author_id == (row.author_id or user.pk):
        return []
    is_there = get_user_model()._default_manager.filter(pk=state.author_id).exists()
    if is_there and rules.can_edit_others(user, type(row)):
        fields["author_id"] = state.author_id
        return []
    return [lost(type(row), "author", [state.author_id], state, user)]


def _set_status(fields: dict[str, Any], state: Any, row: Content, user: Any) -> list[Fact]:
    if row._state.adding:
        fields["status"] = Status.DRAFT
        return []
    # Into the trash leads another way, which takes from venues what links to them.
    if state.status in (row.status, Status.TRASH):
        return []
    fields["status"] = state.status
    if rules.status_for(user, type(row), state.status) == state.status:
        return []
    return [Fact(label_of(type(row), "status"), str(Status(state.status).label))]


def _set_custom_values(fields: dict[str, Any], state: Any, row: Content) -> list[Fact]:
    held, now = state.custom_values, row.custom_values
    if held == now:
        return []
    declared = {field.name: field for field in declared_fields().get(str(row._meta.model_name), [])}
    values: dict[str, Any] = {name: None for name in now if name not in held}
    left_out = []
    for name, value in sorted(held.items()):
        if value == now.get(name):
            continue
        try:
            values[name] = read_value(declared[name], value, None)
        except (KeyError, ValueError):
            left_out.append(Declared().tell(type(row), name, value))
    fields[CUSTOM] = values
    return left_out
