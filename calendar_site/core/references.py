"""References to records by id, slug or name, or by a text that becomes a slug when it is cleaned."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, cast

from django.db.models import CharField, Q

from calendar_site.core.compiled_queries.querysets import AnyRows, fetch_columns, fetch_instances
from calendar_site.core.slugs import decode_slug, slugify
from calendar_site.core.text.plain_text import name_key

# Databases have no ids with more digits.
MAX_ID_DIGITS = 18


def find_by_references(rows: AnyRows, references: list[str]) -> dict[str, int]:
    """Return the ids of the rows that these ids, slugs and names mean, without the unknown ones. One query.

    A number is an id if there is one, else a slug or name, never both (D27). A text that is neither may be one that
    becomes a slug when it is cleaned.
    """
    ids = {text: int(text) for text in references if text.isdecimal() and len(text) <= MAX_ID_DIGITS}
    lookup = _ReferenceLookup(rows, references, ids, cleaned_slugs={text: slugify(text) for text in references})
    return lookup.ids_by_text(fetch_columns(lookup.rows, ("pk", "slug", "name_key")))


def find_by_names(rows: AnyRows, names: list[str]) -> dict[str, Any]:
    """Return the records with these slugs or names, without the unknown ones. One query, none without names."""
    if not names:
        return {}
    lookup = _ReferenceLookup(rows, names)
    records = {record.pk: record for record in fetch_instances(lookup.rows)}
    meant = lookup.ids_by_text([(pk, record.slug, record.name_key) for pk, record in records.items()])
    return {text: records[pk] for text, pk in meant.items()}


class _ReferenceLookup:
    """The lookup of rows, which have a `slug` and a `name_key`, by texts."""

    def __init__(
        self,
        rows: Any,
        texts: list[str],
        ids: Mapping[str, int] = MappingProxyType({}),
        cleaned_slugs: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.texts, self.ids, self.cleaned_slugs = texts, ids, cleaned_slugs
        key_length = cast("CharField", rows.model._meta.get_field("name_key")).max_length
        self.keys = {text: name_key(text)[:key_length] for text in texts}
        self.slugs = {text: decode_slug(text) for text in texts}
        # The first one of several rows with the same name is read last.
        self.rows = rows.filter(
            Q(pk__in=set(ids.values()))
            | rows.slug_q({*self.slugs.values(), *self.keys.values(), *cleaned_slugs.values()})
            | Q(name_key__in=set(self.keys.values()))
        ).order_by("-pk")

    def ids_by_text(self, found: list[Any]) -> dict[str, int]:
        """Return the id that each text means. `found` has the id, slug and name key of each of the `rows`."""
        known_ids = {pk for pk, _slug, _key in found}
        by_slug = {slug: pk for pk, slug, _key in found}
        by_key = {key: pk for pk, _slug, key in found}
        meant: dict[str, int] = {}
        for text in self.texts:
            key, cleaned = self.keys[text], self.cleaned_slugs.get(text, "")
            pk = self.ids[text] if self.ids.get(text) in known_ids else None
            pk = pk or by_slug.get(self.slugs[text]) or by_slug.get(key) or by_key.get(key) or by_slug.get(cleaned)
            if pk:
                meant[text] = pk
        return meant
