"""Links in the header and the footer of all pages, which the owner of the site enters as lines of text."""

from __future__ import annotations

from typing import NamedTuple

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from calendar_site.core.validators import validate_http_url

MAX_LINKS = 20


class SiteLink(NamedTuple):
    label: str
    url: str


def parse_links(text: str) -> list[SiteLink]:
    """Return the links in lines such as `Town hall | https://town.example/`. Raises ValidationError."""
    links = [_parse_link(line) for line in text.splitlines() if line.strip()]
    if len(links) > MAX_LINKS:
        raise ValidationError(_("At most %(limit)s links are possible.") % {"limit": MAX_LINKS})
    return links


def _parse_link(line: str) -> SiteLink:
    label, _separator, url = (part.strip() for part in line.rpartition("|"))
    if not label or not url:
        text = _("“%(line)s” is not a link. Enter a text and a URL, such as: Town hall | https://town.example/")
        raise ValidationError(text % {"line": line.strip()})
    # A path is on this site.
    if not url.startswith("/") or url.startswith("//"):
        validate_http_url(url)
    return SiteLink(label, url)
