"""Two texts side by side: markup as people read it, and what was taken away and added."""

from __future__ import annotations

import html
import re
from difflib import SequenceMatcher
from itertools import takewhile
from typing import NamedTuple

# More words than these are told apart as a whole: finding what they share takes time by their square.
MOST_WORDS = 600

_LINK = re.compile(r'<a\b[^>]*?\bhref="([^"]*)"[^>]*>(.*?)</a>', re.I | re.S)
_IMAGE = re.compile(r'<img\b[^>]*?\bsrc="([^"]*)"[^>]*>', re.I)
_ITEM = re.compile(r"<li\b[^>]*>", re.I)
_STRONG = re.compile(r"</?(?:strong|b)\b[^>]*>", re.I)
_EMPHASIS = re.compile(r"</?(?:em|i)\b[^>]*>", re.I)
_LINE_END = re.compile(r"<(?:br|hr)\b[^>]*>|</(?:p|div|h[1-6]|li|ul|ol|blockquote|pre|tr|table|figure)>", re.I)
_TAG = re.compile(r"<[^>]*>")
_BLANKS = re.compile(r"\s+")
_BLANKS_IN_A_LINE = re.compile(r"[^\S\n]+")
# Takes time by the square of a run of blanks without an end of a line: for texts without such.
_LINES = re.compile(r"\s*\n\s*")
# What stands before a word or a line belongs to it: by itself it would be half of all that there is to compare.
_LINE = re.compile(r"\n?[^\n]+|\n")
_WORD = re.compile(r"\s*\w+|\s*[^\w\s]|\s+")


class Piece(NamedTuple):
    """A stretch of a text, and whether the other text lacks it."""

    text: str
    is_other: bool


def readable(markup: str) -> str:
    """HTML as lines of text, with the addresses of links and pictures, and with stars around what is emphasised."""
    text = _BLANKS.sub(" ", markup)
    text = _LINK.sub(r"\2 &lt;\1&gt;", text)
    text = _IMAGE.sub(r" &lt;\1&gt; ", text)
    text = _EMPHASIS.sub("*", _STRONG.sub("**", _ITEM.sub("• ", text)))
    text = html.unescape(_TAG.sub("", _LINE_END.sub("\n", text)))
    return _LINES.sub("\n", _BLANKS_IN_A_LINE.sub(" ", text)).strip()


def side_by_side(
    before: str, after: str, *, by_words: bool = True, most: int = MOST_WORDS
) -> tuple[list[Piece], list[Piece]]:
    """Both texts in pieces, word by word or line by line; as a whole where more than `most` of them may differ."""
    pattern, blank = (_WORD, " ") if by_words else (_LINE, "\n")
    old, new = (pattern.findall(text) for text in (before, after))
    # The first word of a text is the same one further on, behind a blank.
    spans = _spans([word.strip(blank) for word in old], [word.strip(blank) for word in new], most)
    left = [("".join(old[a:b]), is_other) for a, b, _c, _d, is_other in spans]
    right = [("".join(new[c:d]), is_other) for _a, _b, c, d, is_other in spans]
    return _joined(left), _joined(right)


def _spans(old: list[str], new: list[str], most: int) -> list[tuple[int, int, int, int, bool]]:
    """From where to where in the one and in the other they are the same, or not."""
    first = _shared(old, new)
    last = _shared(old[first:][::-1], new[first:][::-1])
    ends = len(old) - last, len(new) - last
    inner = _inner_spans(old[first : ends[0]], new[first : ends[1]], most)
    return [
        (0, first, 0, first, False),
        *((first + a, first + b, first + c, first + d, is_other) for a, b, c, d, is_other in inner),
        (ends[0], len(old), ends[1], len(new), False),
    ]


def _shared(one: list[str], other: list[str]) -> int:
    """How many words both begin with."""
    return sum(1 for _pair in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _inner_spans(old: list[str], new: list[str], most: int) -> list[tuple[int, int, int, int, bool]]:
    if not old or not new or max(len(old), len(new)) > most:
        return [(0, len(old), 0, len(new), True)]
    return [(a, b, c, d, kind != "equal") for kind, a, b, c, d in SequenceMatcher(None, old, new).get_opcodes()]


def _joined(stretches: list[tuple[str, bool]]) -> list[Piece]:
    """Neighbours that are alike as one piece; the blank before what is other stays with what is not."""
    pieces: list[Piece] = []
    for text, is_other in stretches:
        if is_other and pieces and text.startswith((" ", "\n")):
            pieces[-1] = Piece(pieces[-1].text + text[0], pieces[-1].is_other)
            text = text[1:]
        if text and pieces and pieces[-1].is_other == is_other:
            pieces[-1] = Piece(pieces[-1].text + text, is_other)
        elif text:
            pieces.append(Piece(text, is_other))
    return pieces
