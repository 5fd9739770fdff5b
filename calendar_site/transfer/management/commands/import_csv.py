import csv
from typing import Any

from django.core.management.base import CommandError, CommandParser

from calendar_site.transfer.management.import_command import ImportCommand
from calendar_site.transfer.models import Source, SourceKind
from calendar_site.transfer.readers.table_columns import EVENT_HEADINGS, template_headings
from calendar_site.transfer.readers.table_dates import DateOrder


class Command(ImportCommand):
    help = (
        "Import a table of events, venues or organizers: a CSV file, an Excel workbook (.xlsx), or the address of a "
        "public Google Sheet. Repeat the command to update them."
    )
    kind = SourceKind.TABLE
    source_help = "The file, or its URL."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        # Not required with --template.
        action = next(action for action in parser._actions if action.dest == "source")
        action.nargs = "?"
        parser.add_argument("--template", action="store_true", help="Print an empty table with all columns.")
        parser.add_argument(
            "--date-order",
            choices=[order.value for order in DateOrder],
            help="The order of dates such as 3/4/2027: day (dmy) or month (mdy) first.",
        )
        parser.add_argument(
            "--column",
            action="append",
            metavar="FIELD=HEADING",
            help=f"The heading of a field's column. The fields are {', '.join(EVENT_HEADINGS)}.",
        )

    def handle(self, *, source: str, **options: Any) -> None:
        if options["template"]:
            csv.writer(self.stdout).writerow(template_headings())
        elif not source:
            raise CommandError("Name a file or a URL.")
        else:
            super().handle(source=source, **options)

    def _set_options(self, source: Source, options: dict[str, Any]) -> None:
        super()._set_options(source, options)
        if options["date_order"]:
            source.options = {**source.options, "date_order": options["date_order"]}
        columns = dict(source.options.get("columns", {}))
        for text in options["column"] or ():
            field, separator, heading = text.partition("=")
            if not separator or field not in EVENT_HEADINGS:
                raise CommandError(f"“{text}” is not a field and a heading, such as title=Name.")
            columns[field] = heading
        source.options = {**source.options, "columns": columns}
