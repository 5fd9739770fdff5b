"""Sanitizing HTML, and converting HTML to text and text to HTML."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from urllib.parse import urlsplit

import nh3

from calendar_site.core.text.elements import ALLOWED, INLINE, INVISIBLE, is_element, is_inline
from calendar_site.core.text.plain_text import limit_combining_marks, normalize_for_search, unescape_references

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
_INVISIBLE_ELEMENTS = {
    name: (re.compile(rf"<{name}\b[^<>]*>", re.IGNORECASE), re.compile(rf"</{name}\s*>", re.IGNORECASE))
    for name in sorted(INVISIBLE)
}
_TAG = re.compile(r"<[a-zA-Z/!][^<>]*>")
# The beginning of something that looks like a tag, and its name, of which the first characters suffice.
_NAMED_TAG_START = re.compile(r"<(?=/?([a-zA-Z][^\s/<>]{0,30}))")
# Tags in a row, with the spaces around them.
_TAGS_IN_A_ROW = re.compile(r" *(?:<[a-zA-Z/!][^<>]*> *)+")
_TAG_OR_TEXT = re.compile(r"<!--.*?-->|</?([a-zA-Z][^\s/<>]*)[^<>]*>|<|[^<]+", re.DOTALL)
# An attribute that runs a script, or loads something, in whatever element it is.
_HARMFUL_ATTRIBUTE = re.compile(r"""[\s/"'](?:on\w+|style|src|href|xlink:href|action)\s*=""", re.IGNORECASE)
# Tags of phrasing content: they may stand inside a word.
_INLINE = re.compile(rf"</?(?:{'|'.join(sorted(INLINE))})(?:\s[^<>]*)?/?>", re.IGNORECASE)
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
_BLANK_LINES = re.compile(r"\n[ \t]*\n\s*")
_SPACE = re.compile(r"\s+")


# See `prepare_html()`.
@lru_cache(maxsize=MAX_CACHED)
def sanitize_html(text: str) -> str:
    """Return the HTML without scripts, event handlers and tags that are not allowed, and otherwise unchanged (D2).

    Text without markup gets paragraphs and line breaks. Whatever in angle brackets is no element is text, and words do
    not grow together where something is removed (D44). Runs of combining marks are cut.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "")
    text = _separate_words(_escape_text_in_brackets(text))
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
        tags=ALLOWED,
        clean_content_tags=INVISIBLE,
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


def _escape_text_in_brackets(text: str) -> str:
    """Escape what looks like a tag but is text: of no element, or of one whose content would be removed to the end."""
    lower = text.lower()
    unclosed = {name for name in INVISIBLE if f"<{name}" in lower and f"</{name}" not in lower}

    def escape(match: re.Match[str]) -> str:
        return "<" if is_element(match[1]) and match[1].lower() not in unclosed else "&lt;"

    return _NAMED_TAG_START.sub(escape, text)


def _separate_words(text: str) -> str:
    """Put a space where tags are removed between two words that they separate."""
    names = {match[1].lower() for match in _NAMED_TAG_START.finditer(text)}
    removed = {name for name in names if name not in ALLOWED and not is_inline(name)}
    if not removed:
        return text
    parts: list[str] = []
    is_after_word, is_separated = False, False
    for match in _TAG_OR_TEXT.finditer(text):
        part, name = match[0], (match[1] or "").lower()
        if name in removed:
            is_separated = True
        elif name and not is_inline(name):
            is_after_word = False
        elif not name and not part.startswith("<!--"):
            if is_separated and is_after_word and not part[0].isspace():
                parts.append(" ")
            is_after_word, is_separated = not part[-1].isspace(), False
        parts.append(part)
    return "".join(parts)


def strip_markup(text: str) -> str:
    """Return one line of plain text without tags, control characters and surrounding whitespace (D1).

    Whatever in angle brackets is no element, and a single `<` or `&`, is kept; words that tags separate stay apart
    (D44). Runs of combining marks are cut.
    """
    # Must come first: a control character inside a tag would hide the tag.
    text = "".join(" " if char in "\t\r\n" else char for char in text if char >= " " or char in "\t\r\n")
    if "<" in text:
        text = _strip_tags(text)
    # At the end, because tags may divide a run of combining marks.
    return limit_combining_marks(text).strip()


def _strip_tags(text: str) -> str:
    for opening, closing in _INVISIBLE_ELEMENTS.values():
        text = _remove_elements(text, opening, closing)
    for _pass in range(MAX_PASSES):
        before, text = text, _TAGS_IN_A_ROW.sub(_replace_tags, text)
        if text == before:
            return text
    # Tags nested in tags without end are an attack, not text.
    return text.replace("<", "")


def _replace_tags(match: re.Match[str]) -> str:
    """Return what is left of tags in a row: what is no tag, and a space if they separate words."""
    removed = [tag for tag in _TAG.findall(match[0]) if not _is_text(tag)]
    if not removed:
        return match[0]
    kept = _TAG.sub(lambda tag: tag[0] if _is_text(tag[0]) else "", match[0])
    separates = any(not is_inline(name) for name in filter(None, map(_name_of, removed)))
    return f" {kept.strip()} ".replace("  ", " ") if separates else kept


def _name_of(tag: str) -> str:
    match = _NAMED_TAG_START.match(tag)
    return match[1].lower() if match else ""


def _is_text(tag: str) -> bool:
    """Return whether something in angle brackets is text: no element, and harmless if a client takes it for one."""
    name = _name_of(tag)
    return bool(name) and not is_element(name) and not _HARMFUL_ATTRIBUTE.search(tag)


def _remove_elements(text: str, opening: re.Pattern[str], closing: re.Pattern[str]) -> str:
    """Remove elements with their content. A space takes their place."""
    kept, position = [], 0
    while (start := opening.search(text, position)) and (end := closing.search(text, start.end())):
        kept.append(text[position : start.start()])
        position = end.end()
    return re.sub("  +", " ", " ".join([*kept, text[position:]])) if kept else text


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
