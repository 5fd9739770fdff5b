"""Normalizing text for search, slugs and the comparison of names, and joining texts."""

from __future__ import annotations

import html
import re
import unicodedata
from functools import lru_cache

from django.utils.text import Truncator
from django.utils.translation import gettext as _

# Latin letters that Unicode does not decompose into a letter and an accent.
_LATIN = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "þ": "th", "ı": "i", "ħ": "h"}
)
# Marks that are no letters of their own: accents, and the points of Hebrew, Arabic and Syriac, which most texts leave
# out. Not the vowels of Indic scripts and of Thai, without which a word is another one (D45).
_POINTS = (
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
    "\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u08d3-\u08e1\u08e3-\u08ff"
    "\u0711\u0730-\u074a"
)
_MARKS = re.compile(f"[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f{_POINTS}]+")
# What nobody sees: soft hyphens, spaces without width, joiners, marks of direction, variation selectors, and the line
# by which Arabic words are stretched.
INVISIBLE_CHARACTERS = re.compile(
    "[\u00ad\u034f\u061c\u0640\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]+"
)
# Letters that keyboards of other languages write for the same letter, or that are written one for the other.
_ARABIC_LETTERS = str.maketrans("یىکةہھ", "ييكههه")
# Quotation marks, apostrophes and dashes that people and word processors write instead of those on the keyboard.
_TYPOGRAPHY = str.maketrans(
    dict.fromkeys("‘’‚‛′ʹʼ´`", "'") | dict.fromkeys("“”„‟″«»", '"') | dict.fromkeys("‐‑‒–—―−", "-")
)
_POINT_MARKS = re.compile(f"[{_POINTS}]+")
_LATIN_ACCENTS = re.compile("(?<=[a-zA-Z])[\u0300-\u036f]+")

MAX_KEY_LENGTH = 500
# The limit of the normalized text of one field. Longer ones are ligatures only: U+FDFA alone becomes 18 letters.
MAX_SEARCH_TEXT_LENGTH = 100_000
# How many characters are normalized at a time, so that a long text is not normalized in vain.
_CHUNK_LENGTH = 10_000
# The marks on one base character (D33). No script needs more, and normalizing longer runs takes quadratic time.
MAX_COMBINING_MARKS = 30

# A character reference with more digits than any character has.
_LONG_NUMBER = re.compile("&#[0-9]{100,};?")

# The blocks of Unicode that have combining marks.
_MARK_BLOCKS = (range(0x300, 0x20000), range(0xE0100, 0xE01F0))


def limit_combining_marks(text: str) -> str:
    """Cut runs of combining marks to the first MAX_COMBINING_MARKS. Takes time linear in the length, in any script."""
    if text.isascii():
        return text
    # Not a regular expression: with marks beyond U+FFFF, it would take a hundred times as long.
    marks, kept, run = _combining_marks(), [], 0
    for char in text:
        run = run + 1 if char in marks else 0
        if run <= MAX_COMBINING_MARKS:
            kept.append(char)
    return "".join(kept)


@lru_cache(maxsize=1)
def _combining_marks() -> frozenset[str]:
    """Return all combining marks. Finding them takes some milliseconds."""
    chars = (chr(code) for block in _MARK_BLOCKS for code in block)
    return frozenset(char for char in chars if unicodedata.category(char).startswith("M"))


def shorten(text: str, length: int) -> str:
    """Return the first `length` characters of a text, with an ellipsis if there are more.

    Combining marks do not count. A Truncator alone would normalize all of the text, which takes quadratic time.
    """
    return Truncator(limit_combining_marks(text)[: (length + 1) * (MAX_COMBINING_MARKS + 1)]).chars(length)


def unescape_references(text: str) -> str:
    """Return HTML with its character references replaced by characters.

    A number that is no character, of however many digits, becomes the replacement character; `html.unescape()` fails
    for more digits than Python converts.
    """
    return html.unescape(_LONG_NUMBER.sub("\N{REPLACEMENT CHARACTER}", text))


def normalize_for_search(text: str) -> str:
    """Return `text` without differences of case and accents, in any script, and with ASCII quotes and dashes.

    The result is cut to MAX_SEARCH_TEXT_LENGTH.
    """
    text, chunks, length, start = limit_combining_marks(text), [], 0, 0
    while start < len(text) and length < MAX_SEARCH_TEXT_LENGTH:
        end = start + _CHUNK_LENGTH
        # Marks stay with their letter.
        while end < len(text) and unicodedata.combining(text[end]):
            end += 1
        chunks.append(_normalize(text[start:end]))
        length, start = length + len(chunks[-1]), end
    return "".join(chunks)[:MAX_SEARCH_TEXT_LENGTH]


def searchable_text(text: str) -> str:
    """Return plain text as it is searched: normalized, and on one line."""
    return normalize_for_search(join_lines(text))


def _normalize(text: str) -> str:
    if text.isascii():
        return text.translate(_TYPOGRAPHY).casefold()
    visible = INVISIBLE_CHARACTERS.sub("", text)
    decomposed = unicodedata.normalize("NFKD", visible.translate(_TYPOGRAPHY).casefold()).casefold().translate(_LATIN)
    letters = INVISIBLE_CHARACTERS.sub("", _MARKS.sub("", decomposed).translate(_ARABIC_LETTERS))
    return unicodedata.normalize("NFC", letters).casefold()


def strip_latin_accents(text: str) -> str:
    """Return `text` in lower case and without accents on Latin letters; other scripts keep their marks."""
    # Lowered again, because decomposing may produce capitals: 𝓐 becomes A.
    decomposed = unicodedata.normalize("NFKD", limit_combining_marks(text).lower()).lower().translate(_LATIN)
    return unicodedata.normalize("NFC", _LATIN_ACCENTS.sub("", decomposed))


def name_key(name: str) -> str:
    """Return a key that is equal for names that look the same, but for case and whitespace (D45).

    Invisible characters, points of Hebrew and Arabic, and how accents are encoded make no difference; accents do.
    """
    if not name.isascii():
        composed = unicodedata.normalize("NFC", limit_combining_marks(name).casefold())
        name = unicodedata.normalize("NFC", INVISIBLE_CHARACTERS.sub("", _POINT_MARKS.sub("", composed)))
    return " ".join(name.casefold().split())[:MAX_KEY_LENGTH]


def join_lines(text: str) -> str:
    """Return the text on one line, with single spaces."""
    return " ".join(text.split())


def join_label(label: str, text: str) -> str:
    """Return `label: text`, with the colon as the language of the user writes it."""
    return _("%(label)s: %(text)s") % {"label": label, "text": text}
