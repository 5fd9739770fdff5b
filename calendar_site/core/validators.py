"""Field validators shared by models, the admin and the API."""

from __future__ import annotations

import re
from collections.abc import Sequence
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.utils.deconstruct import deconstructible
from django.utils.translation import gettext_lazy as _

from calendar_site.core.dates.conversion import parse_zone
from calendar_site.core.text.html import HTTP_SCHEMES, nesting_depth, reopened_formatting, sanitize_html, stored_length

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise as StrOrPromise

# Parsing nested tags takes time quadratic in their number: these limits keep it below a quarter of a second.
MAX_TAGS = 10_000
MAX_NESTING = 100
# The limit of the estimate of `reopened_formatting()`, which paragraphs inside <b> do not reach.
MAX_REOPENED_FORMATTING = 5_000_000
# The limit of HTML before it is sanitized, which may make it shorter.
MAX_HTML_LENGTH = 500_000


INVALID_HOST = _("The host of the URL is not valid. Check the part after ://.")


@deconstructible
class HTTPURLValidator:
    """A validator of URLs as browsers open them (D48).

    Unlike Django's, it accepts host names without a dot, as used in internal networks, with underscores, and in any
    script, and its messages name the fault.
    """

    MAX_LABEL_LENGTH, MAX_HOST_LENGTH = 63, 253

    def __init__(self, *, schemes: Sequence[str], message: StrOrPromise) -> None:
        self.schemes, self.message = schemes, message

    def __call__(self, value: object) -> None:
        if fault := self.find_fault(str(value)):
            raise ValidationError(fault, code="invalid")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HTTPURLValidator) and (self.schemes, self.message) == (other.schemes, other.message)

    def __hash__(self) -> int:
        return hash((tuple(self.schemes), self.message))

    def find_fault(self, url: str) -> StrOrPromise:
        """Return what is wrong with the URL, "" if nothing is."""
        scheme, separator, rest = url.partition("://")
        if not separator or scheme.lower() not in self.schemes:
            return self.message
        if any(char.isspace() or not char.isprintable() for char in url):
            if " " in re.split("[/?#]", rest)[0]:
                return INVALID_HOST
            return _("A URL cannot contain spaces. Write them as %20.")
        try:
            parts = urlsplit(url)
            host, port = parts.hostname or "", parts.port
        except ValueError:
            return INVALID_HOST
        if port == 0:
            return _("The port of the URL is not valid.")
        is_host = self._is_address(host) if rest.rpartition("@")[2].startswith("[") else self._is_host(host)
        return "" if is_host else INVALID_HOST

    def _is_host(self, host: str) -> bool:
        labels = host.removesuffix(".").split(".")
        if labels[-1].isdecimal():
            return self._is_address(host)
        return len(host) <= self.MAX_HOST_LENGTH and all(map(self._is_label, labels))

    def _is_label(self, label: str) -> bool:
        is_word = all(char.isalnum() or char in "-_" or not char.isascii() for char in label)
        is_long = len(label) > self.MAX_LABEL_LENGTH
        return bool(label) and is_word and not is_long and not (label.startswith("-") or label.endswith("-"))

    @staticmethod
    def _is_address(host: str) -> bool:
        try:
            ip_address(host)
        except ValueError:
            return False
        return True


validate_http_url = HTTPURLValidator(
    schemes=list(HTTP_SCHEMES), message=_("Enter a URL that starts with http:// or https://.")
)

validate_currency = RegexValidator(r"\A[A-Z]{3}\Z", _("Enter a three-letter currency code, such as EUR."))


# A host name with a dot and, after it, whatever a URL may have, without a scheme.
_WITHOUT_SCHEME = re.compile(r"(?![a-z][a-z0-9+.-]*:(?!\d))[^\s/:@?#]+\.[^\s/:@?#]{2,}(?:[:/?#]\S*)?", re.IGNORECASE)


def with_scheme(url: str) -> str:
    """Return a URL that a person has typed, with https:// in front if it begins with the host (D48)."""
    return f"https://{url}" if _WITHOUT_SCHEME.fullmatch(url) else url


def validate_time_zone(value: object) -> None:
    """Raise ValidationError unless the value names a time zone (`Europe/Rome`, `UTC`, `UTC+2`)."""
    try:
        parse_zone(str(value))
    except ValueError as error:
        raise ValidationError(str(error)) from error


def validate_markup(value: object) -> None:
    """Raise ValidationError for HTML that would keep the service busy, or become too long, when it is sanitized."""
    if len(str(value)) > MAX_HTML_LENGTH:
        raise ValidationError(_("The HTML is longer than %(limit)s characters.") % {"limit": MAX_HTML_LENGTH})
    if str(value).count("<") > MAX_TAGS:
        raise ValidationError(_("The text has more than %(limit)s HTML tags.") % {"limit": MAX_TAGS})
    if nesting_depth(str(value)) > MAX_NESTING:
        raise ValidationError(_("HTML tags are nested more than %(limit)s levels deep.") % {"limit": MAX_NESTING})
    if reopened_formatting(str(value)) > MAX_REOPENED_FORMATTING:
        raise ValidationError(_("Close formatting tags such as <b> and <a> within the paragraph in which they begin."))
    if len(sanitize_html(str(value))) > MAX_HTML_LENGTH:
        raise ValidationError(_("The HTML is longer than %(limit)s characters.") % {"limit": MAX_HTML_LENGTH})


def is_valid_markup(value: object) -> bool:
    """Return whether `validate_markup()` accepts the HTML."""
    try:
        validate_markup(value)
    except ValidationError:
        return False
    return True


def validate_text_length(markup: str, limit: int) -> None:
    """Raise ValidationError for HTML that is stored with more than `limit` characters. It must be valid markup."""
    if stored_length(markup) > limit:
        raise ValidationError(_("Must have at most %(limit)s characters.") % {"limit": limit})


def validate_count(count: int, limit: int) -> None:
    """Raise ValidationError for more than `limit` items."""
    if count > limit:
        raise ValidationError(_("At most %(limit)s items are allowed.") % {"limit": limit})
