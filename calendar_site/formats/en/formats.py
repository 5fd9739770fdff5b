"""English as `calendar_site.core.date_format` writes it, rather than the American way."""

DATE_FORMAT = "j M Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "j M Y, H:i"
