"""Writing an export for other programs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from calendar_site.transfer.exports.errors import ExportError
from calendar_site.transfer.exports.writing import one_moment
from calendar_site.transfer.files import new_file
from calendar_site.transfer.formats.csv_files import write_csv, write_tec_csv
from calendar_site.transfer.formats.ics_file import write_ics
from calendar_site.transfer.formats.jsonld_file import write_jsonld
from calendar_site.transfer.formats.person import write_person
from calendar_site.transfer.formats.wxr_file import write_wxr

TEC_CSV = "tec-csv"
WRITERS: dict[str, Callable[[BinaryIO], int]] = {
    "csv": write_csv,
    "ics": write_ics,
    "jsonld": write_jsonld,
    "wxr": write_wxr,
}
FORMATS = (*WRITERS, TEC_CSV)


def export_format(path: Path, name: str) -> int:
    """Write an export to a new file, or to a new folder for `tec-csv`, as the content is at one moment.

    Returns the number of records. Raises ExportError and OSError; no file is left behind then.
    """
    _refuse_existing(path)
    with one_moment():
        if name == TEC_CSV:
            return write_tec_csv(path)
        with new_file(path) as file:
            return WRITERS[name](file)


def export_person(path: Path, email: str) -> int:
    """Write what is stored about the person with this email address to a new file. Returns the number of items.

    Raises ExportError and OSError.
    """
    _refuse_existing(path)
    with one_moment(), new_file(path) as file:
        return write_person(file, email)


def _refuse_existing(path: Path) -> None:
    if path.exists():
        raise ExportError(f"{path} exists.")
