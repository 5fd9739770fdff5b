"""Field validators shared by models, the admin and the API."""

import re

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator, URLValidator
from django.utils.translation import gettext_lazy as _

from calendar_site.core.dates.conversion import parse_zone
from calendar_site.core.text.html import HTTP_SCHEMES, nesting_depth, reopened_formatting, sanitize_html, stored_length

# Parsing nested tags takes time quadratic in their number: these limits keep it below a quarter of a second.
MAX_TAGS = 10_000
MAX_NESTING = 100
# Of the estimate of `reopened_formatting()`, which paragraphs inside <b> do not reach.
MAX_REOPENED_FORMATTING = 5_000_000
# Of HTML before it is sanitized, which may make it shorter.
MAX_HTML_LENGTH = 500_000


class HTTPURLValidator(URLValidator):
    """A URL validator that, unlike Django's, accepts host names without a dot, as used in internal networks."""

    host_re = f"{URLValidator.hostname_re}{URLValidator.domain_re}[.]?"
    regex = re.compile(
        rf"(?:[a-z0-9.+-]*)://(?:[^\s:@/]+(?::[^\s:@/]*)?@)?(?:{URLValidator.ipv6_re}|{host_re})"
        r"(?::[0-9]{1,5})?(?:[/?#][^\s]*)?\Z",
        re.IGNORECASE,
    )


validate_http_url = HTTPURLValidator(
    schemes=list(HTTP_SCHEMES), message=_("Enter a URL that starts with http:// or https://.")
)

validate_currency = RegexValidator(r"\A[A-Z]{3}\Z", _("Enter a three-letter currency code, such as EUR."))


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
