"""Slugs: the last part of a record's address."""

from __future__ import annotations

import re
import unicodedata

from django.db import models

from calendar_site.content.text import without_latin_accents

SLUG_LENGTH = 200

_DASHES = re.compile(r"[\s/_\u2010-\u2015-]+")
_VARIANTS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")


def slugify(text: str) -> str:
    """Lower-case words with dashes between: accents dropped, punctuation dropped, other scripts kept.

    "" where nothing is left. The rule is the contract's (wire.md, "Slugs").
    """
    slug = _DASHES.sub("-", without_latin_accents(text).strip())
    return _DASHES.sub("-", _kept(_VARIANTS.sub("", slug))).strip("-")[:SLUG_LENGTH].strip("-")


def _kept(text: str) -> str:
    """Letters, digits and dashes, with the marks on them, which are the vowels of many scripts."""
    kept: list[str] = []
    takes_mark = False
    for char in text:
        is_mark = takes_mark and unicodedata.category(char) in ("Mn", "Mc")
        takes_mark = is_mark or char.isalnum()
        if takes_mark or char == "-":
            kept.append(char)
    return "".join(kept)


def unique_slug(rows: models.QuerySet, text: str, fallback: str) -> str:
    """The slug of `text` that none of `rows` has; one that is taken gets `-2`, `-3`, and so on.

    Costs a query. Nobody may take the slug between this and the save: call it inside `writing()`.
    """
    base = slugify(text) or fallback
    stem = base[: SLUG_LENGTH - 8]
    taken = set(rows.filter(models.Q(slug=base) | models.Q(slug__startswith=f"{stem}-")).values_list("slug", flat=True))
    if base not in taken:
        return base
    number = 2
    while f"{stem}-{number}" in taken:
        number += 1
    return f"{stem}-{number}"
