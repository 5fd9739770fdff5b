"""Writes of categories and tags."""

from __future__ import annotations

from typing import Any, TypeVar

from django.core.exceptions import PermissionDenied

from calendar_site.content import rules
from calendar_site.content.recording import TAKEN_FROM, record, record_deleted
from calendar_site.content.slugs import slugify, unique_slug
from calendar_site.content.transactions import writing
from taxonomy.models import Category, Tag, Term

AnyTerm = TypeVar("AnyTerm", Category, Tag)


class TermExists(Exception):
    """A term of this name is there already; `term` is it."""

    def __init__(self, term: Term) -> None:
        super().__init__(term.name)
        self.term = term


def save_term(term: AnyTerm, fields: dict[str, Any], user: Any) -> AnyTerm:
    """Writes validated `fields` by the model's names. Raises Django's ValidationError, as the admin form does."""
    with writing():
        set_term(term, fields)
        term.full_clean()
        term.save()
        record(term, user)
    return term


def set_term(term: Category | Tag, fields: dict[str, Any]) -> None:
    """Sets `fields` on the term, and its slug. Saves nothing; to set the same fields again changes nothing more."""
    for name, value in fields.items():
        if name != "slug":
            setattr(term, name, value)
    wanted = slugify(fields.get("slug") or "") or term.slug or term.name
    if wanted != term.slug:
        others = type(term)._default_manager.exclude(pk=term.pk)
        term.slug = unique_slug(others, wanted, fallback=str(term._meta.model_name))


def create_term(model: type[AnyTerm], fields: dict[str, Any], user: Any) -> AnyTerm:
    """A new term. Raises TermExists for a name that is taken, unless another slug is asked for.

    Names of categories are compared among the children of one parent, names of tags everywhere; capitals apart.
    Raises PermissionDenied for who may not create terms of this kind.
    """
    if not rules.can_create(user, model):
        raise PermissionDenied
    with writing():
        known = known_term(model, fields)
        if known:
            raise TermExists(known)
        return save_term(model(), fields, user)


def known_term(model: type[AnyTerm], fields: dict[str, Any]) -> AnyTerm | None:
    """The term that a new one with these fields would only repeat; see `create_term`."""
    same = model._default_manager.filter(name_key=model.key_of(fields["name"])).order_by("pk")
    if model is Category:
        same = same.filter(parent=fields.get("parent"))
    known = same.first()
    slug = slugify(fields.get("slug") or "")
    return known if known and slug in ("", known.slug) else None


def delete_term(term: Category | Tag, user: Any) -> None:
    """The term is gone for good; its events stay, and a category's children go to its parent.

    Its history tells which they were: each of them by itself would be a write for each.
    """
    with writing():
        others = {TAKEN_FROM: list(term.events.order_by("pk").values_list("pk", flat=True))}
        if isinstance(term, Category):
            # The parent that was read may have gone a moment ago, with this very deletion of several.
            term.refresh_from_db(fields=["parent"])
            others["children"] = list(term.children.order_by("pk").values_list("pk", flat=True))
            term.children.update(parent=term.parent_id)
        record_deleted([term], user, {term.pk: {name: ids for name, ids in others.items() if ids}})
        term.delete()
