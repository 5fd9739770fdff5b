"""The titles of records that a history links to by their ids, as far as the reader may see them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from calendar_site.content import rules
from calendar_site.content.choices import Status
from calendar_site.content.history import Kind

# What a record is called by; the first that there is, and is not empty.
TITLES = ("title", "name", "label", "username", "alt")
# What decides whether somebody may see a record.
RIGHTS = ("status", "author", "published_at")
# Of a longer list the others are counted.
MOST = 50


def title_of(row: Any) -> str:
    """What a record, or a state of one, is called by."""
    titles = (getattr(row, name, "") for name in TITLES)
    return str(next(filter(None, titles), "")) or f"#{row.id}"


def title_columns(model: Any) -> list[str]:
    """The columns that `title_of` reads, of a model or of its states."""
    names = {field.name for field in model._meta.concrete_fields}
    return [name for name in TITLES if name in names]


class Titles:
    """Titles by model and id. First all that will be asked for is named, then it is loaded, and then told."""

    def __init__(self, user: Any) -> None:
        self.user = user
        self.wanted: dict[Any, set[int]] = defaultdict(set)
        self.known: dict[Any, dict[int, str]] = {}

    def want(self, model: Any, ids: Iterable[Any]) -> None:
        self.wanted[model].update([pk for pk in ids if pk][:MOST])

    def load(self) -> None:
        """Two queries at the most for each model."""
        for model, ids in self.wanted.items():
            if ids:
                self.known[model] = self._living(model, ids)

    def hide(self, model: Any, ids: Iterable[int]) -> None:
        """Of these the reader is told no title, whatever else he may see of them."""
        for pk in ids:
            self.known.get(model, {}).pop(pk, None)

    def tell(self, model: Any, ids: Iterable[Any]) -> str:
        """A line for each that the reader may see, and one for the others."""
        ids = [pk for pk in ids if pk]
        known = self.known.get(model, {})
        lines = [known[pk] for pk in ids[:MOST] if pk in known]
        hidden = len(ids[:MOST]) - len(lines)
        if hidden:
            text = ngettext("%(count)d that you may not see", "%(count)d that you may not see", hidden)
            lines.append(text % {"count": hidden})
        more = len(ids) - MOST
        if more > 0:
            lines.append(ngettext("and %(count)d more", "and %(count)d more", more) % {"count": more})
        return "\n".join(lines)

    def _living(self, model: Any, ids: set[int]) -> dict[int, str]:
        columns = [name for name in RIGHTS if _has(model, name)]
        found = model._default_manager.filter(pk__in=ids).only("pk", *title_columns(model), *columns).order_by()
        titles: dict[int, str] = {}
        living = set()
        for row in found:
            living.add(row.pk)
            if not hasattr(model, "published_at") or rules.can_read(self.user, row, model):
                is_trash = getattr(row, "status", "") == Status.TRASH
                titles[row.pk] = _("%(title)s (in the trash)") % {"title": row} if is_trash else title_of(row)
        return titles | self._gone(model, ids - living)

    def _gone(self, model: Any, ids: set[int]) -> dict[int, str]:
        """What was deleted, by its last state: whoever could have changed it knows it. Else by its number."""
        if not ids or not hasattr(model, "history"):
            return {}
        columns = [name for name in RIGHTS if _has(model, name)]
        states = model.history.filter(id__in=ids, history_kind=Kind.DELETED).order_by("history_id")
        states = list(states.only("id", *title_columns(model.history.model), *columns))
        # Of what nothing is kept any more, nothing is hidden either.
        titles = {pk: f"#{pk}" for pk in ids - {state.id for state in states}}
        for state in states:
            if not hasattr(state, "author_id") or rules.can_edit(self.user, state, model):
                titles[state.id] = title_of(state)
        return {pk: _("%(title)s (deleted)") % {"title": title} for pk, title in titles.items()}


def _has(model: Any, name: str) -> bool:
    return any(field.name == name for field in model._meta.concrete_fields)
