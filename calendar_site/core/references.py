"""References to records by id, slug or name, or by a text that becomes a slug when it is cleaned."""

from __future__ import annotations

from typing import Any, cast

from django.db.models import CharField, Q

from calendar_site.core.compiled_querysets import AnyRows, fetch_columns
from calendar_site.core.slugs import decode_slug, slugify
from calendar_site.core.text import name_key

# Databases have no ids with more digits.
MAX_ID_DIGITS = 18


def find_by_references(rows: AnyRows, references: list[str]) -> dict[str, int]:
    """Return the ids of the rows that these ids, slugs and names mean, without the unknown ones. One query.

    A number is an id if there is one, else a slug or name, never both (D27). A text that is neither may be one that
    becomes a slug when it is cleaned.
    """
    ids = {text: int(text) for text in references if text.isdecimal() and len(text) <= MAX_ID_DIGITS}
    return _find(rows, references, ids=ids, cleaned_slugs={text: slugify(text) for text in references})


def find_by_names(rows: AnyRows, names: list[str]) -> dict[str, int]:
    """Return the ids of the rows with these slugs or names, without the unknown ones. One query, none without names."""
    return _find(rows, names, ids={}, cleaned_slugs={}) if names else {}


def _find(rows: Any, texts: list[str], *, ids: dict[str, int], cleaned_slugs: dict[str, str]) -> dict[str, int]:
    """Find rows, which have a `slug` and a `name_key`; the first of several with the same name is taken."""
    key_length = cast("CharField", rows.model._meta.get_field("name_key")).max_length
    keys = {text: name_key(text)[:key_length] for text in texts}
    slugs = {text: decode_slug(text) for text in texts}
    known = rows.filter(
        Q(pk__in=set(ids.values()))
        | rows.slug_q({*slugs.values(), *keys.values(), *cleaned_slugs.values()})
        | Q(name_key__in=set(keys.values()))
    )
    found = fetch_columns(known.order_by("-pk"), ("pk", "slug", "name_key"))
    known_ids = {pk for pk, _slug, _key in found}
    by_slug = {slug: pk for pk, slug, _key in found}
    by_key = {key: pk for pk, _slug, key in found}
    meant: dict[str, int] = {}
    for text in texts:
        key, cleaned = keys[text], cleaned_slugs.get(text, "")
        pk = ids[text] if ids.get(text) in known_ids else None
        pk = pk or by_slug.get(slugs[text]) or by_slug.get(key) or by_key.get(key) or by_slug.get(cleaned)
        if pk:
            meant[text] = pk
    return meant
