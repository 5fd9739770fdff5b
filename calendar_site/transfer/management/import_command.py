"""The base class of the commands that import a source."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError, CommandParser

from calendar_site.accounts.models import User
from calendar_site.core.commands import ServiceCommand, error_messages
from calendar_site.transfer.imports.runs import count_outcomes, execute, start_run
from calendar_site.transfer.models import Absence, ImportRun, NewStatus, Outcome, RunState, Source, SourceKind
from calendar_site.transfer.readers.registry import make_reader
from taxonomy.models import Category

MAX_LISTED = 50
LISTED = (Outcome.REJECTED, Outcome.SKIPPED, Outcome.KEPT, Outcome.NOTE)
# In a preview, also what would be written.
PREVIEWED = (Outcome.CREATED, Outcome.UPDATED, Outcome.JOINED)


class ImportCommand(ServiceCommand):
    """Imports a file or URL as a source, which it creates the first time and finds again afterwards."""

    kind: ClassVar[SourceKind]
    source_help: ClassVar[str]

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("source", help=self.source_help)
        parser.add_argument(
            "--user", metavar="NAME", help="The author of new records. Without it, the first superuser."
        )
        parser.add_argument("--status", choices=NewStatus.values, help="The status of new events that have none.")
        parser.add_argument("--category", metavar="SLUG", help="The category of new events that have none.")
        parser.add_argument("--skip", metavar="WORDS", help="Words in titles of events to skip, separated by commas.")
        parser.add_argument("--read-times-as", metavar="ZONE", help="A time zone that replaces the one of the source.")
        parser.add_argument("--absence", choices=Absence.values, help="What happens to upcoming events that vanish.")
        parser.add_argument("--create-venues", action="store_true", help="Create venues for unknown places.")
        parser.add_argument("--dry-run", action="store_true", help="Say what would happen, and change nothing.")
        parser.add_argument("--json", action="store_true", help="Print the report as JSON.")

    def handle(self, *, source: str, **options: Any) -> None:
        is_url = source.startswith(("http://", "https://"))
        local = None if is_url else Path(source)
        if local is not None and not local.is_file():
            raise CommandError(f"{source} is neither a file nor a URL that begins with https:// or http://.")
        record = self._source(source if is_url else "", local, options)
        run = start_run(record, user=None, is_preview=options["dry_run"])
        try:
            execute(run, make_reader(record, local), progress=self._show_progress)
        except KeyboardInterrupt as error:
            raise CommandError("Interrupted. Run the command again, and it goes on.") from error
        self._report(run, as_json=options["json"])
        self._finish(run, options)

    def _finish(self, run: ImportRun, options: dict[str, Any]) -> None:
        """Do what belongs to the command after its report."""

    def _source(self, url: str, local: Path | None, options: dict[str, Any]) -> Source:
        name = local.name if local else url
        source = Source.objects.filter(kind=self.kind, url=url, name=name[:200]).first()
        source = source or Source(kind=self.kind, url=url, name=name[:200], owner=self._owner(options["user"]))
        if options["user"] and source.pk:
            source.owner = self._owner(options["user"])
        self._set_options(source, options)
        try:
            source.full_clean()
        except ValidationError as error:
            raise CommandError("\n".join(error_messages(error))) from error
        source.save()
        return source

    def _set_options(self, source: Source, options: dict[str, Any]) -> None:
        """Set the given options on the source; others keep their value."""
        names = {"status": "new_status", "skip": "skip_pattern", "read_times_as": "read_times_as", "absence": "absence"}
        for option, name in names.items():
            if options[option] is not None:
                setattr(source, name, options[option])
        if options["category"] is not None:
            source.category = Category.objects.filter(slug=options["category"]).first()
            if source.category is None:
                raise CommandError(f"There is no category with the slug “{options['category']}”.")
        if options["create_venues"]:
            source.creates_venues = True

    def _owner(self, name: str | None) -> User:
        users = User.objects.filter(is_active=True)
        user = users.filter(username=name).first() if name else users.filter(is_superuser=True).order_by("pk").first()
        if user is None and name:
            raise CommandError(f"There is no active user “{name}”.")
        if user is None:
            raise CommandError("Name the author of new records with --user.")
        return user

    def _show_progress(self, run: ImportRun) -> None:
        if sys.stderr.isatty():
            self.stderr.write(f"\r{run.read_count} of {run.total or '?'} records", ending="")

    def _report(self, run: ImportRun, *, as_json: bool) -> None:
        if sys.stderr.isatty():
            self.stderr.write("")
        counts = count_outcomes(run)
        outcomes = LISTED + PREVIEWED if run.is_preview else LISTED
        entries = run.entries.filter(outcome__in=outcomes)
        if as_json:
            lines = [
                {name: getattr(entry, name) for name in ("outcome", "kind", "title", "reason", "line", "count", "raw")}
                for entry in entries
            ]
            values = {"run": run.pk, "state": run.state, "message": run.message, "counts": counts, "entries": lines}
            self.stdout.write(json.dumps(values))
        else:
            for entry in entries[:MAX_LISTED]:
                self.stdout.write(_format(entry))
            if entries.count() > MAX_LISTED:
                self.stdout.write(f"… and {entries.count() - MAX_LISTED} more lines; --json has them all.")
        if run.state == RunState.FAILED:
            raise CommandError(f"Nothing was imported. {run.message}")
        if not as_json:
            said = ", ".join(f"{count} {outcome}" for outcome, count in counts.items()) or "nothing new"
            start = "Would import" if run.is_preview else f"Import {run.pk}"
            self.stdout.write(f"{start}: {said}.{f' {run.message}' if run.message else ''}")


def _format(entry: Any) -> str:
    times = f" ({entry.count} times)" if entry.count > 1 else ""
    line = f" (line {entry.line})" if entry.line else ""
    said = f"{entry.outcome}: {entry.kind} “{entry.title}”{line}{times}"
    return f"{said}: {entry.reason}" if entry.reason else said
