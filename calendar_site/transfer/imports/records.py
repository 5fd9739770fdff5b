"""The records of a source, as plain values: readers yield them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple


class RecordKind(StrEnum):
    """The kinds of records, in the order of an import: each links only to those before it."""

    CATEGORY = "category"
    TAG = "tag"
    VENUE = "venue"
    ORGANIZER = "organizer"
    SERIES = "series"
    EVENT = "event"


NO_VALUES: Mapping[str, Any] = MappingProxyType({})


class SourceLink(NamedTuple):
    """A record that another one links to: by its key in the source, or else by its values, which begin with a name."""

    key: str = ""
    values: Mapping[str, Any] = NO_VALUES


class ImageLink(NamedTuple):
    """An image of the source."""

    url: str
    alt: str = ""
    credit: str = ""


class ChangedOccurrence(NamedTuple):
    """The occurrence of a series that a record changes: the key of the series, and the local start by its rule."""

    series_key: str
    start: str


@dataclass(frozen=True, kw_only=True)
class ImportedRecord:
    """A record of a source."""

    kind: RecordKind
    # Its id there, which stays the same.
    key: str
    title: str
    # Equal for records of the same start, title and place. `matches_content` says that the keys of the source change at
    # every reading, so that records are found by it.
    content_key: str = ""
    matches_content: bool = False
    # By the name of the model's field, as the services take them; fields that the source does not have are missing.
    values: Mapping[str, Any]
    # The linked records, by the name of the relation. A relation to one record (`parent`) has one at most.
    links: Mapping[str, tuple[SourceLink, ...]] = field(default_factory=dict)
    # None if the source says that there is no image; missing images are "".
    image: ImageLink | str | None = ""
    occurrence: ChangedOccurrence | None = None
    author_email: str = ""
    # The id to keep, of a source whose ids may be kept.
    id: int | None = None
    # The page of the record at the source.
    url: str = ""
    # What people should know about it, such as a value that was not understood.
    notes: tuple[str, ...] = ()
    line: int | None = None
    raw: str = ""


@dataclass(frozen=True, kw_only=True)
class RejectedRecord:
    """A part of a source that is no valid record, or one that is left out on purpose (`is_skipped`)."""

    reason: str
    kind: RecordKind = RecordKind.EVENT
    key: str = ""
    title: str = ""
    line: int | None = None
    raw: str = ""
    is_skipped: bool = False
