"""The changes that give a record here the values of a record of a source."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.utils.html import format_html
from django.utils.translation import gettext as _

from calendar_site.accounts.models import User
from calendar_site.core.choices import Status
from calendar_site.core.types import AnyUser
from calendar_site.transfer.imports.images import StoredImages
from calendar_site.transfer.imports.kinds import KINDS, can_create, digest
from calendar_site.transfer.imports.places import KnownPlaces
from calendar_site.transfer.imports.records import ImageLink, ImportedRecord, RecordKind
from calendar_site.transfer.imports.report import make_entry
from calendar_site.transfer.models import ImportEntry, ImportRun, Outcome, SourceRecord

IMAGE = "image"
EMPTY_VALUES: tuple[Any, ...] = (None, "", (), [], {})
# The kind of the records of each relation.
RELATION_KINDS: dict[str, RecordKind] = {
    "categories": RecordKind.CATEGORY,
    "tags": RecordKind.TAG,
    "venues": RecordKind.VENUE,
    "organizers": RecordKind.ORGANIZER,
}


@dataclass
class RecordChanges:
    """The input of a service, and the lines of the report that belong to it."""

    values: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    # Linked records that were created.
    entries: list[ImportEntry] = field(default_factory=list)


class ChangeMaker:
    """Makes the changes of one run."""

    def __init__(self, run: ImportRun) -> None:
        self._run, self._source = run, run.source
        self._user: AnyUser = run.source.owner
        self._places = KnownPlaces(run.source, self._user)
        # The terms and organizers that records name, by kind and name.
        self._known: dict[tuple[str, str], Any] = {}
        # What a preview would have created or linked, by kind and key: the values, or the record.
        self._previewed: dict[tuple[str, str], Any] = {}

    def names(self, record: ImportedRecord) -> list[str]:
        """Return the fields and relations that the source decides. A preview fetches no image."""
        has_image = record.image != "" and not self._run.is_preview
        return [*record.values, *record.links, *([IMAGE] if has_image else [])]

    def is_empty(self, record: ImportedRecord, name: str) -> bool:
        """Return whether the source says nothing in a field."""
        if name == IMAGE:
            return not isinstance(record.image, ImageLink)
        return (record.links[name] if name in record.links else record.values[name]) in EMPTY_VALUES

    def read_digest(self, record: ImportedRecord, name: str) -> str:
        """Return the digest of what the source says about a field."""
        if name == IMAGE:
            return digest(record.image.url if isinstance(record.image, ImageLink) else None)
        if name in record.links:
            return digest([[link.key, dict(link.values)] for link in record.links[name]])
        return digest(record.values[name])

    def make(self, record: ImportedRecord, names: Collection[str], images: StoredImages) -> RecordChanges:
        """Return the changes of the fields with these names; creates linked records that the source only names.

        Raises ValidationError and PermissionDenied.
        """
        made = RecordChanges({name: value for name, value in record.values.items() if name in names})
        if IMAGE in names and record.image != "" and not self._run.is_preview:
            # Before the description, which may show the same image without its alternative text.
            image = images.get(record.image) if isinstance(record.image, ImageLink) else None
            if image is not None or record.image is None:
                made.values[IMAGE] = image
        if "description" in made.values and not self._run.is_preview:
            made.values["description"] = images.localize(made.values["description"])
        for name in record.links:
            if name == "parent" and name in names:
                made.values[name] = self._parent(record)
            elif name in names:
                made.values[name] = self._linked(name, record, made)
        if record.author_email and "status" in names:
            author = User.objects.filter(email__iexact=record.author_email, is_active=True).order_by("pk").first()
            made.values |= {"author_id": author.pk} if author else {}
        return made

    def defaults_of_new(self, record: ImportedRecord) -> dict[str, Any]:
        """Return the values that the settings of the source give to a new event."""
        if record.kind not in (RecordKind.EVENT, RecordKind.SERIES):
            return {}
        changes: dict[str, Any] = {}
        if "status" not in record.values:
            changes["status"] = self._source.new_status
        if self._source.category and not record.links.get("categories"):
            changes["categories"] = [self._source.category]
        if self._source.venue and not record.links.get("venues"):
            changes["venues"] = [self._source.venue]
        return changes

    def remember_previewed(self, record: ImportedRecord, row: Any = None) -> None:
        """Remember what a preview would create or link, because the next batch does not find it in the database."""
        if record.kind == RecordKind.VENUE:
            self._places.forget_names()
        if self._run.is_preview:
            self._previewed[record.kind, record.key] = row or {**record.values}

    def is_previewed(self, kind: RecordKind, key: str) -> bool:
        return (kind, key) in self._previewed

    def _parent(self, record: ImportedRecord) -> Any:
        links = record.links["parent"]
        found = self._find(record.kind, links[0].key) if links else None
        return found if isinstance(found, Model) else None

    def _find(self, kind: RecordKind, key: str) -> Any:
        """Return the record here of a record of the source; in a preview, perhaps its values."""
        link = SourceRecord.objects.filter(source=self._source, kind=kind, key=key).first()
        row = KINDS[kind].model._default_manager.filter(pk=link.record_id).first() if link else None
        return self._previewed.get((kind, key)) if row is None else row

    def _linked(self, name: str, record: ImportedRecord, made: RecordChanges) -> list[Any]:
        kind = RELATION_KINDS[name]
        found: list[Any] = []
        for link in record.links[name]:
            if link.key:
                row = self._find(kind, link.key)
                if row is not None and getattr(row, "status", "") != Status.TRASH:
                    found.append(row)
                else:
                    made.notes.append(
                        _("A linked record is missing: %(kind)s %(key)s") % {"kind": kind, "key": link.key}
                    )
            elif kind == RecordKind.VENUE:
                found += self._venue(record, link.values, made)
            else:
                found.append(self._find_or_create(kind, record, link.values, made))
        if name == "venues" and not record.links[name] and self._source.venue:
            found = [self._source.venue]
        return found

    def _venue(self, record: ImportedRecord, values: Mapping[str, Any], made: RecordChanges) -> list[Any]:
        """Return the venue of a place in a list: a known one, a new one, or none, in which case the text is kept."""
        place = self._places.find(values)
        if place.note:
            made.notes.append(place.note)
        if place.venue is not None:
            return [place.venue]
        if self._source.creates_venues or len(values) > 1:
            self._places.forget_names()
            return [self._create(RecordKind.VENUE, record, values, made)]
        self._places.remember_unknown(values["title"])
        made.notes.append(_("There is no venue “%(place)s”.") % {"place": values["title"]})
        if "description" in made.values:
            line = format_html("<p>{}</p>", _("Place: %(place)s") % {"place": values["title"]})
            made.values["description"] = "\n".join(filter(None, [made.values["description"], line]))
        return [self._source.venue] if self._source.venue else []

    def _find_or_create(
        self, kind: RecordKind, record: ImportedRecord, values: Mapping[str, Any], made: RecordChanges
    ) -> Any:
        """Return the term or organizer of this name, and create it if there is none."""
        name = str(values.get("title") or values["name"])
        if (kind, name) not in self._known:
            model = KINDS[kind].model
            if kind == RecordKind.ORGANIZER:
                known = model.objects.find_by_name(name, None, self._user)
            else:
                known = model.objects.filter(name_key=model.key_of(name)).order_by("pk").first()
            if known is None:
                # Not remembered, because it is gone if the record is refused.
                return self._create(kind, record, values, made)
            self._known[kind, name] = known
        return self._known[kind, name]

    def _create(self, kind: RecordKind, record: ImportedRecord, values: Mapping[str, Any], made: RecordChanges) -> Any:
        """Create a record that the source only names, and report it, so that undoing the run deletes it."""
        if not can_create(self._user, kind):
            raise PermissionDenied
        row = KINDS[kind].save(KINDS[kind].model(), changes=dict(values), user=self._user)
        title = values.get("title") or values["name"]
        named = ImportedRecord(kind=kind, key="", title=title, values=values, line=record.line)
        made.entries.append(make_entry(self._run, named, Outcome.CREATED, row_id=row.pk))
        return row
