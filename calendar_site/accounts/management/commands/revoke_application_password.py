from typing import Any

from django.core.management.base import CommandParser

from calendar_site.accounts.services import find_user, revoke_application_password
from calendar_site.core.commands import ServiceCommand


class Command(ServiceCommand):
    help = "Revoke an application password. The client that uses it is rejected from then on."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", metavar="NAME", help="The name of the user.")
        parser.add_argument("label", metavar="LABEL", help="The label of the password.")
        parser.add_argument("--dry-run", action="store_true", help="Only print what would be revoked.")

    def handle(self, *, username: str, label: str, dry_run: bool, **options: Any) -> None:
        revoke_application_password(find_user(username), label, dry_run=dry_run)
        done = "Would revoke" if dry_run else "Revoked"
        self.stdout.write(f"{done} the application password {label.strip()} of {username}.")
