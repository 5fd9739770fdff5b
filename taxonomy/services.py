"""Writes of categories and tags."""

from __future__ import annotations

from typing import TypedDict, TypeVar

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet

from calendar_site.audit.record_services import RecordServices
from calendar_site.audit.recorder import SAVE, UNLINKED_EVENTS, Action, record_deletion, record_revision
from calendar_site.core import permissions
from calendar_site.core.choices import Status
from calendar_site.core.database.write_lock import lock_keys, write_lock
from calendar_site.core.slugs import slug_key, slugify, unique_slug
from calendar_site.core.types import AnyUser
from calendar_site.former_slugs.services import PageMove, store_moves
from calendar_site.media.models import Image
from taxonomy.models import Category, Tag, Term

AnyTerm = TypeVar("AnyTerm", Category, Tag)


class TermExists(Exception):
    """A term with this name exists: `term`."""

    def __init__(self, term: Term) -> None:
        super().__init__(term.name)
        self.term = term


class TermChanges(TypedDict, total=False):
    """The fields of a term, by model field name; missing keys change nothing."""

    name: str
    slug: str | None
    description: str
    # Only categories have these.
    parent: Category | None
    color: str
    image: Image | None


def save_term(term: AnyTerm, *, changes: TermChanges, user: AnyUser, action: Action = SAVE) -> AnyTerm:
    """Validate and save a category or tag, and record it. Raises ValidationError; nothing is saved then."""
    with write_lock(parallel=term._state.adding):
        former_slug = term.slug
        apply_term(term, changes=changes, user=user)
        term.full_clean()
        if former_slug and former_slug != term.slug:
            store_moves([PageMove(term, former_slug)])
        term.save()
        record_revision(term, user, action=action)
    return term


def apply_term(term: Category | Tag, *, changes: TermChanges, user: AnyUser) -> None:
    """Set `changes` and the slug on the term, without saving it. Applying the same changes twice changes nothing."""
    for name, value in changes.items():
        if name != "slug":
            setattr(term, name, value)
    slug = slugify(changes.get("slug") or "") or term.slug or term.name
    if slug != term.slug:
        term.slug = unique_slug(term, slug)


def create_term(model: type[AnyTerm], *, changes: TermChanges, user: AnyUser) -> AnyTerm:
    """Create a term. Raises TermExists if the name is taken, unless `changes` contain another slug.

    Names of categories are compared among the children of one parent, names of tags among all, ignoring case. Raises
    PermissionDenied for users who may not create such terms.
    """
    if not permissions.can_create(user, model):
        raise PermissionDenied
    with write_lock(parallel=True):
        lock_keys(creation_keys(model, changes))
        known = known_term(model, changes=changes)
        if known:
            raise TermExists(known)
        return save_term(model(), changes=changes, user=user)


def creation_keys(model: type[Category] | type[Tag], changes: TermChanges) -> set[str]:
    """Return the keys to lock before a term is created."""
    base = slugify(changes.get("slug") or "") or slugify(changes["name"]) or str(model._meta.model_name)
    return {f"name {model._meta.label} {model.key_of(changes['name'])}", slug_key(model, base)}


def known_term(model: type[AnyTerm], *, changes: TermChanges) -> AnyTerm | None:
    """Return the existing term that a new one with these values would duplicate, or None; see `create_term`."""
    same = model._default_manager.filter(name_key=model.key_of(changes["name"])).order_by("pk")
    if model is Category:
        same = same.filter(parent=changes.get("parent"))
    known = same.first()
    slug = slugify(changes.get("slug") or "")
    return known if known and slug in ("", known.slug) else None


def delete_terms(terms: QuerySet[AnyTerm], *, user: AnyUser | None) -> int:
    """Delete the terms as `delete_term` does and return their number."""
    with write_lock():
        deleted = list(terms)
        for term in deleted:
            delete_term(term, user=user)
    return len(deleted)


def delete_term(term: Category | Tag, *, user: AnyUser | None) -> None:
    """Delete the term permanently, keep its events, and move a category's children to its parent.

    The last revision of the term contains the ids of its events and children. Their own histories record nothing,
    because that would be a write for each.
    """
    with write_lock():
        others = {UNLINKED_EVENTS: list(term.events.order_by("pk").values_list("pk", flat=True))}
        if isinstance(term, Category):
            # If several terms are deleted, the parent may have been deleted a moment ago.
            term.refresh_from_db(fields=["parent"])
            others["children"] = list(term.children.order_by("pk").values_list("pk", flat=True))
            term.children.update(parent=term.parent_id)
        extra = {term.pk: {name: ids for name, ids in others.items() if ids}}
        record_deletion([term], user, extra=extra)
        term.delete()


def count_events(term: Category | Tag) -> int:
    """Count the published events that visitors find by the term. One query."""
    return int(term.events.filter(status=Status.PUBLISH).found_by_terms().count())


category_services: RecordServices[Category] = RecordServices(save=save_term, apply=apply_term, delete=delete_terms)
tag_services: RecordServices[Tag] = RecordServices(save=save_term, apply=apply_term, delete=delete_terms)
