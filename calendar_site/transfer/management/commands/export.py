import json
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from calendar_site.core.commands import ServiceCommand
from calendar_site.transfer.exports.errors import ExportError
from calendar_site.transfer.exports.lines import Head
from calendar_site.transfer.exports.writing import export_content, export_images
from calendar_site.transfer.formats.services import FORMATS, export_format, export_person

MAX_SHOWN = 10


class Command(ServiceCommand):
    help = (
        "Write all content to a new file, as JSON with one record in each line: for import_json, or any other program. "
        "It contains no passwords of accounts, but names and email addresses: only its owner may read it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="The new file.")
        parser.add_argument(
            "--format",
            choices=["json", *FORMATS],
            default="json",
            help="json has everything. csv, wxr and tec-csv (a folder) have all records of the calendar outside the "
            "trash; ics and jsonld have the public events.",
        )
        parser.add_argument("--person", metavar="EMAIL", help="Write what is stored about one person instead, as JSON.")
        parser.add_argument("--images", type=Path, metavar="FOLDER", help="Copy the files of images to a new folder.")
        parser.add_argument("--without-history", action="store_true", help="Leave out the history of records.")
        parser.add_argument(
            "--without-people",
            action="store_true",
            help="Leave out names, email addresses, reviews, reports and the history. Accounts stay without a name.",
        )
        parser.add_argument("--json", action="store_true", help="Print the result as JSON.")

    def handle(
        self, *, file: Path, images: Path | None, without_history: bool, without_people: bool, **options: Any
    ) -> None:
        if options["person"] or options["format"] != "json":
            self._export_other(file, options)
            return
        head = Head(with_people=not without_people, with_history=not (without_history or without_people))
        try:
            counts = export_content(file, head)
            stored, missing = export_images(images) if images else (0, [])
        except (ExportError, OSError) as error:
            raise CommandError(f"The export is not complete. {error}") from error
        if options["json"]:
            self.stdout.write(json.dumps({"records": counts, "images": stored, "missing_images": missing}))
            return
        self.stdout.write(f"{file}: {sum(counts.values())} records.")
        if images:
            self.stdout.write(f"{images}: {stored} image files.")
        for name in missing[:MAX_SHOWN]:
            self.stdout.write(f"Missing in the library: {name}")
        if len(missing) > MAX_SHOWN:
            self.stdout.write(f"And {len(missing) - MAX_SHOWN} others are missing.")

    def _export_other(self, file: Path, options: dict[str, Any]) -> None:
        try:
            if options["person"]:
                count = export_person(file, options["person"])
            else:
                count = export_format(file, options["format"])
        except (ExportError, OSError) as error:
            raise CommandError(f"The export is not complete. {error}") from error
        if options["json"]:
            self.stdout.write(json.dumps({"records": count}))
        else:
            self.stdout.write(f"{file}: {count} records.")
