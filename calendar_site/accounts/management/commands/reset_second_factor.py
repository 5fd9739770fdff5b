from typing import Any

from django.core.management.base import CommandError, CommandParser

from calendar_site.accounts.second_factor import disable_second_factor, has_second_factor
from calendar_site.accounts.services import find_user
from calendar_site.core.commands import ServiceCommand


class Command(ServiceCommand):
    help = (
        "Turn off the second factor of a user who has lost it, and end the user's admin sessions. The user can "
        "then sign in with the password alone and set up a new second factor."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", metavar="NAME", help="The name of the user.")

    def handle(self, *, username: str, **options: Any) -> None:
        user = find_user(username)
        if not has_second_factor(user):
            raise CommandError(f"{username} has no second factor.")
        disable_second_factor(user)
        self.stdout.write(f"Turned off the second factor of {username}.")
