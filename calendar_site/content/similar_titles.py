"""Titles that look like another one, by the trigrams that they share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from calendar_site.content.search_words import MIN_WORD_LENGTH, variants_of
from calendar_site.core.search.index import find_query
from calendar_site.core.text.plain_text import normalize_for_search
from calendar_site.derived.models import SearchWord

# The share of common trigrams from which two titles look alike.
MIN_SIMILARITY = 0.5
# How many words of a title are looked up, similar words for each of them, and rows for each of these.
MAX_WORDS = 3
MAX_SIMILAR_WORDS = 10
MAX_ROWS_OF_WORD = 100


def similarity(title: str, other: str) -> float:
    """Return the share of trigrams that two titles have in common, from 0 to 1, as `pg_trgm` computes it."""
    first, second = _trigrams(title), _trigrams(other)
    return len(first & second) / len(first | second) if first | second else 0.0


def most_similar(title: str, others: Iterable[str]) -> list[str]:
    """Return those of the other titles that look like this one, the most similar ones first."""
    found = sorted(((similarity(title, other), other) for other in dict.fromkeys(others)), reverse=True)
    return [other for share, other in found if share >= MIN_SIMILARITY]


def similar_titles(rows: Any, title: str) -> list[str]:
    """Return the titles of the rows that look like this one, the most similar ones first.

    Reads only rows with a word that is similar to one of the longest words of the title: two queries for each of these,
    and one.
    """
    ids: set[int] = set()
    for word in _similar_words(rows.model, title):
        if query := find_query(rows.model, [word]):
            ids.update(query.first_ids(MAX_ROWS_OF_WORD))
    return most_similar(title, rows.filter(pk__in=ids).values_list("title", flat=True)) if ids else []


def _similar_words(model: Any, title: str) -> list[str]:
    words = {word for word in normalize_for_search(title).split() if len(word) >= MIN_WORD_LENGTH}
    found: list[str] = []
    for word in sorted(words, key=lambda word: (-len(word), word))[:MAX_WORDS]:
        known = SearchWord.objects.filter(kind=model._meta.model_name, variant__in=variants_of(word))
        found += known.order_by("word").values_list("word", flat=True).distinct()[:MAX_SIMILAR_WORDS]
    return list(dict.fromkeys(found))


def _trigrams(title: str) -> set[str]:
    words = (f"  {word} " for word in normalize_for_search(title).split())
    return {word[start : start + 3] for word in words for start in range(len(word) - 2)}
