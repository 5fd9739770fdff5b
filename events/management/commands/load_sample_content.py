from __future__ import annotations

import datetime
from argparse import ArgumentTypeError
from typing import Any

from django.core.management.base import CommandError, CommandParser

from calendar_site.core.commands import ServiceCommand, format_counts
from calendar_site.core.dates.conversion import site_zone
from calendar_site.core.dates.parser import parse_wire_date
from events.sample_content.loader import AlreadyLoaded, load_sample_content
from events.sample_content.removal import remove_sample_content


class Command(ServiceCommand):
    help = (
        "Load sample content: about 300 events in a fictional city, with dates around today. With --remove, "
        "delete it again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--date",
            type=parse_day,
            help="The day around which the events take place, such as 2027-03-10. The default is today.",
        )
        parser.add_argument("--remove", action="store_true", help="Remove the sample content.")
        parser.add_argument("--dry-run", action="store_true", help="With --remove: only print what would be removed.")

    def handle(self, *, date: datetime.date | None, remove: bool, dry_run: bool, **options: Any) -> None:
        if dry_run and not remove:
            raise CommandError("--dry-run requires --remove.")
        if date and remove:
            raise CommandError("--date cannot be used with --remove.")
        if remove:
            self.remove(dry_run)
        else:
            self.load(date)

    def load(self, date: datetime.date | None) -> None:
        try:
            created = load_sample_content(date)
        except AlreadyLoaded:
            self.stdout.write("The sample content is already loaded. Nothing was changed.")
        else:
            self.stdout.write(f"Loaded {format_counts(created)}.")

    def remove(self, dry_run: bool) -> None:
        removed, kept = remove_sample_content(dry_run=dry_run)
        self.stdout.write(f"{'Would remove' if dry_run else 'Removed'} {format_counts(removed)}.")
        for row in kept:
            self.stdout.write(f"The {row._meta.verbose_name} {row} was kept because other records use it.")


def parse_day(text: str) -> datetime.date:
    try:
        return parse_wire_date(text, site_zone()).date()
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from error
