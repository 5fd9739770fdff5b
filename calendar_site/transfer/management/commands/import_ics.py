from calendar_site.transfer.management.import_command import ImportCommand
from calendar_site.transfer.models import SourceKind


class Command(ImportCommand):
    help = "Import a calendar in the iCalendar format (.ics). Repeat the command to update the events."
    kind = SourceKind.ICS
    source_help = "The file, or its URL."
