import sys
from getpass import getpass
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db import transaction

from calendar_site.accounts.roles import ROLES
from calendar_site.accounts.services import create_application_password, create_user
from calendar_site.core.commands import ServiceCommand


class Command(ServiceCommand):
    help = (
        "Create a user with a role. In a terminal, the command asks for the password with which the user "
        "signs in to the admin. With an empty password, with --application-password, or without a terminal, the "
        "account is for the API only."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", metavar="NAME", help="The name of the new user.")
        parser.add_argument("--role", required=True, choices=ROLES, help="The role of the user.")
        parser.add_argument("--email", default="", help="The user's email address.")
        parser.add_argument(
            "--application-password",
            metavar="LABEL",
            help="Also create an application password with this label. The last line of the output is the password.",
        )

    def handle(self, *, username: str, role: str, email: str, application_password: str | None, **options: Any) -> None:
        password = ask_password() if sys.stdin.isatty() and application_password is None else None
        secret = None
        with transaction.atomic():
            user = create_user(username, role, email=email, password=password)
            if application_password is not None:
                _password, secret = create_application_password(user, application_password)
        self.stdout.write(f"Created the user {user.username} with the role {role}.")
        if secret:
            self.stdout.write(secret)


def ask_password() -> str | None:
    """Ask for a password twice at the terminal, and return it; None if it is empty.

    Raises CommandError if the two differ or the user cancels.
    """
    try:
        password = getpass("Account password (empty for none): ")
        if password and getpass("Account password (again): ") != password:
            raise CommandError("The passwords do not match.")
    except (KeyboardInterrupt, EOFError) as error:
        raise CommandError("Canceled. No user was created.") from error
    return password or None
