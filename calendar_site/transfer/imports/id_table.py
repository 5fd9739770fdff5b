"""The table of the ids that imported records had at their source and have here, for programs that know the old ones."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from io import StringIO

from calendar_site.transfer.imports.kinds import KINDS
from calendar_site.transfer.models import Source, SourceKind, SourceRecord

# The sources whose keys are ids that programs know.
WITH_IDS = (SourceKind.TEC, SourceKind.WXR)
FORMULA = ("=", "+", "-", "@")
HEADINGS = ("kind", "id at the source", "id here", "page at the source")


def id_rows(source: Source) -> Iterator[tuple[str, str, str, str]]:
    """Yield the headings, and a row for each record of the source. One query."""
    yield HEADINGS
    links = SourceRecord.objects.filter(source=source, kind__in=list(KINDS)).order_by("kind", "record_id")
    for kind, key, record_id, path in links.values_list("kind", "key", "record_id", "url_path").iterator():
        yield kind, key, str(record_id), f"/{path}" if path else ""


def as_csv(rows: Iterable[tuple[str, ...]]) -> str:
    """Return CSV. An apostrophe keeps spreadsheets from computing what a source has called an id."""
    text = StringIO()
    csv.writer(text).writerows([f"'{cell}" if cell.startswith(FORMULA) else cell for cell in row] for row in rows)
    return text.getvalue()
