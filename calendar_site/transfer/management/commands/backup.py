import json
from argparse import ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from calendar_site.core.commands import ServiceCommand
from calendar_site.transfer.backups.errors import BackupError
from calendar_site.transfer.backups.services import make_backup

MAX_KEPT = 10_000
SHOWN_NAMES = 10


def parse_kept(text: str) -> int:
    """Parse the number of backups that are kept, as the `type` of an argument. Raises ArgumentTypeError."""
    if text.isdecimal() and 1 <= int(text[:6]) <= MAX_KEPT and len(text) <= 5:
        return int(text)
    raise ArgumentTypeError(f"Must be a whole number from 1 to {MAX_KEPT}.")


class Command(ServiceCommand):
    help = (
        "Write a backup of the database and of all images to a new file in a folder, while the service may run. The "
        "file contains email addresses and hashes of passwords: only its owner may read it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="The folder of the backups.")
        parser.add_argument("--keep", type=parse_kept, help="Delete all backups in the folder but the newest ones.")
        parser.add_argument(
            "--verify", action="store_true", help="Restore the backup into a temporary place, and compare it."
        )
        parser.add_argument("--json", action="store_true", help="Print the result as JSON.")

    def handle(self, *, folder: Path, keep: int | None, verify: bool, **options: Any) -> None:
        tell = (lambda text: None) if options["json"] else self.stdout.write
        try:
            backup = make_backup(folder, keep=keep, verify=verify, tell=tell)
        except (BackupError, OSError) as error:
            raise CommandError(f"No backup was made. {error}") from error
        manifest = backup.manifest
        result = {
            "file": str(backup.path),
            "bytes": backup.path.stat().st_size,
            "rows": sum(manifest.tables.values()),
            "images": len(manifest.files) - 1,
            "missing_images": manifest.missing_images,
            "verified": verify,
            "deleted": [str(path) for path in backup.deleted],
        }
        self.stdout.write(json.dumps(result) if options["json"] else _as_text(result))


def _as_text(result: dict[str, Any]) -> str:
    lines = [f"{result['file']}: {result['rows']} rows, {result['images']} image files, {result['bytes']} bytes."]
    missing = result["missing_images"]
    lines += [f"Missing in the library: {name}" for name in missing[:SHOWN_NAMES]]
    lines += [f"And {len(missing) - SHOWN_NAMES} others are missing."] if len(missing) > SHOWN_NAMES else []
    lines += ["The backup was restored into a temporary place, and is complete."] if result["verified"] else []
    lines += [f"Deleted {name}" for name in result["deleted"]]
    return "\n".join(lines)
