"""The arguments of writes in `tec/v1`, which have the names of its records, as those of the contract."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any

from django.utils.translation import gettext as _

from calendar_site.api.errors import InvalidParams
from calendar_site.api.input import values
from calendar_site.core.choices import SELECTABLE_STATUSES, Status
from calendar_site.core.dates.conversion import to_wire
from calendar_site.core.text.plain_text import unescape_references
from calendar_site.core.types import AnyUser
from organizers.models import Organizer
from taxonomy.models import Category, Tag
from venues.models import Venue

Arguments = dict[str, Any]

# The names of the contract by those of the original.
TEXTS = {"content": "description", "excerpt": "excerpt", "featured_media": "image"}
EVENT_NAMES = {
    **TEXTS,
    "title": "title",
    "tribe_events_cat": "categories",
    "venues": "venue",
    "organizers": "organizer",
}
VENUE_NAMES = {**TEXTS, "title": "venue", "state_province": "stateprovince"}
ORGANIZER_NAMES = {**TEXTS, "title": "organizer"}
# A read has these as objects with `rendered` and, for editors, `raw`.
TEXT_OBJECTS = ("title", "content", "excerpt")
DATES = ("start_date", "end_date")
EXACT_DATE = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d", re.ASCII)
MAX_SECONDS = 10**10
# What a read returns and no write takes.
READ_ONLY = {
    "id", "date_gmt", "guid", "modified", "modified_gmt", "type", "link", "template", "class_list", "start_date_utc",
    "end_date_utc", "dates", "multiday", "is_past", "is_now", "starts_this_week", "ends_this_week",
    "this_week_duration", "happens_this_week", "displays_on", "organizer_names", "schedule_details",
    "short_schedule_details", "directions_link",
}  # fmt: skip


def translate(arguments: Arguments, names: dict[str, str], user: AnyUser) -> Arguments:
    """Return the arguments of the contract. Raises InvalidParams for dates in another form."""
    translated: Arguments = {}
    for name, value in arguments.items():
        if name in READ_ONLY or name == "duration":
            continue
        if name in TEXT_OBJECTS:
            value = _text(value)
        if name == "title" and isinstance(value, str):
            value = unescape_references(value)
        if name == "date" and isinstance(value, str):
            value = value.replace("T", " ", 1)
        if name == "status" and value == Status.TRASH:
            # A delete moves a record there.
            raise InvalidParams({name: values.unknown_choice(SELECTABLE_STATUSES)})
        if name in DATES:
            value = exact_date(name, value)
        if name in RELATED:
            value = _known(value, RELATED[name], user)
        if name == "featured_media" and value in (0, "0", ""):
            value = False
        translated[names.get(name, name)] = value
    return translated


def _text(value: Any) -> Any:
    """Return the text of an object as a read returns it."""
    return value.get("raw", value.get("rendered")) if isinstance(value, dict) else value


def exact_date(name: str, value: Any) -> Any:
    """Return a date as the contract writes it. Raises InvalidParams for one in another form."""
    if value is None or value == "":
        return value
    if not isinstance(value, str) or not EXACT_DATE.fullmatch(value):
        raise InvalidParams({name: _("Must be a date such as 2027-03-10 18:00:00.")})
    return value.replace("T", " ", 1)


def read_duration(arguments: Arguments) -> timedelta | None:
    """Return the duration in the request, None without one. Raises InvalidParams."""
    if arguments.get("duration") in (None, ""):
        return None
    try:
        seconds = values.parse_integer(arguments["duration"], minimum=0)
        if seconds > MAX_SECONDS:
            raise ValueError(_("Must be at most %(maximum)s.") % {"maximum": MAX_SECONDS})
    except ValueError as error:
        raise InvalidParams({"duration": str(error)}) from error
    return timedelta(seconds=seconds)


def end_after(start: Any, duration: timedelta) -> Any:
    """Return the end on the clock of an event that starts then, None if the start is no date."""
    try:
        return to_wire(datetime.fromisoformat(start) + duration)
    except (TypeError, ValueError, OverflowError):
        return None


def _visible_venues(user: AnyUser) -> Any:
    return Venue.objects.visible_to(user)


def _visible_organizers(user: AnyUser) -> Any:
    return Organizer.objects.visible_to(user)


RELATED = {
    "venues": _visible_venues,
    "organizers": _visible_organizers,
    "tags": lambda user: Tag.objects.all(),
    "tribe_events_cat": lambda user: Category.objects.all(),
}


def _known(value: Any, rows: Any, user: AnyUser) -> Any:
    """Return the ids that exist, in their order: the original passes over others. Records of a read count by id."""
    items = value if isinstance(value, list) else values.parse_list(value) if isinstance(value, str | int) else value
    if not isinstance(items, list):
        return value
    items = [item.get("id") if isinstance(item, dict) else item for item in items]
    ids = [int(item) for item in items if values.is_integer(item) and len(str(item)) <= 18]
    known = set(rows(user).filter(pk__in=ids).values_list("pk", flat=True))
    return [pk for pk in dict.fromkeys(ids) if pk in known]
