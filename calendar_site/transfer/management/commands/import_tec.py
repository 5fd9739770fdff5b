import sys
from base64 import b64encode
from getpass import getpass
from typing import Any

from django.core.management.base import CommandParser

from calendar_site.transfer.management.id_table_command import IdTableCommand
from calendar_site.transfer.models import Source, SourceKind


class Command(IdTableCommand):
    help = (
        "Import a site with The Events Calendar: events, venues, organizers, categories, tags and images. Repeat the "
        "command to update them."
    )
    kind = SourceKind.TEC
    source_help = "The address of any page of the site, such as https://example.org/events/."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--login",
            metavar="NAME",
            help="Import drafts and other unpublished records as well, as this user of the site. The command asks for "
            "an application password, or reads it from standard input.",
        )

    def _set_options(self, source: Source, options: dict[str, Any]) -> None:
        super()._set_options(source, options)
        if options["login"]:
            password = getpass("Application password: ") if sys.stdin.isatty() else sys.stdin.readline().strip()
            credentials = b64encode(f"{options['login']}:{password}".encode()).decode()
            source.header = f"Authorization: Basic {credentials}"
