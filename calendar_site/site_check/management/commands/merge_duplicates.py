import json
from typing import Any

from django.core.exceptions import PermissionDenied
from django.core.management.base import CommandError, CommandParser

from calendar_site.accounts.models import User
from calendar_site.core.commands import ServiceCommand
from calendar_site.site_check.duplicates import MERGES, find_duplicates, merge


class Command(ServiceCommand):
    help = (
        "Merge records with the same name: the one with the most events is kept, and gets the events and missing "
        "values of the others. Venues with different addresses, and categories below different parents, stay. The "
        "history can undo each merge."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"Any of {', '.join(MERGES)}; all by default.")
        parser.add_argument("--user", metavar="NAME", help="Who merges. Without it, the first superuser.")
        parser.add_argument("--dry-run", action="store_true", help="Say what would be merged, and change nothing.")
        parser.add_argument("--json", action="store_true", help="Print the result as JSON.")

    def handle(self, *, kinds: list[str], dry_run: bool, **options: Any) -> None:
        if unknown := sorted(set(kinds) - MERGES.keys()):
            raise CommandError(f"Unknown: {', '.join(unknown)}. Use any of {', '.join(MERGES)}.")
        user = None if dry_run else self._user(options["user"])
        merged: list[dict[str, Any]] = []
        for kind in kinds or MERGES:
            for found in list(find_duplicates(kind)):
                if user is not None:
                    try:
                        merge(kind, found, user)
                    except PermissionDenied as error:
                        raise CommandError(f"{user} may not merge {kind}.") from error
                others = [other.pk for other in found.others]
                merged.append({"kind": kind, "name": str(found.kept), "kept": found.kept.pk, "merged": others})
        if options["json"]:
            self.stdout.write(json.dumps(merged))
            return
        verb = "Would merge" if dry_run else "Merged"
        for line in merged:
            ids = ", ".join(map(str, line["merged"]))
            self.stdout.write(f"{verb} {line['kind']} “{line['name']}”: {ids} into {line['kept']}")
        self.stdout.write(f"{verb} {len(merged)} groups of records.")

    def _user(self, name: str | None) -> User:
        users = User.objects.filter(is_active=True)
        user = users.filter(username=name).first() if name else users.filter(is_superuser=True).order_by("pk").first()
        if user is None:
            raise CommandError(f"There is no active user “{name}”." if name else "Name a user with --user.")
        return user
