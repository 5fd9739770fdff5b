"""English date formats that match `calendar_site.core.dates.formatting`, instead of Django's American ones."""

DATE_FORMAT = "j M Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "j M Y, H:i"
