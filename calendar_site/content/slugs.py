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

    Costs a query, or a few where many are taken. Nobody may take the slug between this and the save: call it inside
    `writing()`.
    """
    base = slugify(text) or fallback
    if not rows.filter(slug=base).exists():
        return base
    stem, first, amount = base[: SLUG_LENGTH - 8].strip("-"), 2, 20
    while True:
        numbered = [f"{stem}-{number}" for number in range(first, first + amount)]
        # Asked for by their names: databases do not find beginnings of texts by the index that keeps slugs unique.
        taken = set(rows.filter(slug__in=numbered).values_list("slug", flat=True))
        if free := next((slug for slug in numbered if slug not in taken), None):
            return free
        first, amount = first + amount, amount * 10
