"""The reader of each format."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from calendar_site.transfer.imports.runs import SourceReader
from calendar_site.transfer.models import Source, SourceKind
from calendar_site.transfer.readers.ics import IcsReader
from calendar_site.transfer.readers.jsonld import JsonLdReader
from calendar_site.transfer.readers.table import TableReader
from calendar_site.transfer.readers.tec import TecReader
from calendar_site.transfer.readers.wxr import WxrReader

READERS: dict[str, Callable[..., Any]] = {
    SourceKind.TEC: TecReader,
    SourceKind.WXR: WxrReader,
    SourceKind.ICS: IcsReader,
    SourceKind.JSONLD: JsonLdReader,
    SourceKind.TABLE: TableReader,
}


def make_reader(source: Source, local: Path | None = None, *, conditional: bool = False) -> SourceReader:
    """Return a reader of the source, or of a local file in its place.

    With `conditional`, a source that has not changed since it was read last is not read again.
    """
    reader: SourceReader = READERS[source.kind](source, local, conditional=conditional)
    return reader
