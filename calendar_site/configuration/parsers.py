"""Parsers of single settings. Each returns the value, or raises ValueError, with a message in English or without one.

`environment.py` adds the name of the setting to the message.
"""

import re
from email.utils import parseaddr
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from calendar_site.core.dates.conversion import parse_zone


def _split_url(raw: str) -> SplitResult:
    """Return the parts of a URL. Raises ValueError, also for a port that does not exist."""
    parts = urlsplit(raw)
    # Raises ValueError if it is not in range.
    _port = parts.port
    return parts


def parse_public_url(raw: str) -> str:
    """Return the URL of the site without a trailing slash. Raises ValueError."""
    parts = _split_url(raw)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment:
        raise ValueError("It must start with http:// or https:// and have no query string.")
    return raw.rstrip("/")


def parse_docs_url(raw: str) -> str:
    """Return the URL of the documentation. Raises ValueError."""
    parts = _split_url(raw)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("It must start with http:// or https:// and contain a host.")
    return raw


def parse_script_name(raw: str) -> str:
    """Return the path below which the site is. Raises ValueError."""
    if not raw.startswith("/") or raw.endswith("/"):
        raise ValueError("It must start with a slash and not end with one.")
    return raw


def parse_host(raw: str) -> str:
    """Return a host name, with or without a leading dot, an IP address, or `*`. Raises ValueError."""
    # Django answers 400 to requests with other characters in the host, and removes a dot at its end.
    if not re.fullmatch(r"\*|\.?[a-z0-9-]+(\.[a-z0-9-]+)*|\[[a-f0-9]*:[a-f0-9.:]+\]", raw, re.IGNORECASE):
        raise ValueError("Write hosts without scheme, port and path, and IPv6 addresses in brackets.")
    return raw


def parse_api_path(raw: str) -> str:
    """Return a path of the API, without slashes at its ends. Raises ValueError."""
    path = raw.strip("/")
    if not re.fullmatch(r"[a-z0-9_-][a-z0-9._-]*(/[a-z0-9_-][a-z0-9._-]*)*", path, re.IGNORECASE):
        raise ValueError(
            "Write names of letters, digits, hyphens, underscores and dots, separated by single slashes. "
            "A name must not begin with a dot."
        )
    return path


def parse_directory(raw: str) -> str:
    """Return the path of a directory that exists. Raises ValueError."""
    if not Path(raw).is_dir():
        raise ValueError
    return raw


def parse_zone_name(raw: str) -> str:
    """Return the canonical name of a time zone. Raises ValueError."""
    try:
        return parse_zone(raw).name
    except ValueError as error:
        # Without the message, which is translated. Messages about settings are in English.
        raise ValueError from error


def parse_dsn(raw: str) -> str:
    """Return the address of a Sentry project. Raises ValueError."""
    parts = urlsplit(raw)
    if parts.scheme not in ("http", "https") or not parts.username or not parts.path.strip("/"):
        raise ValueError("It must start with http:// or https://, and contain a key and the id of the project.")
    return raw


def parse_tiles_url(raw: str) -> str:
    """Return the URL template of map tiles. Raises ValueError."""
    if not raw.startswith(("https://", "http://")) or not all(part in raw for part in ("{z}", "{x}", "{y}")):
        raise ValueError("It must start with https:// or http:// and contain {z}, {x} and {y}.")
    return raw


def parse_contact(raw: str) -> str:
    """Return the URL of a contact. Raises ValueError."""
    if not raw.startswith(("mailto:", "https://", "tel:")) or not raw.isprintable() or " " in raw:
        raise ValueError("It must start with mailto:, https:// or tel:, and contain no space.")
    return raw


def parse_sender(raw: str) -> str:
    """Return the sender of emails, with or without a name. Raises ValueError."""
    _name, address = parseaddr(raw)
    try:
        validate_email(address)
    except ValidationError as error:
        raise ValueError("It must contain one email address.") from error
    return raw


def parse_frame_source(text: str) -> str:
    """Return a site that may show pages in a frame: a host, `*.` and a host, `https://` and a host, or `*`."""
    if text != "*" and not re.fullmatch(r"(?:https?://)?(?:\*\.)?[A-Za-z0-9.-]+(?::[0-9]+)?", text):
        raise ValueError("Use a host such as https://www.example.org or *.example.org, or * for all.")
    return text
