"""Restore subcategories and event counts when a merge of categories or tags is undone."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from calendar_site.audit.recorder import MOVED_CHILDREN, ExtraState
from calendar_site.content.signals import merge_undone
from taxonomy.models import Category, Tag
from taxonomy.services import count_events


@receiver(merge_undone, sender=Category)
def take_back_children(kept: int, restored: int, unlinked: ExtraState, **kwargs: Any) -> None:
    """Move the subcategories that the kept category got, and still has, below the restored one again.

    As when they were merged, their own histories record nothing.
    """
    children = Category.objects.filter(pk__in=unlinked.get(MOVED_CHILDREN, []), parent=kept)
    # Somebody may have moved the parent of the restored category below one of them.
    children.exclude(pk__in=Category.objects.ancestor_ids(restored)).update(parent=restored)


@receiver(merge_undone, sender=Category)
@receiver(merge_undone, sender=Tag)
def recount_events(sender: type[Category | Tag], kept: int, restored: int, **kwargs: Any) -> None:
    """Update the event counts of both terms."""
    for term in sender._default_manager.filter(pk__in=(kept, restored)):
        sender._default_manager.filter(pk=term.pk).update(event_count=count_events(term))
