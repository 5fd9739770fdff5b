from calendar_site.transfer.management.id_table_command import IdTableCommand
from calendar_site.transfer.models import SourceKind


class Command(IdTableCommand):
    help = (
        "Import a WordPress export (Tools > Export) of a site with The Events Calendar, with drafts, private and "
        "hidden events. Repeat the command to update them."
    )
    kind = SourceKind.WXR
    source_help = "The file, or its URL."
