"""The titles of the records that a revision links to, if the user may see them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from django.db.models import Model
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from calendar_site.audit.models import ChangeKind
from calendar_site.core import permissions
from calendar_site.core.choices import Status
from calendar_site.core.types import AnyUser, HasId

# The columns that may contain a title, in the order of preference.
TITLE_FIELDS = ("title", "name", "label", "username", "alt")
# The columns that decide whether a user may see a record.
PERMISSION_FIELDS = ("status", "author", "published_at")
# The other records of a longer list are counted.
MAX_TITLES = 50


def title_of(row: HasId) -> str:
    """Return the title of a record or of a revision, or `#` and its id if it has none."""
    titles = (getattr(row, name, "") for name in TITLE_FIELDS)
    return str(next(filter(None, titles), "")) or f"#{row.id}"


def title_columns(model: type[Model]) -> list[str]:
    """Return the columns that `title_of` reads, of a model or of its revisions."""
    return [name for name in TITLE_FIELDS if _has_column(model, name)]


class Titles:
    """Titles by model and id: call `request()` for all of them, then `load()` once, then `format()`."""

    def __init__(self, user: AnyUser) -> None:
        self.user = user
        self.requested: dict[type[Model], set[int]] = defaultdict(set)
        self.loaded: dict[type[Model], dict[int, str]] = {}

    def request(self, model: type[Model], ids: Iterable[int | None]) -> None:
        self.requested[model].update([pk for pk in ids if pk][:MAX_TITLES])

    def load(self) -> None:
        """Load the requested titles. Two queries at most for each model."""
        for model, ids in self.requested.items():
            if ids:
                self.loaded[model] = self._existing_titles(model, ids)

    def hide(self, model: type[Model], ids: Iterable[int]) -> None:
        """Hide these titles, even if the user may see them elsewhere."""
        for pk in ids:
            self.loaded.get(model, {}).pop(pk, None)

    def format(self, model: type[Model], ids: Iterable[int | None]) -> str:
        """Return a line for each record that the user may see, and one with the number of the others."""
        ids = [pk for pk in ids if pk]
        titles = self.loaded.get(model, {})
        lines = [titles[pk] for pk in ids[:MAX_TITLES] if pk in titles]
        hidden = len(ids[:MAX_TITLES]) - len(lines)
        if hidden:
            text = ngettext("%(count)d not visible to you", "%(count)d not visible to you", hidden)
            lines.append(text % {"count": hidden})
        more = len(ids) - MAX_TITLES
        if more > 0:
            lines.append(ngettext("and %(count)d more", "and %(count)d more", more) % {"count": more})
        return "\n".join(lines)

    def _existing_titles(self, model: type[Model], ids: set[int]) -> dict[int, str]:
        columns = [name for name in PERMISSION_FIELDS if _has_column(model, name)]
        rows: Any = model._default_manager.filter(pk__in=ids)
        titles: dict[int, str] = {}
        existing = set()
        for row in rows.only("pk", *title_columns(model), *columns).order_by():
            existing.add(row.pk)
            if not hasattr(model, "published_at") or permissions.can_read(self.user, row, model):
                is_trash = getattr(row, "status", "") == Status.TRASH
                titles[row.pk] = _("%(title)s (in the trash)") % {"title": row} if is_trash else title_of(row)
        return titles | self._deleted_titles(model, ids - existing)

    def _deleted_titles(self, model: Any, ids: set[int]) -> dict[int, str]:
        """Return the titles of deleted records from their last revision, for users who could have edited them."""
        if not ids or not hasattr(model, "history"):
            return {}
        columns = [name for name in PERMISSION_FIELDS if _has_column(model, name)]
        revisions = model.history.filter(id__in=ids, history_kind=ChangeKind.DELETED).order_by("history_id")
        revisions = list(revisions.only("id", *title_columns(model.history.model), *columns))
        # Records without a revision have no title left that could be hidden.
        titles = {pk: f"#{pk}" for pk in ids - {revision.id for revision in revisions}}
        for revision in revisions:
            if not hasattr(revision, "author_id") or permissions.can_edit(self.user, revision, model):
                titles[revision.id] = title_of(revision)
        return {pk: _("%(title)s (deleted)") % {"title": title} for pk, title in titles.items()}


def _has_column(model: type[Model], name: str) -> bool:
    return any(field.name == name for field in model._meta.concrete_fields)
