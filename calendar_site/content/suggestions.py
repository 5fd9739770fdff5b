"""Corrections of misspelled searches, by words in titles that everybody sees; see decision 0053."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any

from django.db.models import Model

from calendar_site.content.search_words import MAX_WORD_LENGTH, MIN_WORD_LENGTH, variants_of
from calendar_site.core.compiled_queries.querysets import CompiledQuerySet, count_rows, fetch_columns
from calendar_site.core.search.index import MAX_FOUND_ROWS, find_query
from calendar_site.core.search.query import SearchQuery
from calendar_site.derived.models import SearchWord

# Shorter words may differ by one change, longer ones by two.
MAX_LENGTH_FOR_ONE_CHANGE = 5
# How many words are corrected, similar words are compared, and looked up in titles, how many of those that everybody
# sees are candidates, and titles are counted for each.
MAX_CORRECTED_WORDS = 3
MAX_SIMILAR_WORDS = 1000
MAX_LOOKED_UP_WORDS = 100
MAX_CANDIDATES = 4
MAX_COUNTED_TITLES = 100


def suggest(text: str, model: type[Model]) -> str:
    """Return the search with misspelled words corrected, or "" if there is no correction for one of them.

    Words are correct if a row that everybody sees has them, and are corrected to words in the titles of such rows. All
    queries find their rows by indexes: one or two for each word, and a few for each of MAX_CORRECTED_WORDS.
    """
    query = SearchQuery.parse(text)
    similar = {word: _find_similar(word, model) for word in query.required}
    wrong = _find_wrong(query.required, similar, model)
    corrections = {word: _correct(word, similar[word], model) for word in wrong}
    if not corrections or not all(corrections.values()):
        return ""
    required = [corrections.get(word, word) for word in query.required]
    return " ".join([*map(_quoted, required), *(f"-{_quoted(word)}" for word in query.excluded)])


def _find_similar(word: str, model: type[Model]) -> set[str]:
    """Return words of titles that may be similar to the word. One query."""
    if not MIN_WORD_LENGTH <= len(word) <= MAX_WORD_LENGTH:
        return set()
    similar = CompiledQuerySet(SearchWord).filter(kind=model._meta.model_name, variant__in=variants_of(word))
    return {found for (found,) in fetch_columns(similar, ("word",), slice(0, MAX_SIMILAR_WORDS))}


def _find_wrong(words: Iterable[str], similar: dict[str, set[str]], model: type[Model]) -> list[str]:
    """Return the words that are not correct; none if some of them, or too many, cannot be corrected."""
    if not any(similar.values()):
        return []
    wrong: list[str] = []
    # First the words without a correction: one of them that is wrong decides.
    for word in sorted(words, key=lambda word: bool(similar[word])):
        if _is_known(model, word):
            continue
        if not similar[word] or len(wrong) == MAX_CORRECTED_WORDS:
            return []
        wrong.append(word)
    return wrong


def _correct(word: str, similar: set[str], model: type[Model]) -> str:
    """Return the most similar one of the similar words, among equally similar ones that of most titles, or "".

    Words that only hidden records have do not count as candidates: otherwise, the correction would tell which exist.
    """
    max_changes = 1 if len(word) <= MAX_LENGTH_FOR_ONE_CHANGE else 2
    changes = {other: count_changes(word, other) for other in similar}
    ordered = sorted((count, other) for other, count in changes.items() if count <= max_changes)
    titles = ((count, -_count_titles(model, other), other) for count, other in ordered[:MAX_LOOKED_UP_WORDS])
    candidates = islice((candidate for candidate in titles if candidate[1]), MAX_CANDIDATES)
    return next((other for _changes, _titles, other in sorted(candidates)), "")


def _count_titles(model: type[Model], word: str) -> int:
    """Count the rows that everybody sees and whose title has this word, up to a limit.

    The index also finds drafts and hidden records. Of more than MAX_FOUND_ROWS, only so many are read.
    """
    query = find_query(model, [word])
    if query is None:
        return 0
    rows = _seen_by_everybody(model)
    titles = rows.filter(query.is_one_of(query.first_ids(MAX_FOUND_ROWS)), rows.in_title_q(word))
    return count_rows(titles, MAX_COUNTED_TITLES)


def _is_known(model: type[Model], word: str) -> bool:
    """Return whether a row that everybody sees has this word, or the index cannot tell.

    A word in more than MAX_FOUND_ROWS records of any visibility is no misspelling, and looking through them takes long.
    """
    query = find_query(model, [word])
    if query is None:
        return True
    ids = query.first_ids(MAX_FOUND_ROWS + 1)
    if len(ids) > MAX_FOUND_ROWS:
        return True
    if not ids:
        return False
    return count_rows(_seen_by_everybody(model).filter(query.is_one_of(ids), search_text__contains=word), 1) > 0


def _seen_by_everybody(model: type[Model]) -> Any:
    return CompiledQuerySet(model).seen_by_everybody()


def count_changes(word: str, other: str) -> int:
    """Count the characters to add, remove, replace or swap with the next one, to change a word into the other."""
    before, last = [0] * (len(other) + 1), list(range(len(other) + 1))
    for row, char in enumerate(word, 1):
        current = [row]
        for column, other_char in enumerate(other, 1):
            cost = min(last[column] + 1, current[-1] + 1, last[column - 1] + (char != other_char))
            if row > 1 and column > 1 and char == other[column - 2] and word[row - 2] == other_char:
                cost = min(cost, before[column - 2] + 1)
            current.append(cost)
        before, last = last, current
    return last[-1]


def _quoted(term: str) -> str:
    return f'"{term}"' if " " in term else term
