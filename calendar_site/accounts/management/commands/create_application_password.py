from datetime import date
from typing import Any

from django.core.management.base import CommandParser

from calendar_site.accounts.scopes import RESOURCES
from calendar_site.accounts.services import create_application_password, find_user
from calendar_site.core.commands import ServiceCommand
from calendar_site.core.dates.conversion import end_of_site_day


class Command(ServiceCommand):
    help = (
        "Create an application password, with which an API client authenticates as the user. "
        "The last line of the output is the password. It is shown only once."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", metavar="NAME", help="The name of the user.")
        parser.add_argument("label", metavar="LABEL", help="What the password is for, such as the name of the client.")

        parser.add_argument("--read-only", action="store_true", help="Allow reads only.")
        parser.add_argument("--own-only", action="store_true", help="Do not allow changes to the records of others.")
        parser.add_argument(
            "--resource",
            action="append",
            default=[],
            choices=RESOURCES,
            help="Allow changes to this resource only. May be repeated.",
        )
        parser.add_argument(
            "--network",
            metavar="CIDR",
            action="append",
            default=[],
            help="Accept the password only from this network, such as 192.0.2.0/24. May be repeated.",
        )
        parser.add_argument(
            "--last-day",
            metavar="YYYY-MM-DD",
            type=date.fromisoformat,
            help="The last day on which the password is valid, in the time zone of the site.",
        )

    def handle(
        self,
        *,
        username: str,
        label: str,
        read_only: bool,
        own_only: bool,
        resource: list[str],
        network: list[str],
        last_day: date | None,
        **options: Any,
    ) -> None:
        password, secret = create_application_password(
            find_user(username),
            label,
            is_read_only=read_only,
            is_own_only=own_only,
            resources=resource,
            networks=network,
            expires_at=end_of_site_day(last_day) if last_day else None,
        )
        self.stdout.write(f"Created the application password {password.label} of {username}:")
        self.stdout.write(secret)
