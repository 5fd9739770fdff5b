"""The grammar of search queries: words, phrases in double quotes, and words to exclude (D19)."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from calendar_site.core.text.plain_text import normalize_for_search

# The limit of words and phrases, because the database searches the text of every record for each of them.
MAX_TERMS = 50

_PHRASE_OR_WORD = re.compile(r'(?P<sign>-?)"(?P<phrase>[^"]*)(?:"|$)|(?P<word>[^\s,+"]+)')


class SearchQuery(NamedTuple):
    """The normalized words and phrases that a text must contain, and those that it must not, without duplicates."""

    required: tuple[str, ...]
    excluded: tuple[str, ...]

    @staticmethod
    # The filter, the query of the rows and the suggestion of a request each parse the same text.
    @lru_cache(maxsize=16)
    def parse(text: str) -> SearchQuery:
        """Parse `text`. Whitespace, commas and plus signs separate words; a phrase may lack its last quotation mark."""
        required: dict[str, None] = {}
        excluded: dict[str, None] = {}
        for match in _PHRASE_OR_WORD.finditer(normalize_for_search(text)):
            if match["word"] is None:
                is_excluded, term = bool(match["sign"]), " ".join(match["phrase"].split())
            else:
                is_excluded, term = match["word"].startswith("-"), match["word"].lstrip("-")
            if term:
                (excluded if is_excluded else required)[term] = None
        return SearchQuery(tuple(required), tuple(excluded))

    @property
    def is_too_long(self) -> bool:
        return len(self.required) + len(self.excluded) > MAX_TERMS

    @property
    def has_words(self) -> bool:
        """Return whether any term has more than punctuation: a letter, a digit, or a picture such as an emoji."""
        return any(
            unicodedata.category(char)[0] in "LNM" or unicodedata.category(char) == "So"
            for term in (*self.required, *self.excluded)
            for char in term
        )

    @property
    def is_empty(self) -> bool:
        return not self.required and not self.excluded
