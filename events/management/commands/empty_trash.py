from datetime import timedelta

from django.utils import timezone

from calendar_site.content.commands import CleanCommand, amounts, days
from events.services import empty_trash


class Command(CleanCommand):
    help = "Delete for good the events, venues and organizers that have been in the trash for a number of days."

    def add_arguments(self, parser):
        parser.add_argument("--days", type=days, required=True, metavar="N", help="A whole number, 0 for all of them.")
        parser.add_argument("--dry-run", action="store_true", help="Only say what would be deleted.")

    def handle(self, *, days, dry_run, **options):
        deleted = empty_trash(timezone.now() - timedelta(days=days), dry_run=dry_run)
        self.stdout.write(f"{'Would delete' if dry_run else 'Deleted'} {amounts(deleted)}.")
