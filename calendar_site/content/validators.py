"""Field validators that the admin, the API and imports share."""

from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.utils.translation import gettext_lazy as _

from calendar_site.content.dates import parse_zone

WEB_SCHEMES = ["http", "https"]
validate_web_address = URLValidator(
    schemes=WEB_SCHEMES, message=_("Enter an address that begins with http:// or https://.")
)


def validate_time_zone(value: Any) -> None:
    """Raises ValidationError for what is no name of a time zone (`Europe/Rome`, `UTC`, `UTC+2`)."""
    try:
        parse_zone(str(value))
    except ValueError as error:
        raise ValidationError(str(error)) from error
