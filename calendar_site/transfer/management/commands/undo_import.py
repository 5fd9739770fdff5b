from typing import Any

from django.core.management.base import CommandError, CommandParser

from calendar_site.core.commands import ServiceCommand
from calendar_site.transfer.imports.runs import undo
from calendar_site.transfer.models import ImportEntry, ImportRun, RunState


class Command(ServiceCommand):
    help = "Undo an import as a whole: delete what it created, and give what it changed its former values."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("run", type=int, help="The number of the import, which its report shows.")

    def handle(self, *, run: int, **options: Any) -> None:
        found = ImportRun.objects.select_related("source__owner").filter(pk=run, is_preview=False).first()
        if found is None:
            raise CommandError(f"There is no import with the number {run}.")
        if found.state in (RunState.WAITING, RunState.RUNNING):
            raise CommandError("The import is not finished. Run the import again first, so that it goes on.")
        undo(found, found.source.owner)
        undone = ImportEntry.objects.filter(run=found, is_undone=True)
        kept = undone.exclude(reason="").exclude(outcome="updated").exclude(outcome="joined")
        self.stdout.write(f"Undid {undone.count()} changes.")
        for entry in kept:
            self.stdout.write(f"{entry.kind} “{entry.title}”: {entry.reason}")
