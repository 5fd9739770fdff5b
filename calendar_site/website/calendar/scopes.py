"""The record whose events a calendar shows: a category, a tag, a venue or an organizer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from calendar_site.core.slugs import decode_slug
from organizers.models import Organizer
from taxonomy.models import Category, Tag
from venues.models import Venue


class CalendarScopeKind(NamedTuple):
    """A kind of records. Their pages are below `path`, and `parameter` filters events by their ids."""

    path: str
    parameter: str
    rows: Callable[[HttpRequest], Any]


class CalendarScope(NamedTuple):
    """A record, by which all pages of a calendar are filtered."""

    kind: CalendarScopeKind
    record: Any

    @property
    def name(self) -> str:
        return str(self.record)

    @property
    def filters(self) -> dict[str, str]:
        return {self.kind.parameter: str(self.record.pk)}


def _visible(model: Any) -> Callable[[HttpRequest], Any]:
    # `visible_to` implies `not_trashed`, but the index of slugs needs exactly this condition.
    return lambda request: model.objects.visible_to(request.user).not_trashed()


KINDS = {
    "category": CalendarScopeKind("events/category", "categories", lambda _request: Category.objects.all()),
    "tag": CalendarScopeKind("events/tag", "tags", lambda _request: Tag.objects.all()),
    "venue": CalendarScopeKind("venue", "venue", _visible(Venue)),
    "organizer": CalendarScopeKind("organizer", "organizer", _visible(Organizer)),
}


def find_scope(request: HttpRequest, kind: str, slug: str) -> CalendarScope:
    """Return the record with this slug. One query. Raises Http404 if the user may not see it."""
    return CalendarScope(KINDS[kind], get_object_or_404(KINDS[kind].rows(request), slug=decode_slug(slug)))
