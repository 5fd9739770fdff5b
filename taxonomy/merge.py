"""Merge duplicate categories or tags."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from calendar_site.audit.models import ChangeKind
from calendar_site.audit.recorder import (
    FORMER_PARENT,
    MERGED_RECORDS,
    MOVED_CHILDREN,
    Action,
    record_deletion,
)
from calendar_site.content.merge import merged_into, missing_values, move_links, reload_for_merge
from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.types import AnyUser
from taxonomy.models import Category, Tag
from taxonomy.services import TermChanges, count_events, save_term

AnyTerm = TypeVar("AnyTerm", Category, Tag)


def merge_terms(kept: AnyTerm, *, others: Iterable[AnyTerm], user: AnyUser) -> AnyTerm:
    """Merge other terms into `kept`, which gets their events and children; delete the others permanently.

    Their last revisions contain the data to undo the merge; parents come before their children. Raises ValidationError,
    and PermissionDenied if the user may not merge one of them.
    """
    links = kept.events.through._default_manager.all()
    with write_lock():
        kept, merged = reload_for_merge(kept, others, user)
        ids: list[int] = [term.pk for term in merged]
        events = move_links(links, str(kept._meta.model_name), kept, merged)
        extra: dict[Any, dict[str, Any]] = {term.pk: dict(merged_into(kept, events.get(term.pk))) for term in merged}
        kept_extra: dict[str, Any] = {MERGED_RECORDS: ids}
        changes: TermChanges = {}
        if description := missing_values(kept, merged).get("description"):
            changes["description"] = description
        if isinstance(kept, Category):
            by_id: dict[int | None, Category] = {category.pk: category for category in merged}
            merged.sort(key=lambda category: _count_merged_parents(category, by_id))
            children = Category.objects.filter(parent__in=ids).exclude(pk__in=[kept.pk, *ids]).order_by("pk")
            for child in children:
                extra[child.parent_id].setdefault(MOVED_CHILDREN, []).append(child.pk)
            kept_extra[FORMER_PARENT] = kept.parent_id
            changes["parent"] = _parent_after_merge(kept, set(ids))
            # Must come first, so that no category is ever below itself.
            Category.objects.filter(pk=kept.pk).update(parent=changes["parent"])
            children.update(parent=kept)
        record_deletion(merged, user, extra=extra)
        type(kept)._default_manager.filter(pk__in=ids).delete()
        kept.event_count = count_events(kept)
        save_term(kept, changes=changes, user=user, action=Action(ChangeKind.MERGED, extra=kept_extra))
    return kept


def _count_merged_parents(category: Category, merged: Mapping[int | None, Category]) -> int:
    """Return how many of its nearest ancestors are merged as well, without another one in between."""
    parent = merged.get(category.parent_id)
    return 0 if parent is None else 1 + _count_merged_parents(parent, merged)


def _parent_after_merge(kept: Category, merged_ids: set[int]) -> Category | None:
    """Return the parent of `kept`, or the parent of the topmost merged ancestor, which `kept` replaces."""
    ancestor, parent = kept.parent, kept.parent
    while ancestor is not None:
        if ancestor.pk in merged_ids:
            parent = ancestor.parent
        ancestor = ancestor.parent
    return parent
