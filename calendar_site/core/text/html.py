"""Sanitizing HTML, and converting HTML to text and text to HTML."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from urllib.parse import urlsplit

import nh3

from calendar_site.core.text.plain_text import limit_combining_marks, normalize_for_search, unescape_references

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
HTTP_SCHEMES = ("http", "https")
SCHEMES = {*HTTP_SCHEMES, "mailto", "tel"}
MAX_PASSES = 10
# More than the texts of an event with 20 new venues and 20 new organizers. They have at most 2 MB (BODY_LIMIT).
MAX_CACHED = 48

# Opening and closing tags of elements whose content is not text.
_IGNORED_ELEMENTS = tuple(
    (re.compile(rf"<{name}\b[^<>]*>", re.IGNORECASE), re.compile(rf"</{name}\s*>", re.IGNORECASE))
    for name in ("script", "style")
)
_TAG = re.compile(r"<[a-zA-Z/!][^<>]*>")
# Tags of phrasing content: they may stand inside a word.
_INLINE = re.compile(
    r"</?(?:a|abbr|acronym|b|bdi|cite|code|data|del|dfn|em|i|ins|kbd|mark|q|s|samp|small|span|strike|strong|sub|sup"
    r"|time|tt|u|var|wbr)(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_TAG_NAME = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)")
# Void elements, and elements whose end tag may be left out because the next one ends them.
_NEVER_CLOSED = {
    "br", "hr", "img", "wbr", "col", "area", "p", "li", "dt", "dd", "td", "th", "tr", "thead", "tbody", "tfoot"
}  # fmt: skip
# Formatting elements: if one is open where a block ends, parsers open it again in every following block.
_FORMATTING = "a|b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u"
# How many equal ones parsers open again.
_MAX_EQUAL_FORMATTING = 3
_ATTRIBUTES = r"""(?:\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"<>]*"|'[^'<>]*'|[^\s"'=<>`]+))?)*+\s*/?"""
_CLOSED_FORMATTING = re.compile(rf"<({_FORMATTING}){_ATTRIBUTES}>[^<]*</\1\s*>", re.IGNORECASE)
_OPEN_FORMATTING = re.compile(rf"<({_FORMATTING})(?:(>)|{_ATTRIBUTES}(>)|(?=[\s/]))", re.IGNORECASE)
# About the memory of an element, in characters.
_ELEMENT_SIZE = 40
_PARAGRAPH_LENGTH = len("<p></p>")
_LINE_END = re.compile(r"<br\b[^<>]*>|</(?:blockquote|dd|div|dt|figcaption|h[1-6]|li|p|pre|tr)\s*>", re.IGNORECASE)
_BLANK_LINES = re.compile(r"\n[ \t]*\n\s*")
_SPACE = re.compile(r"\s+")


# See `prepare_html()`.
@lru_cache(maxsize=MAX_CACHED)
def sanitize_html(text: str) -> str:
    """Return the HTML without scripts, event handlers and unknown tags, and otherwise unchanged (D2).

    Text without markup gets paragraphs and line breaks; a single `<` in it is kept. Runs of combining marks are cut.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "")
    if not _TAG.search(text):
        text = text.replace("<", "&lt;")
    clean = text
    # A parser may rearrange invalid nesting on every pass. Repeat until nothing changes, so that HTML sent back from a
    # response is stored unchanged (D14).
    for _pass in range(MAX_PASSES):
        before, clean = clean, _clean(clean)
        if clean == before:
            break
    # At the end, because sanitizing decodes character references.
    clean = limit_combining_marks(clean)
    return clean if "<" in clean else add_paragraphs(clean)


def link_url(url: str) -> str:
    """Return a stored URL if pages may link to it, else "". A URL saved past validation could run a script."""
    try:
        return url if urlsplit(url).scheme in HTTP_SCHEMES else ""
    except ValueError:
        return ""


# Sanitizing sanitized HTML again begins with the last pass of the first time.
@lru_cache(maxsize=MAX_CACHED)
def _clean(text: str) -> str:
    clean = nh3.clean(
        text,
        tags=TAGS,
        attributes=ATTRIBUTES,
        url_schemes=SCHEMES,
        link_rel="noopener noreferrer",
    )
    # The same object, so that the caches keep it once.
    return text if clean == text else clean


def add_paragraphs(text: str) -> str:
    """Turn the blank lines of escaped text into paragraphs and its line ends into breaks; return "" for whitespace."""
    blocks = (block.strip() for block in _BLANK_LINES.split(text))
    return "\n".join("<p>{}</p>".format(block.replace("\n", "<br>\n")) for block in blocks if block)


def stored_length(markup: str) -> int:
    """Return the number of characters that are stored for some HTML (D53), without a paragraph around all of it.

    Text without markup gets that paragraph when it is sanitized.
    """
    clean = sanitize_html(markup)
    return len(clean) - (_PARAGRAPH_LENGTH if clean.startswith("<p>") and clean.endswith("</p>") else 0)


def strip_markup(text: str) -> str:
    """Return one line of plain text without tags, control characters and surrounding whitespace (D1).

    A single `<` or `&` is kept. Runs of combining marks are cut.
    """
    # Must come first: a control character inside a tag would hide the tag.
    text = "".join(" " if char in "\t\r\n" else char for char in text if char >= " " or char in "\t\r\n")
    for opening, closing in _IGNORED_ELEMENTS:
        text = _remove_elements(text, opening, closing)
    for _pass in range(MAX_PASSES):
        before, text = text, _TAG.sub("", text)
        if text == before:
            break
    else:
        # Tags nested in tags without end are an attack, not text.
        text = text.replace("<", "")
    # At the end, because tags may divide a run of combining marks.
    return limit_combining_marks(text).strip()


def _remove_elements(text: str, opening: re.Pattern[str], closing: re.Pattern[str]) -> str:
    kept, position = [], 0
    while (start := opening.search(text, position)) and (end := closing.search(text, start.end())):
        kept.append(text[position : start.start()])
        position = end.end()
    return "".join([*kept, text[position:]])


def nesting_depth(text: str) -> int:
    """Return how deeply the tags of some HTML are nested."""
    unclosed: Counter[str] = Counter()
    depth = deepest = 0
    for is_end, name in _TAG_NAME.findall(text):
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


def reopened_formatting(text: str) -> int:
    """Return about how many characters a parser adds at most, for formatting elements that it opens again.

    `<b>` in a paragraph without `</b>` is opened again in each of the following ones, with all its attributes: 60 kB
    may become hundreds of megabytes. This never estimates too low, whatever the text looks like to a parser.
    """
    tags = text.count("<")
    for _pass in range(MAX_PASSES):
        before, text = text, _CLOSED_FORMATTING.sub("", text)
        if text == before:
            break
    added = 0
    equal: Counter[str] = Counter()
    links = 0
    for match in _OPEN_FORMATTING.finditer(text):
        name, is_bare, is_whole = match[1].lower(), match[2], match[3]
        # A tag may have `>` in an attribute: then, its end is unknown.
        size = _ELEMENT_SIZE + (len(match[0]) if is_bare or is_whole else len(text))
        if name == "a":
            # A link ends the link before.
            links = max(links, size)
        elif is_bare:
            equal[name] += 1
            added += size if equal[name] <= _MAX_EQUAL_FORMATTING else 0
        else:
            added += size
    return tags * (added + links)


def prepare_html(text: str) -> None:
    """Do the work of saving some valid HTML before the write takes the lock: saving finds the results in the caches."""
    clean = sanitize_html(text)
    searchable_html(clean)
    # Saving sanitizes it again: for the search text, and for the column.
    sanitize_html(clean)


@lru_cache(maxsize=MAX_CACHED)
def searchable_html(markup: str) -> str:
    """Return the text of some HTML as it is searched."""
    return normalize_for_search(html_to_text(markup))


def html_to_text(markup: str) -> str:
    """Return the text of some HTML on one line, for search, summaries and previews."""
    return _SPACE.sub(" ", unescape_references(_TAG.sub(" ", _INLINE.sub("", markup)))).strip()


def html_to_lines(markup: str) -> str:
    """Return the text of some HTML with a line for each paragraph, heading, item and row, for calendar programs."""
    return "\n".join(line for line in map(html_to_text, _LINE_END.split(markup)) if line)
