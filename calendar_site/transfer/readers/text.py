"""Text of sources: decoding files, and plain text as HTML."""

from __future__ import annotations

import codecs
import hashlib
import re
from datetime import UTC, datetime

from django.utils.html import linebreaks, urlize

from calendar_site.core.text.plain_text import name_key, unescape_references

BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
MARKUP = re.compile(r"</?(?:p|br|a|b|i|strong|em|ul|ol|li|div|span|h[1-6])\b[^>]*>", re.IGNORECASE)
# How a page of HTML begins.
PAGE = re.compile(r"\s*(?:<!doctype html|<html\b)", re.IGNORECASE)


def decode(content: bytes) -> str:
    """Return the text of a file in UTF-8, in UTF-16 with a byte order mark, or in the Latin encoding of Windows."""
    for mark, encoding in BOMS:
        if content.startswith(mark):
            return content[len(mark) :].decode(encoding, "replace")
    if content[1::2][:200].count(0) > len(content[:400]) // 4:
        return content.decode("utf-16-le", "replace")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        # Latin-1 has no characters where Windows has quotation marks; its other characters are the same.
        return content.decode("cp1252", "replace")


def is_web_page(text: str) -> bool:
    return bool(PAGE.match(text))


def to_html(text: str) -> str:
    """Return plain text as HTML with paragraphs and links; HTML stays as it is."""
    text = text.strip()
    if not text or MARKUP.search(text):
        return text
    return linebreaks(urlize(unescape_references(text), autoescape=True))


def to_title(text: str) -> str:
    """Return text in one line, without markup references."""
    return " ".join(unescape_references(text).replace("\\n", " ").split())


def content_key(start: datetime | None, title: str, place: str) -> str:
    """Return a key that is equal for events of the same start, title and place."""
    moment = start.astimezone(UTC).isoformat() if start else ""
    return hashlib.sha256("\n".join((moment, name_key(title), name_key(place))).encode()).hexdigest()
