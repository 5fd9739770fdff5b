"""Merge duplicate categories or tags."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from calendar_site.audit.models import ChangeKind
from calendar_site.audit.recorder import MERGED_RECORDS, Action
from calendar_site.content.merge import EventsBeforeMerge, merged_into, missing_values, move_links, reload_for_merge
from calendar_site.content.services import unlinked_events
from calendar_site.core.choices import Status
from calendar_site.core.types import AnyUser
from calendar_site.core.write_lock import write_lock
from taxonomy.models import Category, Tag
from taxonomy.services import TermChanges, delete_term, save_term

AnyTerm = TypeVar("AnyTerm", Category, Tag)


def merge_terms(kept: AnyTerm, *, others: Iterable[AnyTerm], user: AnyUser) -> AnyTerm:
    """Merge other terms into `kept`, which gets their events and children; delete the others permanently.

    Raises ValidationError, and PermissionDenied if the user may not merge one of them.
    """
    links = kept.events.through._default_manager.all()
    with write_lock():
        kept, merged = reload_for_merge(kept, others, user)
        ids = [term.pk for term in merged]
        events = move_links(links, str(kept._meta.model_name), kept, merged)
        changes: TermChanges = {}
        if description := missing_values(kept, merged).get("description"):
            changes["description"] = description
        if isinstance(kept, Category):
            changes["parent"] = _parent_after_merge(kept, set(ids))
            # Must come first, so that no category is ever below itself.
            Category.objects.filter(pk=kept.pk).update(parent=changes["parent"])
            Category.objects.filter(parent__in=ids).exclude(pk=kept.pk).update(parent=kept)
        for term in merged:
            before = events.get(term.pk, EventsBeforeMerge({}, []))
            delete_term(term, user=user, action=merged_into(kept, unlinked_events(before.positions)))
        kept.event_count = kept.events.filter(status=Status.PUBLISH).found_by_terms().count()
        action = Action(ChangeKind.MERGED, extra={MERGED_RECORDS: ids})
        save_term(kept, changes=changes, user=user, action=action)
    return kept


def _parent_after_merge(kept: Category, merged_ids: set[int]) -> Category | None:
    """Return the parent of `kept`, or the parent of the topmost merged ancestor, which `kept` replaces."""
    ancestor, parent = kept.parent, kept.parent
    while ancestor is not None:
        if ancestor.pk in merged_ids:
            parent = ancestor.parent
        ancestor = ancestor.parent
    return parent
