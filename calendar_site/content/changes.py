"""What has become of a record: its states, told apart field by field and in words.

The service that records them is `recording`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from calendar_site.content.compared import MOST_WORDS, Piece, side_by_side
from calendar_site.content.field_words import (
    CUSTOM,
    Declared,
    Fact,
    exact,
    is_text,
    label_of,
    linked_model,
    value_in_words,
    want_titles,
)
from calendar_site.content.recording import PLACE_TAKEN_BY, TAKEN_FROM, TOOK_PLACE_OF
from calendar_site.content.titles import MOST, Titles

# What a state says beside how the record was then: what has happened to others along with it.
HAPPENED: dict[str, Any] = {
    TAKEN_FROM: gettext_lazy("Taken from these events"),
    "children": gettext_lazy("Its children went to its parent"),
    TOOK_PLACE_OF: gettext_lazy("Took the place of"),
    PLACE_TAKEN_BY: gettext_lazy("Its place was taken by"),
    "records": gettext_lazy("Records that held something in it"),
}
# A record at some time; None where there was none.
State = Any


class Difference(NamedTuple):
    """A field that two states of a record have differently, in words: "" is nothing; lists have a line for each."""

    name: str
    label: str
    before: str
    after: str
    # Whether people write it in sentences.
    is_text: bool = False

    @property
    def pieces(self) -> tuple[list[Piece], list[Piece]]:
        """Both in pieces, by which it shows what was taken away and added: words of texts, else whole lines."""
        return self.in_pieces(MOST_WORDS)

    def in_pieces(self, most: int) -> tuple[list[Piece], list[Piece]]:
        """See `pieces`; as a whole where more than `most` words may differ."""
        return side_by_side(self.before, self.after, by_words=self.is_text, most=most)


def states_of(row: Any) -> Any:
    """The states of a record, the newest first."""
    return type(row).history.filter(id=row.pk).order_by("-history_id")


def differences(older: State, newer: State, user: Any) -> list[Difference]:
    """What the newer state has otherwise than the older one, as far as the user may know; see `differences_of`."""
    return differences_of([(older, newer)], user)[0]


def differences_of(pairs: Iterable[tuple[State, State]], user: Any) -> list[list[Difference]]:
    """The differences of each pair of states, in the order of the fields.

    Costs the same for any number of pairs: two queries for each kind of linked record, one for the custom fields, and
    one for each kind of record with a password.
    """
    found = [_Pair(older, newer) for older, newer in pairs]
    titles, declared = Titles(user), Declared()
    _find_new_secrets(found)
    for pair in found:
        for name, before, after in pair.values():
            for value in (before, after):
                want_titles(titles, pair.model, name, value)
    titles.load()
    return [list(_in_words(pair, titles, declared)) for pair in found]


def happened(state: State, user: Any) -> list[Fact]:
    """What has happened to other records along with this change."""
    told = {name: value for name, value in state.history_besides.items() if name in HAPPENED}
    titles, model = Titles(user), state.instance_type
    for name, value in told.items():
        want_titles(titles, model, name, value)
    titles.load()
    if TAKEN_FROM in told:
        # Whom the password of an event keeps out is not told what it was linked to.
        events = linked_model(model, TAKEN_FROM)
        hidden = events._default_manager.hiding_fields_from(user).filter(pk__in=told[TAKEN_FROM][:MOST])
        titles.hide(events, hidden.values_list("pk", flat=True))
    return [
        Fact(str(HAPPENED[name]), value_in_words(model, name, value, state, titles)) for name, value in told.items()
    ]


def labels_of(state: State) -> list[str]:
    """The fields that this change has changed."""
    return [label_of(state.instance_type, name) for name in state.history_changed]


class _Pair:
    """Two states of one record, and the values in which they differ."""

    def __init__(self, older: State, newer: State) -> None:
        self.older, self.newer = older, newer
        some = newer if newer is not None else older
        self.states = some.__class__
        self.model = some.instance_type
        self.has_new_secret = False

    def values(self) -> Iterator[tuple[str, Any, Any]]:
        """The name of each field that is not the same, with its value before and after; None for nothing."""
        before, after = _values(self.older), _values(self.newer)
        for name in before | after:
            old, new = before.get(name), after.get(name)
            if name in self.states.secrets:
                if bool(old) != bool(new) or (new and self.has_new_secret):
                    yield name, old, new
            elif old != new and any(_says_something(name, value) for value in (old, new)):
                yield name, old, new


def _values(state: State) -> dict[str, Any]:
    """What the record had, by the names of fields; each custom field by itself, and columns with their parts."""
    if state is None:
        return {}
    parts = state.parts
    values: dict[str, Any] = {}
    for field in state.tracked_fields:
        value = getattr(state, field.attname)
        if field.name == CUSTOM:
            values |= {f"{CUSTOM}.{name}": held for name, held in sorted(value.items())}
        elif field.name in parts:
            values[parts[field.name]] = (*values[parts[field.name]], value)
        elif not field.primary_key:
            values[field.name] = (value,) if field.name in parts.values() else value
    besides = {name: value for name, value in state.history_besides.items() if name not in HAPPENED}
    return {name: None if _is_empty(value) else value for name, value in {**values, **besides}.items()}


def _says_something(name: str, value: Any) -> bool:
    """Switches that are off say nothing of a record. A "no" or 0 in a custom field was said, and so was a number."""
    return value is not None and (bool(value) or name.startswith(f"{CUSTOM}.") or isinstance(value, float))


def _is_empty(value: Any) -> bool:
    return value in ("", [], {}) or (isinstance(value, tuple) and not value[0])


def _find_new_secrets(pairs: list[_Pair]) -> None:
    """Notes which pairs have another password than before, which only the changes between them tell."""
    for states in {pair.states for pair in pairs if pair.states.secrets}:
        asked = [
            pair
            for pair in pairs
            if pair.states is states and pair.older is not None and pair.newer is not None and pair.older.history_id
        ]
        if not asked:
            continue
        spans = Q(pk__in=[])
        for pair in asked:
            spans |= _span(pair)
        named = Q()
        for name in states.secrets:
            named |= Q(history_changed__icontains=f'"{name}"')
        found = states.objects.filter(spans & named).values_list("id", "history_id")
        changed = sorted(found)
        for pair in asked:
            pair.has_new_secret = any(_is_within(pair, *change) for change in changed)


def _span(pair: _Pair) -> Q:
    span = Q(id=pair.newer.id, history_id__gt=pair.older.history_id)
    return span & Q(history_id__lte=pair.newer.history_id) if pair.newer.history_id else span


def _is_within(pair: _Pair, pk: int, history_id: int) -> bool:
    last = pair.newer.history_id or history_id
    return pk == pair.newer.id and pair.older.history_id < history_id <= last


def _in_words(pair: _Pair, titles: Titles, declared: Declared) -> Iterator[Difference]:
    for name, before, after in pair.values():
        if name in pair.states.secrets:
            yield Difference(name, label_of(pair.model, name), *_secret_in_words(before, after))
            continue
        if name.startswith(f"{CUSTOM}."):
            own = name.removeprefix(f"{CUSTOM}.")
            old, new = (declared.tell(pair.model, own, value) for value in (before, after))
            yield Difference(name, new.label, old.text, new.text)
            continue
        old_words, new_words = (
            value_in_words(pair.model, name, value, state, titles) if state is not None else ""
            for value, state in ((before, pair.older), (after, pair.newer))
        )
        if old_words == new_words:
            old_words, new_words = exact(before), exact(after)
        if old_words != new_words:
            yield Difference(name, label_of(pair.model, name), old_words, new_words, is_text(pair.model, name))


def _secret_in_words(before: Any, after: Any) -> tuple[str, str]:
    """Whether there is one, and whether it is another one; nothing else of it is kept."""
    is_there = _("there is one")
    return (is_there if before else "", (_("there is another one") if before else is_there) if after else "")
