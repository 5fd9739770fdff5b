from datetime import timedelta
from typing import Any

from django.core.management.base import CommandParser

from calendar_site.core import clock
from calendar_site.core.commands import ServiceCommand, format_counts, parse_days
from events.services import empty_trash


class Command(ServiceCommand):
    help = "Permanently delete events, venues and organizers that have been in the trash for a number of days."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--days",
            type=parse_days,
            required=True,
            metavar="N",
            help="Minimum number of days in the trash; 0 for all records.",
        )
        parser.add_argument("--dry-run", action="store_true", help="Only print what would be deleted.")

    def handle(self, *, days: int, dry_run: bool, **options: Any) -> None:
        deleted = empty_trash(clock.now() - timedelta(days=days), dry_run=dry_run)
        self.stdout.write(f"{'Would delete' if dry_run else 'Deleted'} {format_counts(deleted)}.")
