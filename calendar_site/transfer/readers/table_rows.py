"""The rows of CSV files and Excel workbooks, as texts."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from datetime import date, datetime, time
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple
from zipfile import BadZipFile, ZipFile

from django.utils.translation import gettext as _
from openpyxl import load_workbook
from openpyxl.utils.exceptions import InvalidFileException

from calendar_site.transfer.imports.errors import SourceError
from calendar_site.transfer.readers.text import decode, is_web_page

SEPARATORS = ",;\t|"
MAX_ROWS = 20_000
MAX_COLUMNS = 200
MAX_CELL = 100_000
# Of the files in a workbook, unpacked.
MAX_WORKBOOK_BYTES = 100 * 1024 * 1024


class TableRow(NamedTuple):
    """A row with its number in the file."""

    number: int
    cells: list[str]


def read_rows(path: Path) -> list[TableRow]:
    """Return the rows that are not empty, the headings first. Raises SourceError."""
    is_workbook = path.read_bytes()[:4] == b"PK\x03\x04"
    rows: list[TableRow] = []
    for row in _workbook_rows(path) if is_workbook else _csv_rows(path):
        if any(cell.strip() for cell in row.cells):
            rows.append(TableRow(row.number, [cell.strip() for cell in row.cells[:MAX_COLUMNS]]))
        if len(rows) > MAX_ROWS + 1:
            raise SourceError(_("The table has more than %(limit)s rows.") % {"limit": MAX_ROWS})
    if not rows:
        raise SourceError(_("The table is empty."))
    return rows


def _csv_rows(path: Path) -> Iterator[TableRow]:
    text = decode(path.read_bytes())
    if is_web_page(text):
        raise SourceError(_("The answer is a web page, not a table. Check the address."))
    csv.field_size_limit(MAX_CELL)
    lines = text.replace("\0", "").splitlines(keepends=True)
    reader = csv.reader(lines, delimiter=_separator(text))
    try:
        for cells in reader:
            yield TableRow(reader.line_num, cells)
    except csv.Error as error:
        raise SourceError(
            _("Line %(line)s cannot be read: %(error)s") % {"line": reader.line_num, "error": error}
        ) from error


def _separator(text: str) -> str:
    """Return the separator that the headings have most often outside of quotes."""
    heading = next((line for line in text.splitlines() if line.strip()), "")
    outside = "".join(heading.split('"')[::2])
    return max(SEPARATORS, key=lambda separator: (outside.count(separator), -SEPARATORS.index(separator)))


def _workbook_rows(path: Path) -> Iterator[TableRow]:
    # By its file, because the library looks at the ending of a name.
    with path.open("rb") as file:
        workbook = _open_workbook(file)
        try:
            if not workbook.worksheets:
                return
            cells = workbook.worksheets[0].iter_rows(values_only=True, max_row=MAX_ROWS + 2)
            for number, row in enumerate(cells, 1):
                yield TableRow(number, [_to_text(cell) for cell in row])
        finally:
            workbook.close()


def _open_workbook(file: BinaryIO) -> Any:
    try:
        with ZipFile(file) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > MAX_WORKBOOK_BYTES:
                raise SourceError(_("The workbook is too large."))
        # Formulas are text: their results may come from elsewhere.
        return load_workbook(file, read_only=True, data_only=False)
    except (BadZipFile, InvalidFileException, KeyError, ValueError, OSError) as error:
        raise SourceError(_("The file is not an Excel workbook (.xlsx).")) from error


def _to_text(cell: Any) -> str:
    """Return a cell as text: dates in the order year, month, day, and whole numbers without a point."""
    if cell is None:
        return ""
    if isinstance(cell, datetime):
        return str(cell.date()) if cell.time() == time() else cell.isoformat(" ", "seconds")
    if isinstance(cell, date):
        return str(cell)
    if isinstance(cell, time):
        return cell.isoformat("minutes")
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)
