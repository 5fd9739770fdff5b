from datetime import timedelta
from typing import Any

from django.conf import settings

from calendar_site.audit.retention import clear_addresses, prune_history
from calendar_site.core import clock
from calendar_site.core.commands import ServiceCommand, parse_days


class Command(ServiceCommand):
    help = (
        "Delete revisions that are older than a number of days. The newest revision of each existing record is kept. "
        "Also delete IP addresses in the history that are older than HISTORY_ADDRESS_DAYS."
    )

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument(
            "--days", type=parse_days, required=True, metavar="N", help="Minimum age in days; 0 for all revisions."
        )
        parser.add_argument("--dry-run", action="store_true", help="Only print how many revisions would be deleted.")

    def handle(self, *, days: int, dry_run: bool, **options: Any) -> None:
        if not dry_run:
            clear_addresses(clock.now() - timedelta(days=settings.HISTORY_ADDRESS_DAYS))
        deleted = prune_history(clock.now() - timedelta(days=days), dry_run=dry_run)
        counts = [f"{count} of {model._meta.verbose_name_plural}" for model, count in deleted.items() if count]
        total = sum(deleted.values())
        revisions = "revision" if total == 1 else "revisions"
        details = f" ({', '.join(counts)})" if counts else ""
        self.stdout.write(f"{'Would delete' if dry_run else 'Deleted'} {total} {revisions}{details}.")
