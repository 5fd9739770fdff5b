from typing import Any

from django.core.management.base import CommandError, CommandParser

from calendar_site.core.commands import ServiceCommand
from calendar_site.derived.installation import install
from calendar_site.derived.registry import registered


class Command(ServiceCommand):
    help = "Compute all derived data anew, such as counts and search indexes, and install the triggers that keep it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--check",
            action="store_true",
            help="Only compare the stored data with what would be computed. The exit status is 1 if it differs.",
        )

    def handle(self, *, check: bool, **options: Any) -> None:
        if not check:
            install()
            self.stdout.write(f"Rebuilt: {', '.join(data.name for data in registered()) or 'nothing'}.")
            return
        counts = {data.name: data.count_differences() for data in registered()}
        for name, count in counts.items():
            self.stdout.write(f"{name}: {count} differences")
        if any(counts.values()):
            raise CommandError("Derived data differs. Run: manage.py rebuild_derived")
