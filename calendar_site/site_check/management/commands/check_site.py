import json
from typing import Any

from django.core.management.base import CommandError, CommandParser

from calendar_site.core.commands import ServiceCommand
from calendar_site.site_check.checks import run_checks


class Command(ServiceCommand):
    help = (
        "Check everything that the service needs: configuration, database, migrations, cache, storage, mail, clock, "
        "disk, permissions, images, sources and backups. The exit status is 1 if something is wrong."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="Print the result as JSON.")

    def handle(self, **options: Any) -> None:
        results = list(run_checks())
        if options["json"]:
            self.stdout.write(json.dumps({result.name: result.problems for result in results}))
        else:
            for result in results:
                self.stdout.write(f"{result.name}: {'ok' if not result.problems else ' '.join(result.problems)}")
        failed = [result.name for result in results if result.problems]
        if failed:
            raise CommandError(f"Look at: {', '.join(failed)}.")
