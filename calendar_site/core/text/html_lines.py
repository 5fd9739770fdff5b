"""The text of HTML on several lines, as programs show it that know no HTML, such as calendars."""

from __future__ import annotations

import re

from calendar_site.core.text.html import html_to_text
from calendar_site.core.text.plain_text import unescape_references

_LINE_END = re.compile(r"<br\b[^<>]*>|</(?:blockquote|dd|div|dt|figcaption|h[1-6]|li|p|pre|tr)\s*>", re.IGNORECASE)
# A link, and an image with an alternative text, in sanitized HTML: attributes are in double quotes.
_LINK = re.compile(r'<a\b[^<>]*?\bhref="([^"]*)"[^<>]*>(.*?)</a>', re.IGNORECASE | re.DOTALL)
_IMAGE = re.compile(r'<img\b[^<>]*?\balt="([^"]+)"[^<>]*>', re.IGNORECASE)
_LIST_TAG = re.compile(r'<(/?)(ol|ul|li)\b(?:[^<>]*?\bstart="(-?\d{1,9})")?[^<>]*>', re.IGNORECASE)
_SCHEMES = ("http://", "https://", "mailto:", "tel:")


def html_to_lines(markup: str) -> str:
    """Return the text of some sanitized HTML with a line for each paragraph, heading, item and row.

    What only attributes and structure say is written out: the URLs of links, unless the text is the URL, alternative
    texts of images, and the numbers and bullets of lists.
    """
    if "<" not in markup:
        return html_to_text(markup)
    markup = _LINK.sub(_with_url, markup)
    markup = _IMAGE.sub(r" \1 ", markup)
    markup = _with_bullets(markup)
    return "\n".join(line for line in map(html_to_text, _LINE_END.split(markup)) if line)


def html_to_plain_lines(markup: str) -> str:
    """Return the same lines with nothing but the text of the HTML."""
    return "\n".join(line for line in map(html_to_text, _LINE_END.split(markup)) if line)


def _with_url(link: re.Match[str]) -> str:
    url, content = unescape_references(link[1]), link[2]
    text = html_to_text(_IMAGE.sub(r" \1 ", content))
    shown = url.removeprefix("mailto:").removeprefix("tel:")
    is_url = text.casefold().removesuffix("/") in {_short(url), _short(shown), shown.casefold().removesuffix("/")}
    if is_url or not url.startswith(_SCHEMES):
        return content
    return f"{content} ({_escape(shown)})" if text else _escape(shown)


def _short(url: str) -> str:
    """Return a URL as people write it, without its scheme."""
    return url.casefold().removeprefix("https://").removeprefix("http://").removesuffix("/")


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


def _with_bullets(markup: str) -> str:
    """Put the number of each item of an ordered list, and a bullet for each of another one, in front of it."""
    # The number of the next item of each list that is open; None for lists without numbers.
    numbers: list[int | None] = []

    def write(tag: re.Match[str]) -> str:
        is_end, name, start = bool(tag[1]), tag[2].lower(), tag[3]
        if name == "li":
            if is_end:
                return tag[0]
            number = numbers[-1] if numbers else None
            if number is None:
                return "<br>- "
            numbers[-1] = number + 1
            return f"<br>{number}. "
        if is_end:
            del numbers[-1:]
        else:
            numbers.append(int(start or 1) if name == "ol" else None)
        return "<br>"

    return _LIST_TAG.sub(write, markup)
