"""The differences between two revisions of a record, field by field, as text. `audit.recorder` writes the revisions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from calendar_site.audit.models import ChangeKind, Revision
from calendar_site.audit.recorder import (
    FORMER_PARENT,
    MERGED_INTO,
    MERGED_RECORDS,
    MOVED_CHILDREN,
    RELINKED_EVENTS,
    REPLACED_IN_EVENTS,
    UNLINKED_EVENTS,
    UNLINKED_POSITIONS,
)
from calendar_site.core.text.diff import MAX_WORDS, DiffPiece, side_by_side
from calendar_site.core.types import AnyUser
from calendar_site.revisions.labels import (
    CUSTOM_VALUES,
    CustomFieldLabels,
    FieldValue,
    field_label,
    format_exactly,
    format_value,
    is_long_text,
    linked_model,
    request_titles,
    resolve_field,
)
from calendar_site.revisions.titles import MAX_TITLES, Titles

# Names in the extra state for the effects of a write on other records.
SIDE_EFFECTS: dict[str, Any] = {
    UNLINKED_EVENTS: gettext_lazy("Removed from these events"),
    RELINKED_EVENTS: gettext_lazy("Linked to these events again"),
    "children": gettext_lazy("Subcategories moved to the parent category"),
    MERGED_RECORDS: gettext_lazy("Merged records"),
    MERGED_INTO: gettext_lazy("Merged into"),
    "records": gettext_lazy("Records that had a value"),
}
# Effects that the history does not show: undoing the write needs them.
HIDDEN_SIDE_EFFECTS = (UNLINKED_POSITIONS, REPLACED_IN_EVENTS, MOVED_CHILDREN, FORMER_PARENT)

# The kinds of changes that are changes of the status.
STATUS_CHANGES = (ChangeKind.TRASHED, ChangeKind.UNTRASHED, ChangeKind.APPROVED, ChangeKind.SENT_BACK)


class Difference(NamedTuple):
    """A field whose value differs between two revisions, as text: "" for no value, one line per item of a list."""

    name: str
    label: str
    before: str
    after: str
    # Whether the value is compared word by word instead of line by line.
    is_long_text: bool = False

    @property
    def pieces(self) -> tuple[list[DiffPiece], list[DiffPiece]]:
        """Return both values, split into equal and changed pieces."""
        return self.as_pieces(MAX_WORDS)

    def as_pieces(self, max_words: int) -> tuple[list[DiffPiece], list[DiffPiece]]:
        """Return `pieces`, with a limit on the number of words or lines that may differ; see `side_by_side`."""
        return side_by_side(self.before, self.after, by_words=self.is_long_text, max_words=max_words)


def differences(older: Revision | None, newer: Revision | None, user: AnyUser) -> list[Difference]:
    """Return the differences between two revisions that the user may see; see `differences_of_pairs`."""
    return differences_of_pairs([(older, newer)], user)[0]


def differences_of_pairs(
    pairs: Iterable[tuple[Revision | None, Revision | None]], user: AnyUser
) -> list[list[Difference]]:
    """Return the differences of each pair of revisions, in the order of the fields; None stands for no record.

    The number of queries does not depend on the number of pairs: two for each kind of linked record, one for the custom
    fields, and one for each kind of record with a password.
    """
    compared = [_RevisionPair(older, newer) for older, newer in pairs]
    titles, custom_fields = Titles(user), CustomFieldLabels()
    _find_new_secrets(compared)
    for pair in compared:
        for name, before, after in pair.changed_values():
            for value in (before, after):
                request_titles(titles, *resolve_field(pair.model, name), value)
    titles.load()
    return [list(_describe(pair, titles, custom_fields)) for pair in compared]


def side_effects(revision: Revision, user: AnyUser) -> list[FieldValue]:
    """Return the effects of the write on other records."""
    effects = {name: value for name, value in revision.history_extra.items() if name in SIDE_EFFECTS}
    titles, model = Titles(user), revision.instance_type
    for name, value in effects.items():
        request_titles(titles, model, name, value)
    titles.load()
    for name in {UNLINKED_EVENTS, RELINKED_EVENTS} & effects.keys():
        # The links of an event with a password are hidden from users who do not know the password.
        events: Any = linked_model(model, name)
        hidden = events._default_manager.with_fields_hidden_from(user).filter(pk__in=effects[name][:MAX_TITLES])
        titles.hide(events, hidden.values_list("pk", flat=True))
    return [
        FieldValue(str(SIDE_EFFECTS[name]), format_value(model, name, value, revision, titles))
        for name, value in effects.items()
    ]


def changed_field_labels(revision: Revision) -> list[str]:
    """Return the labels of the fields that the write changed, without the status if its kind says that."""
    hidden = {"status"} if revision.history_kind in STATUS_CHANGES else set()
    return [field_label(revision.instance_type, name) for name in revision.history_changed if name not in hidden]


class _RevisionPair:
    """Two revisions of one record."""

    def __init__(self, older: Revision | None, newer: Revision | None) -> None:
        self.older, self.newer = older, newer
        some: Any = newer if newer is not None else older
        self.revision_model: type[Revision] = type(some)
        self.model = self.revision_model.instance_type
        # Set by `_find_new_secrets`: revisions record only whether there is a secret, not its value.
        self.has_new_secret = False

    def changed_values(self) -> Iterator[tuple[str, Any, Any]]:
        """Yield the name of each field that differs with its values before and after; None for no value."""
        before, after = _values(self.older), _values(self.newer)
        for name in before | after:
            old, new = before.get(name), after.get(name)
            if name in self.revision_model.secrets:
                if bool(old) != bool(new) or (new and self.has_new_secret):
                    yield name, old, new
            elif old != new and any(_is_meaningful(name, value) for value in (old, new)):
                yield name, old, new


def _values(revision: Revision | None) -> dict[str, Any]:
    """Return the values by field: each custom field by itself, and each column with its parts."""
    if revision is None:
        return {}
    parts_of = revision.parts_of
    values: dict[str, Any] = {}
    for field in revision.tracked_fields:
        value = getattr(revision, field.attname)
        if field.name == CUSTOM_VALUES:
            values |= {f"{CUSTOM_VALUES}.{name}": custom for name, custom in sorted(value.items())}
        elif nested := revision.nested.get(field.name):
            values |= {f"{field.name}.{name}": part for name, part in nested.read(value).items()}
        elif field.name in parts_of:
            values[parts_of[field.name]] = (*values[parts_of[field.name]], value)
        elif not field.primary_key:
            values[field.name] = (value,) if field.name in parts_of.values() else value
    left_out = {*SIDE_EFFECTS, *HIDDEN_SIDE_EFFECTS}
    extra = {name: value for name, value in revision.history_extra.items() if name not in left_out}
    return {name: None if _is_empty(value) else value for name, value in {**values, **extra}.items()}


def _is_meaningful(name: str, value: object) -> bool:
    """Return whether a value is worth mentioning: a False column is not, a False custom field and a number are."""
    return value is not None and (bool(value) or f"{CUSTOM_VALUES}." in name or isinstance(value, float))


def _is_empty(value: object) -> bool:
    return value in ("", [], {}) or (isinstance(value, tuple) and not value[0])


def _find_new_secrets(pairs: list[_RevisionPair]) -> None:
    """Set `has_new_secret` of the pairs with a revision between them that changed a secret. One query per model."""
    for model in {pair.revision_model for pair in pairs if pair.revision_model.secrets}:
        spans = {
            pair: _HistorySpan(pair.newer.id, pair.older.history_id, pair.newer.history_id)
            for pair in pairs
            if pair.revision_model is model and pair.older and pair.newer and pair.older.history_id
        }
        if not spans:
            continue
        within, changed = Q(pk__in=[]), Q()
        for span in spans.values():
            within |= span.as_q()
        for name in model.secrets:
            changed |= Q(history_changed__icontains=f'"{name}"')
        revisions: Any = model._default_manager.filter(within & changed)
        found = sorted(revisions.values_list("id", "history_id"))
        for pair, span in spans.items():
            pair.has_new_secret = any(span.contains(*revision) for revision in found)


class _HistorySpan(NamedTuple):
    """The revisions of a record after one up to another one, or up to now if that is not saved."""

    record_id: int
    after: int
    up_to: int | None

    def as_q(self) -> Q:
        span = Q(id=self.record_id, history_id__gt=self.after)
        return span & Q(history_id__lte=self.up_to) if self.up_to else span

    def contains(self, record_id: int, history_id: int) -> bool:
        return record_id == self.record_id and self.after < history_id <= (self.up_to or history_id)


def _describe(pair: _RevisionPair, titles: Titles, custom_fields: CustomFieldLabels) -> Iterator[Difference]:
    for name, before, after in pair.changed_values():
        model, own_name = resolve_field(pair.model, name)
        if name in pair.revision_model.secrets:
            yield Difference(name, field_label(model, name), *_describe_secret(before, after))
            continue
        if own_name.startswith(f"{CUSTOM_VALUES}."):
            custom_name = own_name.removeprefix(f"{CUSTOM_VALUES}.")
            old, new = (custom_fields.format(model, custom_name, value) for value in (before, after))
            yield Difference(name, new.label, old.text, new.text)
            continue
        old_text, new_text = (
            format_value(model, own_name, value, revision, titles) if revision is not None else ""
            for value, revision in ((before, pair.older), (after, pair.newer))
        )
        if old_text == new_text:
            old_text, new_text = format_exactly(before), format_exactly(after)
        if old_text != new_text:
            yield Difference(name, field_label(model, own_name), old_text, new_text, is_long_text(model, own_name))


def _describe_secret(before: object, after: object) -> tuple[str, str]:
    """Describe whether there was a secret before and after, and whether it has changed; its value is not stored."""
    is_there = _("(set)")
    return (is_there if before else "", (_("(new value)") if before else is_there) if after else "")
