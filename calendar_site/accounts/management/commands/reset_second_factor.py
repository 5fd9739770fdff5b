from typing import Any

from django.core.management.base import CommandError, CommandParser

from calendar_site.accounts.services import find_user
from calendar_site.accounts.sign_in.second_factor import disable_second_factor, has_second_factor
from calendar_site.core.commands import ServiceCommand


class Command(ServiceCommand):
    help = (
        "Turn off two-factor authentication for a user who has lost their phone and backup codes, and end "
        "their admin sessions. They can then sign in with just their password and set it up again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", metavar="NAME", help="The name of the user.")

    def handle(self, *, username: str, **options: Any) -> None:
        user = find_user(username)
        if not has_second_factor(user):
            raise CommandError(f"Two-factor authentication is off for {username}.")
        disable_second_factor(user)
        self.stdout.write(f"Turned off two-factor authentication for {username}.")
