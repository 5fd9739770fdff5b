from datetime import timedelta
from typing import Any

from django.core.management.base import CommandParser

from calendar_site.core import clock
from calendar_site.core.commands import ServiceCommand
from calendar_site.media.clean_up import clean_media

# Writes take seconds.
MIN_AGE = timedelta(days=1)


class Command(ServiceCommand):
    help = (
        "Delete image files that no image of the library has and that are older than a day, and list images whose "
        "files are missing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="Only print which files would be deleted.")

    def handle(self, *, dry_run: bool, **options: Any) -> None:
        orphans, missing = clean_media(clock.now() - MIN_AGE, dry_run=dry_run)
        for name in orphans:
            self.stdout.write(f"{'Would delete' if dry_run else 'Deleted'} {name}")
        for pk, names in missing.items():
            self.stdout.write(f"Image {pk} lacks {', '.join(names)}. Upload the same file again to replace it.")
        self.stdout.write(f"Files without an image: {len(orphans)}. Images with missing files: {len(missing)}.")
