"""Slugs: the last part of the path of a record."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Any
from urllib.parse import unquote

from django.db import models

from calendar_site.core.compiled_queries.queries import CompiledQuery
from calendar_site.core.database.write_lock import lock_keys, try_lock_key
from calendar_site.core.text.plain_text import limit_combining_marks, strip_latin_accents

MAX_SLUG_LENGTH = 200

_DASHES = re.compile(r"[\s./\u2010-\u2015-]+")
_SIGNS = re.compile("[™®©]")
_PERCENT_ENCODED = re.compile("%[0-9a-f]{2}", re.IGNORECASE)
# A whole slug of another script as WordPress writes it.
_ENCODED_SLUG = re.compile("(?:[a-z0-9_-]|%[0-9a-f]{2})*%[89a-f][0-9a-f](?:[a-z0-9_-]|%[0-9a-f]{2})*", re.IGNORECASE)
_VARIATION_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")


def slugify(text: str) -> str:
    """Return lower-case words joined by dashes, without accents and punctuation; other scripts are kept.

    Returns "" if nothing is left. The rule is the contract's (wire.md, "Slugs"; D23, D25).
    """
    text = _SIGNS.sub("", decode_slug(text))
    slug = _DASHES.sub("-", strip_latin_accents(text).strip())
    return (
        _DASHES.sub("-", _keep_word_characters(_VARIATION_SELECTORS.sub("", slug)))
        .strip("-")[:MAX_SLUG_LENGTH]
        .strip("-")
    )


def decode_slug(slug: str) -> str:
    """Return the text of a percent-encoded slug, which WordPress uses for other scripts (D23), else the slug.

    Its accents are composed, as they are stored (D45).
    """
    if not _PERCENT_ENCODED.search(slug):
        return slug if slug.isascii() else unicodedata.normalize("NFC", limit_combining_marks(slug))
    try:
        decoded = unicodedata.normalize("NFC", limit_combining_marks(unquote(slug, errors="strict")))
    except UnicodeDecodeError:
        return slug
    # No text in a database contains NUL.
    return slug if "\0" in decoded else decoded


def decode_encoded_slug(text: str) -> str:
    """Return the decoded text if all of it is a percent-encoded slug, else the text, in which `%20` means itself."""
    return decode_slug(text) if _ENCODED_SLUG.fullmatch(text) else text


def _keep_word_characters(text: str) -> str:
    """Drop all but letters, digits, dashes, underscores and combining marks, which are the vowels of many scripts."""
    kept: list[str] = []
    takes_mark = False
    for char in text:
        is_mark = takes_mark and unicodedata.category(char) in ("Mn", "Mc")
        takes_mark = is_mark or char.isalnum()
        if takes_mark or char in "-_":
            kept.append(char)
    return "".join(kept)


def unique_slug(row: models.Model, text: str) -> str:
    """Return a slug of `text` that is free for the row, with `-2`, `-3` and so on appended if needed.

    The name of the model if nothing is left of the text. One query, or a few if many slugs are taken. Must run inside
    `write_lock()`, so that nobody takes the slug before the row is saved.
    """
    base = slugify(text) or str(row._meta.model_name)
    lock_keys([slug_key(type(row), base)])
    if is_free_slug(row, base):
        return base
    stem, first, count = base[: MAX_SLUG_LENGTH - 8].strip("-"), 2, 20
    while True:
        numbered = [f"{stem}-{number}" for number in range(first, first + count)]
        taken = _taken_slugs(row, numbered)
        for slug in numbered:
            # Not waiting for other writes: the next number is as good.
            if slug not in taken and try_lock_key(slug_key(type(row), slug)) and is_free_slug(row, slug):
                return slug
        first, count = first + count, count * 10


def slug_key(model: type[models.Model], slug: str) -> str:
    """Return the key to lock before a record gets this slug; see `lock_keys()`."""
    return f"slug {model._meta.label} {slug}"


def is_free_slug(row: models.Model, slug: str) -> bool:
    """Return whether no other row of the model has the slug. One query."""
    return not _taken_slugs(row, [slug])


def _taken_slugs(row: models.Model, slugs: list[str]) -> set[str]:
    """Return those of these slugs that other rows have."""
    # Search for exact values: databases cannot use the unique index for a search by prefix.
    query = _slugs_query(type(row), len(slugs))
    by_example = dict(zip(_example_slugs(len(slugs)), slugs, strict=True))
    found = query.run(by_example.get(value, value) for value in query.examples)
    return {slug for slug, pk in found if pk != row.pk}


@lru_cache
def _slugs_query(model: type[models.Model], count: int) -> CompiledQuery:
    rows: Any = model._default_manager.filter(slug__in=_example_slugs(count)).order_by()
    # The slug of a record in the trash is free for others.
    return CompiledQuery((rows.not_trashed() if hasattr(rows, "not_trashed") else rows).values_list("slug", "pk"))


def _example_slugs(count: int) -> list[str]:
    """Return placeholders that no slug is equal to."""
    return [f"/{number}" for number in range(count)]
