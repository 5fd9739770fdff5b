"""The columns of tables: which heading means which field."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from django.utils.translation import gettext as _

from calendar_site.transfer.imports.errors import SourceError

# The headings of each field. The first is the one of our template; those that begin with "event", "venue" or
# "organizer" are of The Events Calendar.
EVENT_HEADINGS: dict[str, tuple[str, ...]] = {
    "title": (
        "title",
        "event name",
        "name",
        "event",
        "subject",
        "summary",
        "titel",
        "veranstaltung",
        "titre",
        "título",
    ),
    "start_date": ("start date", "event start date", "date", "start", "datum", "beginn", "fecha", "date de début"),
    "start_time": ("start time", "event start time", "time", "uhrzeit", "startzeit", "hora", "heure"),
    "end_date": ("end date", "event end date", "end", "ende", "enddatum", "fecha de fin", "date de fin"),
    "end_time": ("end time", "event end time", "endzeit", "hora de fin"),
    "time_zone": ("time zone", "event time zone", "timezone", "zeitzone"),
    "all_day": ("all day", "all day event", "ganztägig"),
    "venue": ("venue", "event venue name", "location", "place", "ort", "veranstaltungsort", "lieu", "lugar"),
    "address": ("address", "street", "adresse", "straße"),
    "city": ("city", "town", "stadt", "ville", "ciudad"),
    "zip": ("zip", "postal code", "postcode", "plz"),
    "country": ("country", "land"),
    "organizers": ("organizers", "organizer", "event organizer name(s) or id(s)", "organiser", "veranstalter"),
    "categories": ("categories", "category", "event category", "kategorie", "kategorien"),
    "tags": ("tags", "event tags", "keywords", "schlagwörter"),
    "cost": ("cost", "event cost", "price", "preis", "eintritt", "prix", "precio"),
    "currency": ("currency", "event currency symbol"),
    "currency_position": ("event currency position",),
    "website": ("website", "event website", "url", "link"),
    "image": ("image", "event featured image", "image url", "bild"),
    "description": ("description", "event description", "details", "beschreibung", "descripción"),
    "excerpt": ("excerpt", "event excerpt", "short description", "kurzbeschreibung"),
    "status": ("status",),
    "featured": ("featured", "feature event"),
    "sticky": ("sticky", "event sticky in month view"),
    "hide_from_listings": ("hide from listings", "hide event from event listings"),
    "show_map": ("show map", "event show map"),
    "show_map_link": ("show map link", "event show map link"),
    "id": ("id", "uid", "identifier"),
}
VENUE_HEADINGS: dict[str, tuple[str, ...]] = {
    "title": ("venue name",),
    "description": ("venue description",),
    "country": ("venue country",),
    "address": ("venue address",),
    "address_2": ("venue address 2",),
    "city": ("venue city",),
    "state_province": ("venue state/province",),
    "zip": ("venue zip",),
    "phone": ("venue phone",),
    "website": ("venue website",),
    "image": ("venue featured image",),
}
ORGANIZER_HEADINGS: dict[str, tuple[str, ...]] = {
    "title": ("organizer name",),
    "description": ("organizer description",),
    "email": ("organizer email",),
    "website": ("organizer website",),
    "phone": ("organizer phone",),
    "image": ("organizer featured image",),
}
# Of the original's columns, the ones that have no meaning here.
IGNORED = {
    "event iso currency code",
    "event allow comments",
    "event allow trackbacks and pingbacks",
}
# What is chosen for a field that no column has.
NO_COLUMN = "-"
TEMPLATE = [
    "title", "start_date", "start_time", "end_date", "end_time", "all_day", "venue", "address", "city", "zip",
    "country", "organizers", "categories", "tags", "cost", "website", "image", "description", "status",
]  # fmt: skip


def heading_key(heading: str) -> str:
    return re.sub(r"[\s_]+", " ", heading.strip().lower())


def template_headings() -> list[str]:
    """Return the headings of an empty table."""
    return [EVENT_HEADINGS[name][0].capitalize() for name in TEMPLATE]


def headings_of(row: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    """Return the headings of the kind of record that the table has. Raises SourceError for an unknown one."""
    names = {heading_key(heading) for heading in row}
    for headings in (VENUE_HEADINGS, ORGANIZER_HEADINGS):
        if headings["title"][0] in names:
            return headings
    return EVENT_HEADINGS


def required_fields(headings: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Return the fields that each table of this kind of record has."""
    return ["title", "start_date"] if headings is EVENT_HEADINGS else ["title"]


def find_columns(row: list[str], headings: Mapping[str, tuple[str, ...]], chosen: Mapping[str, str]) -> dict[str, int]:
    """Return the position of each field's column, by the chosen heading, else by one that is known for the field."""
    positions = {heading_key(heading): position for position, heading in reversed(list(enumerate(row)))}
    found: dict[str, int] = {}
    for name, known in headings.items():
        if chosen.get(name) == NO_COLUMN:
            continue
        wanted = [heading_key(chosen[name])] if chosen.get(name) else list(known)
        position = next((positions[heading] for heading in wanted if heading in positions), None)
        if position is not None:
            found[name] = position
    return found


def map_columns(
    row: list[str], headings: Mapping[str, tuple[str, ...]], chosen: Mapping[str, str]
) -> tuple[dict[str, int], list[str]]:
    """Return the position of each field's column, and the headings that no field has.

    `chosen` are the headings that somebody has chosen for fields. Raises SourceError without a title or a date.
    """
    found = find_columns(row, headings, chosen)
    if missing := [headings[name][0] for name in required_fields(headings) if name not in found]:
        raise SourceError(
            _("The table has no column “%(missing)s”. Its columns are: %(columns)s.")
            % {"missing": "”, “".join(missing), "columns": ", ".join(filter(None, row))[:500]}
        )
    used = set(found.values())
    unused = [heading for position, heading in enumerate(row) if position not in used and heading.strip()]
    return found, [heading for heading in unused if heading_key(heading) not in IGNORED]
