"""The base class of the commands that import records with ids which other programs know."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from calendar_site.transfer.imports.id_table import as_csv, id_rows
from calendar_site.transfer.management.import_command import ImportCommand
from calendar_site.transfer.models import ImportRun, Source


class IdTableCommand(ImportCommand):
    """Keeps the ids of records, or writes a table of the old and the new ones."""

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--keep-ids", action="store_true", help="Keep the ids of all records.")
        parser.add_argument(
            "--id-table",
            metavar="FILE",
            type=Path,
            help="Where to write the table of the ids there and here, as CSV. Without it and without --keep-ids, the "
            "table is calendar-ids.csv in the current folder.",
        )

    def _set_options(self, source: Source, options: dict[str, Any]) -> None:
        super()._set_options(source, options)
        if options["keep_ids"]:
            source.options = {**source.options, "keep_ids": True}

    def _finish(self, run: ImportRun, options: dict[str, Any]) -> None:
        super()._finish(run, options)
        path: Path | None = options["id_table"]
        if run.is_preview or (path is None and run.source.options.get("keep_ids")):
            return
        path = path or Path("calendar-ids.csv")
        try:
            path.write_text(as_csv(id_rows(run.source)), encoding="utf-8")
        except OSError as error:
            raise CommandError(f"The records are imported, but the table of ids is not written: {error}.") from error
        if not options["json"]:
            self.stdout.write(f"The ids there and here are in {path}.")
