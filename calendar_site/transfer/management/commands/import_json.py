import json
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from calendar_site.core.commands import ServiceCommand
from calendar_site.transfer.exports.errors import ExportError
from calendar_site.transfer.exports.reading import import_content, import_images


class Command(ServiceCommand):
    help = (
        "Import a file of the command export into a service without content: all of it, or nothing. Accounts have no "
        "password afterwards: set one with changepassword, or let people reset theirs."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="The file.")
        parser.add_argument("--images", type=Path, metavar="FOLDER", help="The folder with the files of images.")
        parser.add_argument("--dry-run", action="store_true", help="Try everything, and change nothing.")
        parser.add_argument("--json", action="store_true", help="Print the result as JSON.")

    def handle(self, *, file: Path, images: Path | None, dry_run: bool, **options: Any) -> None:
        try:
            counts = import_content(file, dry_run=dry_run)
        except (ExportError, OSError) as error:
            raise CommandError(f"Nothing was imported. {error}") from error
        try:
            stored, missing = import_images(images) if images and not dry_run else (0, [])
        except (ExportError, OSError) as error:
            raise CommandError(f"The records were imported, but not all images. {error}") from error
        if options["json"]:
            self.stdout.write(json.dumps({"records": counts, "images": stored, "missing_images": missing}))
            return
        verb = "Would import" if dry_run else "Imported"
        self.stdout.write(f"{verb} {sum(counts.values())} records and {stored} image files.")
        if missing:
            self.stdout.write(f"{len(missing)} image files are missing, such as {missing[0]}")
