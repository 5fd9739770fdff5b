"""Comparing two texts side by side, and converting HTML to lines that can be compared."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from itertools import takewhile
from typing import NamedTuple

from calendar_site.core.text.plain_text import unescape_references

# Longer texts are marked as changed as a whole: comparing words takes quadratic time.
MAX_WORDS = 600

_LINK = re.compile(r'<a\b[^>]*?\bhref="([^"]*)"[^>]*>(.*?)</a>', re.I | re.S)
_IMAGE = re.compile(r'<img\b[^>]*?\bsrc="([^"]*)"[^>]*>', re.I)
_ITEM = re.compile(r"<li\b[^>]*>", re.I)
_STRONG = re.compile(r"</?(?:strong|b)\b[^>]*>", re.I)
_EMPHASIS = re.compile(r"</?(?:em|i)\b[^>]*>", re.I)
_LINE_END = re.compile(r"<(?:br|hr)\b[^>]*>|</(?:p|div|h[1-6]|li|ul|ol|blockquote|pre|tr|table|figure)>", re.I)
_TAG = re.compile(r"<[^>]*>")
_BLANKS = re.compile(r"\s+")
_BLANKS_IN_A_LINE = re.compile(r"[^\S\n]+")
# Quadratic in the length of a run of whitespace without a line end, so such runs are collapsed first.
_LINES = re.compile(r"\s*\n\s*")
# Whitespace belongs to the word or line after it: as words of its own it would double the number of words.
_LINE = re.compile(r"\n?[^\n]+|\n")
_WORD = re.compile(r"\s*\w+|\s*[^\w\s]|\s+")


# Start and end in the first and in the second list, and whether the two differ.
_Span = tuple[int, int, int, int, bool]


class DiffPiece(NamedTuple):
    """A piece of one text, and whether the other text lacks it."""

    text: str
    is_changed: bool


def html_to_compared_lines(markup: str) -> str:
    """Return HTML as lines of text, with the URLs of links and images, and asterisks around emphasis."""
    text = _BLANKS.sub(" ", markup)
    text = _LINK.sub(r"\2 &lt;\1&gt;", text)
    text = _IMAGE.sub(r" &lt;\1&gt; ", text)
    text = _EMPHASIS.sub("*", _STRONG.sub("**", _ITEM.sub("• ", text)))
    text = unescape_references(_TAG.sub("", _LINE_END.sub("\n", text)))
    return _LINES.sub("\n", _BLANKS_IN_A_LINE.sub(" ", text)).strip()


def side_by_side(
    before: str, after: str, *, by_words: bool = True, max_words: int = MAX_WORDS
) -> tuple[list[DiffPiece], list[DiffPiece]]:
    """Split both texts into pieces that are equal or changed, compared by words or by lines.

    If more than `max_words` words or lines may differ, they are one changed piece.
    """
    pattern, blank = (_WORD, " ") if by_words else (_LINE, "\n")
    old, new = (pattern.findall(text) for text in (before, after))
    # Compare stripped words, because the first word of a text has no whitespace before it.
    spans = _spans([word.strip(blank) for word in old], [word.strip(blank) for word in new], max_words)
    left = [("".join(old[a:b]), is_changed) for a, b, _c, _d, is_changed in spans]
    right = [("".join(new[c:d]), is_changed) for _a, _b, c, d, is_changed in spans]
    return _join_pieces(left), _join_pieces(right)


def _spans(old: list[str], new: list[str], max_words: int) -> list[_Span]:
    """Return the spans of both lists that are equal or changed, in order."""
    first = _common_prefix_length(old, new)
    last = _common_prefix_length(old[first:][::-1], new[first:][::-1])
    ends = len(old) - last, len(new) - last
    inner = _compare(old[first : ends[0]], new[first : ends[1]], max_words)
    return [
        (0, first, 0, first, False),
        *((first + a, first + b, first + c, first + d, is_changed) for a, b, c, d, is_changed in inner),
        (ends[0], len(old), ends[1], len(new), False),
    ]


def _common_prefix_length(one: list[str], other: list[str]) -> int:
    """Return the number of words that both lists begin with."""
    return sum(1 for _pair in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _compare(old: list[str], new: list[str], max_words: int) -> list[_Span]:
    if not old or not new or max(len(old), len(new)) > max_words:
        return [(0, len(old), 0, len(new), True)]
    return [(a, b, c, d, kind != "equal") for kind, a, b, c, d in SequenceMatcher(None, old, new).get_opcodes()]


def _join_pieces(spans: list[tuple[str, bool]]) -> list[DiffPiece]:
    """Join adjacent pieces of the same kind. The whitespace before a changed piece goes to the piece before it."""
    pieces: list[DiffPiece] = []
    for text, is_changed in spans:
        if is_changed and pieces and text.startswith((" ", "\n")):
            pieces[-1] = DiffPiece(pieces[-1].text + text[0], pieces[-1].is_changed)
            text = text[1:]
        if text and pieces and pieces[-1].is_changed == is_changed:
            pieces[-1] = DiffPiece(pieces[-1].text + text, is_changed)
        elif text:
            pieces.append(DiffPiece(text, is_changed))
    return pieces
