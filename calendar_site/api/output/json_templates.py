"""JSON that is stored for many requests: templates with placeholders for URLs, and for values that change more often.

Placeholders are control characters, which JSON text never contains: an encoder escapes those of the content.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote

import orjson

from calendar_site.api.site_urls import SiteURLs

# The place of a value that is filled in for each response.
HOLE = b"\x01"
_SITE, _API, _HOST, _MEDIA = b"\x02", b"\x03", b"\x04", b"\x05"

# Stands for a URL until the JSON is encoded. Random, so that no content contains it.
_TOKEN = secrets.token_hex(16)
_MEDIA_TOKEN = f"media-{_TOKEN}/"


class _TokenURLs(SiteURLs):
    """URLs with tokens in place of the base URLs of a request."""

    def media_url(self, name: str) -> str:
        return f"{_MEDIA_TOKEN}{quote(name)}"


TEMPLATE_URLS = _TokenURLs(site=f"http://{_TOKEN}", api=f"api-{_TOKEN}", root=f"root-{_TOKEN}")
# The longer tokens first: they contain the one of the host.
_PLACEHOLDERS = {
    _MEDIA_TOKEN: _MEDIA,
    TEMPLATE_URLS.api: _API,
    TEMPLATE_URLS.site: _SITE,
    TEMPLATE_URLS.host: _HOST,
}


def make_template(record: Mapping[str, Any], holes: Iterable[str] = ()) -> bytes:
    """Return the JSON of a record that was represented with TEMPLATE_URLS, with a hole for the value of each key."""
    template = orjson.dumps({**record, **dict.fromkeys(holes, orjson.Fragment(HOLE))})
    for token, placeholder in _PLACEHOLDERS.items():
        template = template.replace(token.encode(), placeholder)
    return template


class TemplateFiller:
    """Fills the URLs of one request into templates."""

    def __init__(self, urls: SiteURLs) -> None:
        values = {_SITE: urls.site, _API: urls.api, _HOST: urls.host, _MEDIA: urls.media_url("")}
        self._values = {placeholder: orjson.dumps(value)[1:-1] for placeholder, value in values.items()}

    def fill(self, template: bytes) -> bytes:
        for placeholder, value in self._values.items():
            template = template.replace(placeholder, value)
        return template
