"""Importing sources in tests."""

from django.core.management import call_command

from calendar_site.transfer.imports.runs import count_outcomes, execute, start_run
from calendar_site.transfer.models import ImportEntry, ImportRun, Source
from calendar_site.transfer.readers.registry import make_reader

CALENDAR = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Test//EN\r\n{}END:VCALENDAR\r\n"
EVENT = "BEGIN:VEVENT\r\nUID:{uid}\r\nSUMMARY:{title}\r\n{lines}END:VEVENT\r\n"


def vevent(title, start, uid="", **properties):
    """Return an event of a calendar; `LOCATION="Hall"` is a line, `DTSTART__VALUE_DATE` is not supported."""
    lines = [f"DTSTART:{start}", *(f"{name}:{value}" for name, value in properties.items())]
    return EVENT.format(uid=uid or title, title=title, lines="".join(f"{line}\r\n" for line in lines))


def ics_calendar(*components):
    return CALENDAR.format("".join(components))


def make_source(owner, kind="ics", **values):
    return Source.objects.create(**{"name": "Town hall", "kind": kind, "owner": owner, **values})


def run_import(source, tmp_path, content, *, is_preview=False):
    """Import a file with this content, as text or bytes, and return the run."""
    path = tmp_path / "source-file"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    run = start_run(source, user=source.owner, is_preview=is_preview)
    return execute(run, make_reader(source, path))


def report_counts(run):
    return count_outcomes(ImportRun.objects.get(pk=run.pk))


def report_lines(run, *names):
    """Return the lines of the report with these outcomes, as outcome, title and reason."""
    rows = ImportEntry.objects.filter(run=run, outcome__in=names) if names else ImportEntry.objects.filter(run=run)
    return list(rows.values_list("outcome", "title", "reason"))


def command_output(capsys, *arguments, **options):
    call_command(*arguments, **options)
    return capsys.readouterr().out.splitlines()
