"""The record whose events a calendar shows: a category, a tag, a venue or an organizer."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse

from calendar_site.core.http.allowed_methods import View, read_only
from calendar_site.core.slugs import decode_slug
from calendar_site.website.moved_pages import respond_to_former_slug
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


def find_scope(request: HttpRequest, kind: str, slug: str) -> CalendarScope | None:
    """Return the record with this slug, None if there is none or the user may not see it. One query."""
    record = KINDS[kind].rows(request).filter(slug=decode_slug(slug)).first()
    return CalendarScope(KINDS[kind], record) if record else None


def respond_without_scope(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """Respond to a request for a record that `find_scope()` does not find. Raises Http404."""
    rows = KINDS[kind].rows(request)
    return respond_to_former_slug(request, rows.model, KINDS[kind].path, slug, rows)


def with_scope(kind: str) -> Callable[[Callable[[HttpRequest, CalendarScope], HttpResponse]], View]:
    """Return a decorator for the page of a record of a kind: `view(request, scope)`."""

    def decorate(view: Callable[[HttpRequest, CalendarScope], HttpResponse]) -> View:
        @read_only
        @wraps(view)
        def respond(request: HttpRequest, slug: str) -> HttpResponse:
            scope = find_scope(request, kind, slug)
            return view(request, scope) if scope else respond_without_scope(request, kind, slug)

        return respond

    return decorate
