from datetime import datetime
from typing import Any

from django.core.management.base import CommandParser

from calendar_site.accounts.services import find_user
from calendar_site.core.commands import ServiceCommand


class Command(ServiceCommand):
    help = (
        "List the application passwords of a user, with the times when they were created and last used (UTC), and "
        "their restrictions."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", metavar="NAME", help="The name of the user.")

    def handle(self, *, username: str, **options: Any) -> None:
        rows = [
            (
                password.label,
                format_utc_minute(password.created_at),
                format_utc_minute(password.last_used_at),
                ", ".join(password.restrictions()) or "none",
            )
            for password in find_user(username).application_passwords.all()
        ]
        rows.insert(0, ("LABEL", "CREATED", "LAST USED", "RESTRICTIONS"))
        width = max(len(label) for label, *_moments in rows)
        for label, created, last_used, restrictions in rows:
            self.stdout.write(f"{label:{width}}  {created:16}  {last_used:16}  {restrictions}")


def format_utc_minute(moment: datetime | None) -> str:
    return f"{moment:%Y-%m-%d %H:%M}" if moment else "never"
