from typing import Any

from django.core.management.commands import migrate

from calendar_site.core.database.sqlite_file import create_database_file


class Command(migrate.Command):
    """Django's command, which alone may create the file of an SQLite database."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        # Before the system checks, which connect to the database.
        create_database_file()
        return super().execute(*args, **options)
