"""The reader of sites with The Events Calendar, by its REST API."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from calendar_site.transfer.imports.errors import SourceError
from calendar_site.transfer.imports.records import ImportedRecord, RecordKind, RejectedRecord
from calendar_site.transfer.models import Source
from calendar_site.transfer.readers.tec_records import TecRecordMaker, parents_first
from calendar_site.transfer.readers.tec_site import TecSite


class TecReader:
    """Reads a site with all of its records: the published ones, and with credentials the others as well."""

    is_complete = True

    def __init__(self, source: Source, local: Path | None = None, *, conditional: bool = False) -> None:
        self._source = source
        self._site: TecSite | None = None
        self._records = TecRecordMaker(keeps_ids=bool(source.options.get("keep_ids")))

    def fetch(self, folder: Path) -> None:
        """Download the site. Raises SourceError."""
        self._site = TecSite(self._source, folder)
        self._site.download()
        for image in self._site.optional("wp/v2/media", {}):
            self._records.add_image(image.get("id"), str(image.get("source_url", "")), str(image.get("alt_text") or ""))
        if self._source.header:
            users = self._site.optional("wp/v2/users", {"context": "edit"})
            self._records.emails = {str(user.get("id")): str(user.get("email") or "") for user in users}

    def total(self) -> int | None:
        return self._site.count if self._site else None

    def records(self) -> Iterator[ImportedRecord | RejectedRecord]:
        """Yield categories, parents first, then tags, venues, organizers and events. Raises SourceError."""
        site = self._site
        if site is None:
            raise SourceError("The source was not fetched.")
        yield from self._records.read(RecordKind.CATEGORY, parents_first(site.records("categories")))
        yield from self._records.read(RecordKind.TAG, site.records("tags"))
        yield from self._records.read(RecordKind.VENUE, site.records("venues"))
        yield from self._records.read(RecordKind.ORGANIZER, site.records("organizers"))
        unlisted = {record.get("id") for record in site.records("unlisted")}
        listed = (record for record in site.records("events") if record.get("id") not in unlisted)
        yield from self._records.read(RecordKind.EVENT, listed)
        yield from self._records.read(RecordKind.EVENT, site.records("unlisted"))
