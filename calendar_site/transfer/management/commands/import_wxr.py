from typing import Any

from django.core.management.base import CommandParser

from calendar_site.transfer.management.import_command import ImportCommand
from calendar_site.transfer.models import Source, SourceKind


class Command(ImportCommand):
    help = (
        "Import a WordPress export (Tools > Export) of a site with The Events Calendar, with drafts, private and "
        "hidden events. Repeat the command to update them."
    )
    kind = SourceKind.WXR
    source_help = "The file, or its URL."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--keep-ids", action="store_true", help="Keep the ids of all records.")

    def _set_options(self, source: Source, options: dict[str, Any]) -> None:
        super()._set_options(source, options)
        if options["keep_ids"]:
            source.options = {**source.options, "keep_ids": True}
