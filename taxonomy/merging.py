"""Making one category or tag of several that mean the same."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from calendar_site.content.choices import Status
from calendar_site.content.history import Kind
from calendar_site.content.merging import as_they_are, lacking, relink, taken
from calendar_site.content.recording import meaning
from calendar_site.content.transactions import writing
from taxonomy.models import Category, Tag
from taxonomy.services import delete_term, save_term

AnyTerm = TypeVar("AnyTerm", Category, Tag)


def merge_terms(kept: AnyTerm, others: Iterable[AnyTerm], user: Any) -> AnyTerm:
    """Terms as one: `kept`, with the events and, of categories, the children of the others, which are gone for good.

    Raises PermissionDenied where the user may not change one of them, and ValidationError.
    """
    links = kept.events.through._default_manager.all()
    with writing():
        kept, *others = as_they_are([kept, *others], user)
        events = relink(links, str(kept._meta.model_name), kept, others)
        fields = {name: value for name, value in lacking(kept, others).items() if name == "description"}
        if isinstance(kept, Category):
            fields["parent"] = _parent_outside(kept, {other.pk for other in others})
            # First this, so that no category is for a moment below itself.
            save_term(kept, fields, user)
            Category.objects.filter(parent__in=[other.pk for other in others]).exclude(pk=kept.pk).update(parent=kept)
        merged = [other.pk for other in others]
        for other in others:
            with meaning(other, merged_into=kept.pk, **taken(events, other)):
                delete_term(other, user)
        with meaning(kept, Kind.MERGED, merged=merged):
            kept.event_count = kept.events.filter(status=Status.PUBLISH).count()
            save_term(kept, fields, user)
    return kept


def _parent_outside(kept: Category, going: set[int]) -> Category | None:
    """The parent of `kept`; above all that go, where one of them is above it: it takes their place."""
    above, parent = kept.parent, kept.parent
    while above is not None:
        if above.pk in going:
            parent = above.parent
        above = above.parent
    return parent
