"""Two texts side by side: markup as people read it, and what was taken away and added."""

from __future__ import annotations

import html
import re
from difflib import SequenceMatcher
from itertools import takewhile
from typing import NamedTuple

# More words than these are told apart as a whole: finding what they share takes time by their square.
MOST_WORDS = 1500

_LINK = re.compile(r'<a\b[^>]*?\bhref="([^"]*)"[^>]*>(.*?)</a>', re.I | re.S)
_IMAGE = re.compile(r'<img\b[^>]*?\bsrc="([^"]*)"[^>]*>', re.I)
_ITEM = re.compile(r"<li\b[^>]*>", re.I)
_STRONG = re.compile(r"</?(?:strong|b)\b[^>]*>", re.I)
_EMPHASIS = re.compile(r"</?(?:em|i)\b[^>]*>", re.I)
_LINE_END = re.compile(r"<(?:br|hr)\b[^>]*>|</(?:p|div|h[1-6]|li|ul|ol|blockquote|pre|tr|table|figure)>", re.I)
_TAG = re.compile(r"<[^>]*>")
_BLANKS = re.compile(r"[^\S\n]+")
_LINES = re.compile(r"\s*\n\s*")
_LINE = re.compile(r"\n|[^\n]+")
_WORD = re.compile(r"\s+|\w+|[^\w\s]")


class Piece(NamedTuple):
    """A stretch of a text, and whether the other text lacks it."""

    text: str
    is_other: bool


def readable(markup: str) -> str:
    """HTML as lines of text, with the addresses of links and pictures, and with stars around what is emphasised."""
    text = _LINES.sub(" ", markup)
    text = _LINK.sub(r"\2 &lt;\1&gt;", text)
    text = _IMAGE.sub(r" &lt;\1&gt; ", text)
    text = _EMPHASIS.sub("*", _STRONG.sub("**", _ITEM.sub("• ", text)))
    text = html.unescape(_TAG.sub("", _LINE_END.sub("\n", text)))
    return _LINES.sub("\n", _BLANKS.sub(" ", text)).strip()


def side_by_side(before: str, after: str, *, by_words: bool = True) -> tuple[list[Piece], list[Piece]]:
    """Both texts in pieces, word by word or line by line."""
    old, new = ((_WORD if by_words else _LINE).findall(text) for text in (before, after))
    first = _shared(old, new)
    last = _shared(old[first:][::-1], new[first:][::-1])
    middle = (old[first : len(old) - last], new[first : len(new) - last])
    same = slice(0, first), slice(len(old) - last, None)
    inner = _told_apart(*middle)
    return (
        _joined([(old[same[0]], False), *((words, is_other) for words, is_other in inner[0]), (old[same[1]], False)]),
        _joined([(old[same[0]], False), *((words, is_other) for words, is_other in inner[1]), (old[same[1]], False)]),
    )


Stretches = list[tuple[list[str], bool]]


def _shared(one: list[str], other: list[str]) -> int:
    """How many words both begin with."""
    return sum(1 for _pair in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _told_apart(old: list[str], new: list[str]) -> tuple[Stretches, Stretches]:
    if not old or not new or max(len(old), len(new)) > MOST_WORDS:
        return [(old, True)], [(new, True)]
    left: Stretches = []
    right: Stretches = []
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        left.append((old[a:b], kind != "equal"))
        right.append((new[c:d], kind != "equal"))
    return left, right


def _joined(stretches: Stretches) -> list[Piece]:
    """Neighbours that are alike as one piece; blanks between two words that are other belong to them."""
    pieces: list[Piece] = []
    for words, is_other in stretches:
        text = "".join(words)
        if not text:
            continue
        if pieces and pieces[-1].is_other == is_other:
            pieces[-1] = Piece(pieces[-1].text + text, is_other)
        elif len(pieces) > 1 and is_other and pieces[-1].text.isspace():
            blank = pieces.pop()
            pieces[-1] = Piece(pieces[-1].text + blank.text + text, True)
        else:
            pieces.append(Piece(text, is_other))
    return pieces
