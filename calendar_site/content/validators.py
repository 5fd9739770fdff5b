"""Field validators that the admin, the API and imports share."""

import re
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator, URLValidator
from django.utils.translation import gettext_lazy as _

from calendar_site.content.dates import parse_zone
from calendar_site.content.html import nesting

WEB_SCHEMES = ["http", "https"]
# Tags in tags cost a parser the square of their number: so many take a quarter of a second at the worst.
MOST_TAGS = 10_000
DEEPEST_NESTING = 100


class WebAddressValidator(URLValidator):
    """Unlike Django's own it takes hosts without a dot, which have names inside a network."""

    host_re = f"{URLValidator.hostname_re}{URLValidator.domain_re}[.]?"
    regex = re.compile(
        rf"(?:[a-z0-9.+-]*)://(?:[^\s:@/]+(?::[^\s:@/]*)?@)?(?:{URLValidator.ipv6_re}|{host_re})"
        r"(?::[0-9]{1,5})?(?:[/?#][^\s]*)?\Z",
        re.IGNORECASE,
    )


validate_web_address = WebAddressValidator(
    schemes=WEB_SCHEMES, message=_("Enter an address that begins with http:// or https://.")
)

validate_currency = RegexValidator(r"\A[A-Z]{3}\Z", _("Enter the three letters of a currency, such as EUR."))


def validate_time_zone(value: Any) -> None:
    """Raises ValidationError for what is no name of a time zone (`Europe/Rome`, `UTC`, `UTC+2`)."""
    try:
        parse_zone(str(value))
    except ValueError as error:
        raise ValidationError(str(error)) from error


def validate_markup(value: Any) -> None:
    """Raises ValidationError for HTML of so many tags that cleaning it would keep the service busy."""
    if str(value).count("<") > MOST_TAGS:
        raise ValidationError(_("This has more than %(limit)s tags.") % {"limit": MOST_TAGS})
    if nesting(str(value)) > DEEPEST_NESTING:
        raise ValidationError(_("More than %(limit)s tags stand inside each other.") % {"limit": DEEPEST_NESTING})
