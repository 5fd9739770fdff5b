"""Text made comparable: what search and slugs look at."""

from __future__ import annotations

import re
import unicodedata

# Latin letters that Unicode does not take apart into a letter and an accent.
_LATIN = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "þ": "th", "ı": "i", "ħ": "h"}
)
_ACCENTS = re.compile("[\u0300-\u036f]+")
_LATIN_ACCENTS = re.compile("(?<=[a-zA-Z])[\u0300-\u036f]+")


def fold(text: str) -> str:
    """`text` without differences of case and accent, for comparing in any script."""
    apart = unicodedata.normalize("NFKD", text.casefold()).casefold().translate(_LATIN)
    return unicodedata.normalize("NFC", _ACCENTS.sub("", apart)).casefold()


def without_latin_accents(text: str) -> str:
    """Lower-case `text` with plain Latin letters; letters of other scripts keep their marks."""
    # Lowered again, since taking letters apart uncovers capitals: 𝓐 is an A.
    apart = unicodedata.normalize("NFKD", text.lower()).lower().translate(_LATIN)
    return unicodedata.normalize("NFC", _LATIN_ACCENTS.sub("", apart))


def words(query: str) -> list[str]:
    """The folded words of a search, each once."""
    return list(dict.fromkeys(fold(query).split()))


def name_key(name: str) -> str:
    """What two names must share to be the same name: capitals and blanks apart."""
    return " ".join(name.casefold().split())[:500]
