import json
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from calendar_site.core.commands import ServiceCommand
from calendar_site.transfer.backups.errors import BackupError
from calendar_site.transfer.backups.services import restore_backup, verify_backup


class Command(ServiceCommand):
    help = (
        "Replace the database by that of a backup, and store its images that are missing. Stop the service first. "
        "Nothing is changed before the whole backup has been checked."
    )
    # The database may be empty, or of another version.
    requires_migrations_checks = False
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="The file of a backup.")
        group = parser.add_mutually_exclusive_group()
        group.add_argument("--dry-run", action="store_true", help="Check the backup, and say what would be restored.")
        group.add_argument(
            "--verify", action="store_true", help="Only restore the backup into a temporary place, and compare it."
        )
        parser.add_argument("--json", action="store_true", help="Print the result as JSON.")

    def handle(self, *, file: Path, dry_run: bool, verify: bool, **options: Any) -> None:
        tell = (lambda text: None) if options["json"] else self.stdout.write
        try:
            if verify:
                manifest, images, former = verify_backup(file), 0, ""
            else:
                manifest, images, former = restore_backup(file, dry_run=dry_run, tell=tell)
        except (BackupError, OSError) as error:
            raise CommandError(f"Nothing was restored. {error}") from error
        result = {
            "created": manifest.created,
            "rows": sum(manifest.tables.values()),
            "images": images,
            "former_database": former,
        }
        if options["json"]:
            self.stdout.write(json.dumps(result))
        elif verify:
            self.stdout.write(f"The backup of {manifest.created} is complete: {result['rows']} rows.")
        else:
            verb = "Would restore" if dry_run else "Restored"
            self.stdout.write(f"{verb} the backup of {manifest.created}: {result['rows']} rows, {images} image files.")
            if former:
                self.stdout.write(f"The former database is {former}.")
