"""Normalizing text for search, slugs and the comparison of names, and joining texts."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from django.utils.translation import gettext as _

# Latin letters that Unicode does not decompose into a letter and an accent.
_LATIN = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "þ": "th", "ı": "i", "ħ": "h"}
)
_ACCENTS = re.compile("[\u0300-\u036f]+")
# Quotation marks, apostrophes and dashes that people and word processors write instead of those on the keyboard.
_TYPOGRAPHY = str.maketrans(
    dict.fromkeys("‘’‚‛′ʹʼ´`", "'") | dict.fromkeys("“”„‟″«»", '"') | dict.fromkeys("‐‑‒–—―−", "-")
)
_LATIN_ACCENTS = re.compile("(?<=[a-zA-Z])[\u0300-\u036f]+")

MAX_KEY_LENGTH = 500
# Of one base character (D33). No script needs more, and normalizing longer runs takes quadratic time.
MAX_COMBINING_MARKS = 30

# The blocks of Unicode that have combining marks.
_MARK_BLOCKS = (range(0x300, 0x20000), range(0xE0100, 0xE01F0))


def limit_combining_marks(text: str) -> str:
    """Cut runs of combining marks to the first MAX_COMBINING_MARKS."""
    return text if text.isascii() else _long_runs_of_marks().sub(r"\1", text)


@lru_cache(maxsize=1)
def _long_runs_of_marks() -> re.Pattern[str]:
    """Return the pattern, built at first use: finding the marks takes some milliseconds."""
    marks = "".join(
        chr(code) for block in _MARK_BLOCKS for code in block if unicodedata.category(chr(code)).startswith("M")
    )
    return re.compile(f"([{marks}]{{{MAX_COMBINING_MARKS}}})[{marks}]+")


def normalize_for_search(text: str) -> str:
    """Return `text` without differences of case and accents, in any script, and with ASCII quotes and dashes."""
    text = limit_combining_marks(text).translate(_TYPOGRAPHY).casefold()
    decomposed = unicodedata.normalize("NFKD", text).casefold().translate(_LATIN)
    return unicodedata.normalize("NFC", _ACCENTS.sub("", decomposed)).casefold()


def strip_latin_accents(text: str) -> str:
    """Return `text` in lower case and without accents on Latin letters; other scripts keep their marks."""
    # Lowered again, because decomposing may produce capitals: 𝓐 becomes A.
    decomposed = unicodedata.normalize("NFKD", limit_combining_marks(text).lower()).lower().translate(_LATIN)
    return unicodedata.normalize("NFC", _LATIN_ACCENTS.sub("", decomposed))


def name_key(name: str) -> str:
    """Return a key that is equal for names that differ only in case and whitespace."""
    return " ".join(name.casefold().split())[:MAX_KEY_LENGTH]


def join_label(label: str, text: str) -> str:
    """Return `label: text`, with the colon as the language of the user writes it."""
    return _("%(label)s: %(text)s") % {"label": label, "text": text}
