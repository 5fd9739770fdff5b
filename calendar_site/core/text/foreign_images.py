"""Images of other sites in HTML: a page that shows them tells these sites about its visitors, and breaks with them."""

from __future__ import annotations

import re
from urllib.parse import urljoin, urlsplit

from django.conf import settings

from calendar_site.core.text.plain_text import unescape_references

IMAGE = re.compile(r"<img\b[^>]*?\bsrc\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>]+))[^>]*>", re.IGNORECASE)


def without_new_foreign_images(markup: str, known: str) -> tuple[str, int]:
    """Return the HTML without images of other sites that are not in the `known` HTML, and the number of these."""
    kept = {_source(match) for match in IMAGE.finditer(known)}
    left_out = 0

    def replace(match: re.Match[str]) -> str:
        nonlocal left_out
        source = _source(match)
        if source in kept or not _is_foreign(source):
            return match[0]
        left_out += 1
        return ""

    return IMAGE.sub(replace, markup), left_out


def _source(match: re.Match[str]) -> str:
    return unescape_references(match[1] or match[2] or match[3] or "").strip()


def _is_foreign(source: str) -> bool:
    """Return whether the URL is one of another host, by its own address or that of the file storage."""
    base = settings.PUBLIC_URL or "http://localhost"
    own = {urlsplit(base).netloc, urlsplit(urljoin(base, settings.MEDIA_URL)).netloc}
    try:
        # Browsers read a backslash as a slash.
        parts = urlsplit(urljoin(base, source.replace("\\", "/")))
    except ValueError:
        return True
    # Sanitizing removes other schemes.
    return parts.scheme in ("http", "https") and parts.netloc not in own
