"""Safe HTML from what people write, and plain text from HTML."""

from __future__ import annotations

import html
import re
from collections import Counter

import nh3

TAGS = set(nh3.ALLOWED_TAGS) - {"map", "area", "bdo", "center", "rp", "rt", "rtc", "ruby"} | {
    "figure",
    "figcaption",
}
ATTRIBUTES = {
    "*": {"title", "lang", "dir"},
    "a": {"href", "hreflang", "target"},
    "img": {"src", "alt", "width", "height"},
    "ol": {"start"},
    "td": {"colspan", "rowspan", "align"},
    "th": {"colspan", "rowspan", "scope", "align"},
    "time": {"datetime"},
    "blockquote": {"cite"},
    "q": {"cite"},
}
SCHEMES = {"http", "https", "mailto", "tel"}
ROUNDS = 10

# What is between these is no text: an opening tag and the closing one.
_SILENT = tuple(
    (re.compile(rf"<{name}\b[^<>]*>", re.IGNORECASE), re.compile(rf"</{name}\s*>", re.IGNORECASE))
    for name in ("script", "style")
)
_TAG = re.compile(r"<[a-zA-Z/!][^<>]*>")
# Tags that stand inside a line, and so inside a word as well.
_INLINE = re.compile(
    r"</?(?:a|abbr|acronym|b|bdi|cite|code|data|del|dfn|em|i|ins|kbd|mark|q|s|samp|small|span|strike|strong|sub|sup"
    r"|time|tt|u|var|wbr)(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_NESTED = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)")
# Tags without an end, and those whose end may be left out: the next of them ends them.
_NEVER_CLOSED = {
    "br", "hr", "img", "wbr", "col", "area", "p", "li", "dt", "dd", "td", "th", "tr", "thead", "tbody", "tfoot"
}  # fmt: skip
_BLANK_LINES = re.compile(r"\n[ \t]*\n\s*")
_SPACE = re.compile(r"\s+")


def sanitise(text: str) -> str:
    """HTML that is safe to show: scripts, handlers and unknown tags removed, nothing else rewritten (D2).

    Text without any markup gets paragraphs and line breaks; a lone `<` in it stays.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "")
    if not _TAG.search(text):
        text = text.replace("<", "&lt;")
    clean = _cleaned(text)
    # Tags that are nested against the rules may be sorted anew by each reading; what is answered must come back
    # unchanged (D14).
    for _round in range(ROUNDS):
        before, clean = clean, _cleaned(clean)
        if clean == before:
            break
    return clean if "<" in clean else paragraphs(clean)


def _cleaned(text: str) -> str:
    return nh3.clean(
        text,
        tags=TAGS,
        attributes=ATTRIBUTES,
        url_schemes=SCHEMES,
        link_rel="noopener noreferrer",
    )


def paragraphs(text: str) -> str:
    """Escaped text with its blank lines as paragraphs and its line ends as breaks; "" for blanks."""
    blocks = (block.strip() for block in _BLANK_LINES.split(text))
    return "\n".join("<p>{}</p>".format(block.replace("\n", "<br>\n")) for block in blocks if block)


def without_markup(text: str) -> str:
    """One line of plain text: tags removed, control characters and blanks at the ends dropped (D1).

    A lone `<` or `&` stays as it was written.
    """
    # First, or a tag could be left that has one inside it.
    text = "".join(" " if char in "\t\r\n" else char for char in text if char >= " " or char in "\t\r\n")
    for opening, closing in _SILENT:
        text = _without(text, opening, closing)
    for _round in range(ROUNDS):
        before, text = text, _TAG.sub("", text)
        if text == before:
            break
    else:
        # Tags inside of tags without end: nobody means them.
        text = text.replace("<", "")
    return text.strip()


def _without(text: str, opening: re.Pattern[str], closing: re.Pattern[str]) -> str:
    kept, place = [], 0
    while (start := opening.search(text, place)) and (end := closing.search(text, start.end())):
        kept.append(text[place : start.start()])
        place = end.end()
    return "".join([*kept, text[place:]])


def nesting(text: str) -> int:
    """How deep the tags of some HTML stand inside each other, at the most."""
    unclosed: Counter[str] = Counter()
    depth = deepest = 0
    for is_end, name in _NESTED.findall(text):
        name = name.lower()
        if name in _NEVER_CLOSED:
            continue
        if not is_end:
            unclosed[name] += 1
            depth += 1
            deepest = max(deepest, depth)
        elif unclosed[name]:
            unclosed[name] -= 1
            depth -= 1
    return deepest


def as_text(markup: str) -> str:
    """What a reader sees of some HTML, on one line; for search, summaries and previews."""
    return _SPACE.sub(" ", html.unescape(_TAG.sub(" ", _INLINE.sub("", markup)))).strip()
