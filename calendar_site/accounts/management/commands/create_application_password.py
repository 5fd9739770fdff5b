from typing import Any

from django.core.management.base import CommandParser

from calendar_site.accounts.services import create_application_password, find_user
from calendar_site.core.commands import ServiceCommand


class Command(ServiceCommand):
    help = (
        "Create an application password, with which an API client authenticates as the user. "
        "The last line of the output is the password. It is shown only once."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", metavar="NAME", help="The name of the user.")
        parser.add_argument("label", metavar="LABEL", help="What the password is for, such as the name of the client.")

    def handle(self, *, username: str, label: str, **options: Any) -> None:
        password, secret = create_application_password(find_user(username), label)
        self.stdout.write(f"Created the application password {password.label} of {username}:")
        self.stdout.write(secret)
