"""Normalizing text for search, slugs and the comparison of names."""

from __future__ import annotations

import re
import unicodedata

# Latin letters that Unicode does not decompose into a letter and an accent.
_LATIN = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "þ": "th", "ı": "i", "ħ": "h"}
)
_ACCENTS = re.compile("[\u0300-\u036f]+")
_LATIN_ACCENTS = re.compile("(?<=[a-zA-Z])[\u0300-\u036f]+")

MAX_KEY_LENGTH = 500


def normalize_for_search(text: str) -> str:
    """Return `text` without differences of case and accents, in any script."""
    decomposed = unicodedata.normalize("NFKD", text.casefold()).casefold().translate(_LATIN)
    return unicodedata.normalize("NFC", _ACCENTS.sub("", decomposed)).casefold()


def strip_latin_accents(text: str) -> str:
    """Return `text` in lower case and without accents on Latin letters; other scripts keep their marks."""
    # Lowered again, because decomposing may produce capitals: 𝓐 becomes A.
    decomposed = unicodedata.normalize("NFKD", text.lower()).lower().translate(_LATIN)
    return unicodedata.normalize("NFC", _LATIN_ACCENTS.sub("", decomposed))


def search_words(query: str) -> list[str]:
    """Return the normalized words of a search query without duplicates."""
    return list(dict.fromkeys(normalize_for_search(query).split()))


def name_key(name: str) -> str:
    """Return a key that is equal for names that differ only in case and blanks."""
    return " ".join(name.casefold().split())[:MAX_KEY_LENGTH]
