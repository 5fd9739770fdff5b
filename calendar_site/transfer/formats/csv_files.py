"""Tables: one that the service imports again, and those that the importer of The Events Calendar knows."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from io import TextIOWrapper
from pathlib import Path
from typing import Any, BinaryIO

from calendar_site.transfer.files import new_file
from calendar_site.transfer.formats.content import (
    all_events,
    all_organizers,
    all_venues,
    cost_without_symbol,
    image_url,
    organizers_of,
    venues_of,
)
from events.models import Event

# Spreadsheets would compute cells that begin with these.
FORMULA = ("=", "+", "-", "@")


def write_csv(file: BinaryIO) -> int:
    """Write all events as a table that `import_csv` reads. Return their number."""
    return _write(file, _harmless(_our_row(event) for event in all_events()))


def _our_row(event: Event) -> dict[str, Any]:
    venue = next(iter(venues_of(event)), None)
    return {
        "Id": event.uid or event.pk,
        "Title": event.title,
        "Start date": event.start_local[:10],
        "Start time": "" if event.all_day else event.start_local[11:16],
        "End date": event.end_local[:10],
        "End time": "" if event.all_day else event.end_local[11:16],
        "Time zone": event.time_zone,
        "All day": _yes(event.all_day),
        "Venue": venue.title if venue else "",
        "Address": venue.address if venue else "",
        "City": venue.city if venue else "",
        "Zip": venue.zip if venue else "",
        "Country": venue.country if venue else "",
        "Organizers": ", ".join(row.title for row in organizers_of(event)),
        "Categories": ", ".join(row.name for row in event.categories.all()),
        "Tags": ", ".join(row.name for row in event.tags.all()),
        "Cost": event.cost,
        "Website": event.website,
        "Image": image_url(event),
        "Description": event.description,
        "Excerpt": event.excerpt,
        "Status": "publish" if event.status == "future" else event.status,
        "Featured": _yes(event.featured),
        "Sticky": _yes(event.sticky),
        "Hide from listings": _yes(event.hide_from_listings),
        "Show map": _yes(event.show_map),
        "Show map link": _yes(event.show_map_link),
    }


def write_tec_csv(folder: Path) -> int:
    """Write the three tables that the importer of The Events Calendar reads, in this order, to a new folder.

    Returns the number of rows. Raises OSError.
    """
    folder.mkdir(mode=0o700)
    tables: dict[str, Iterable[dict[str, Any]]] = {
        "venues.csv": map(_tec_venue, all_venues()),
        "organizers.csv": map(_tec_organizer, all_organizers()),
        "events.csv": map(_tec_event, all_events()),
    }
    count = 0
    for name, rows in tables.items():
        with new_file(folder / name) as file:
            count += _write(file, rows)
    return count


def _tec_venue(venue: Any) -> dict[str, Any]:
    return {
        "Venue Name": venue.title,
        "Venue Description": venue.description,
        "Venue Country": venue.country,
        "Venue Address": venue.address,
        "Venue Address 2": "",
        "Venue City": venue.city,
        "Venue State/Province": venue.state_province or venue.province or venue.state,
        "Venue Zip": venue.zip,
        "Venue Phone": venue.phone,
        "Venue Website": venue.website,
        "Venue Featured Image": image_url(venue),
    }


def _tec_organizer(organizer: Any) -> dict[str, Any]:
    return {
        "Organizer Name": organizer.title,
        "Organizer Description": organizer.description,
        "Organizer Email": organizer.email,
        "Organizer Website": organizer.website,
        "Organizer Phone": organizer.phone,
        "Organizer Featured Image": image_url(organizer),
    }


def _tec_event(event: Event) -> dict[str, Any]:
    venue = next(iter(venues_of(event)), None)
    return {
        "Event Name": event.title,
        "Event Description": event.description,
        "Event Excerpt": event.excerpt,
        "Event Start Date": event.start_local[:10],
        "Event Start Time": event.start_local[11:],
        "Event End Date": event.end_local[:10],
        "Event End Time": event.end_local[11:],
        "Event Time Zone": event.time_zone,
        "All Day Event": _yes(event.all_day),
        "Hide Event From Event Listings": _yes(event.hide_from_listings),
        "Event Sticky in Month View": _yes(event.sticky),
        "Feature Event": _yes(event.featured),
        "Event Venue Name": venue.title if venue else "",
        "Event Organizer Name(s) or id(s)": ", ".join(row.title for row in organizers_of(event)),
        "Event Show Map Link": _yes(event.show_map_link),
        "Event Show Map": _yes(event.show_map),
        "Event Cost": cost_without_symbol(event),
        "Event ISO Currency Code": "",
        "Event Currency Symbol": event.cost_symbol,
        "Event Currency Position": {"prefix": "prefix", "postfix": "suffix"}.get(event.cost_position, ""),
        "Event Category": ", ".join(row.name for row in event.categories.all()),
        "Event Tags": ", ".join(row.name for row in event.tags.all()),
        "Event Website": event.website,
        "Event Featured Image": image_url(event),
    }


def _yes(flag: bool) -> str:
    return "yes" if flag else "no"


def _write(file: BinaryIO, rows: Iterable[dict[str, Any]]) -> int:
    """Write the rows with the headings of the first one, and return their number."""
    count = 0
    # With a byte order mark, without which Excel reads another encoding.
    text = TextIOWrapper(file, encoding="utf-8-sig", newline="", write_through=True)
    writer: csv.DictWriter[str] | None = None
    for row in rows:
        if writer is None:
            writer = csv.DictWriter(text, fieldnames=list(row))
            writer.writeheader()
        writer.writerow(row)
        count += 1
    text.flush()
    # The caller closes the file.
    text.detach()
    return count


def _harmless(rows: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the rows with an apostrophe before texts that a spreadsheet would compute. `import_csv` removes it."""
    for row in rows:
        texts = {name: str(value) for name, value in row.items()}
        yield {name: f"'{text}" if text.startswith(FORMULA) else text for name, text in texts.items()}
