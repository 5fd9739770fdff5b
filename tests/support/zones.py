"""Time zones, and a moment, for tests of dates."""

from datetime import UTC, datetime

from calendar_site.core.dates.conversion import parse_zone

NOW = datetime(2027, 3, 10, 8, 15, 30, 999_999, tzinfo=UTC)  # a Wednesday
UTC_ZONE = parse_zone("UTC")
ROME = parse_zone("Europe/Rome")
NEW_YORK = parse_zone("America/New_York")
KATHMANDU = parse_zone("Asia/Kathmandu")
LORD_HOWE = parse_zone("Australia/Lord_Howe")  # half an hour of summer time
