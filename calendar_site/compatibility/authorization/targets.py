"""The URLs to which the page sends the answer of the person."""

from __future__ import annotations

import ipaddress
import re
from typing import NamedTuple
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

from django.utils.translation import gettext as _

MAX_URL_LENGTH = 2000
# Schemes that run or show something in the browser, or read files: no application has them.
FORBIDDEN_SCHEMES = {
    "javascript", "data", "vbscript", "file", "about", "blob", "filesystem", "view-source", "ftp", "ws", "wss",
    "mailto", "tel", "sms", "intent",
}  # fmt: skip
SCHEME = re.compile(r"[a-z][a-z0-9+.-]*")


class Target(NamedTuple):
    """A URL of an application. `place` is the host, or the scheme of an application on the same device."""

    url: str
    scheme: str
    place: str

    @property
    def policy_source(self) -> str:
        """The URL as a source of a content security policy, so that the form may lead to it."""
        parts = urlsplit(self.url)
        return f"{self.scheme}://{parts.netloc}" if self.scheme in ("http", "https") else f"{self.scheme}:"

    def with_arguments(self, arguments: dict[str, str]) -> str:
        """Return the URL with these arguments in its query, which keeps its own."""
        parts = urlsplit(self.url)
        kept = [pair for pair in parse_qsl(parts.query, keep_blank_values=True) if pair[0] not in arguments]
        return urlunsplit(parts._replace(query=urlencode([*kept, *arguments.items()], quote_via=quote)))


def parse_target(text: str) -> Target | None:
    """Return the URL of an application, None for "". Raises ValueError for one that must not get a password."""
    if not text:
        return None
    error = ValueError(
        _("The application names an address that must not get a password: %(url)s") % {"url": text[:200]}
    )
    if len(text) > MAX_URL_LENGTH or not text.isprintable() or any(character in text for character in ' \\"<>;,'):
        raise error
    try:
        parts = urlsplit(text)
        host = parts.hostname or ""
        _port = parts.port
    except ValueError as reason:
        raise error from reason
    scheme = parts.scheme.lower()
    if not SCHEME.fullmatch(scheme) or scheme in FORBIDDEN_SCHEMES or parts.username is not None:
        raise error
    if scheme in ("http", "https"):
        if not host or (scheme == "http" and not _is_loopback(host)):
            raise error
        return Target(text, scheme, parts.netloc)
    return Target(text, scheme, f"{scheme}:")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
