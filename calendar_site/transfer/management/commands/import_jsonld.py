from calendar_site.transfer.management.import_command import ImportCommand
from calendar_site.transfer.models import SourceKind


class Command(ImportCommand):
    help = "Import the schema.org events of a web page or of a file of JSON. Repeat the command to update them."
    kind = SourceKind.JSONLD
    source_help = "The file, or the URL of the page."
