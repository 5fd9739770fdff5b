from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db.migrations.exceptions import InconsistentMigrationHistory

from calendar_site.core.database.migration_lock import migration_lock
from calendar_site.core.database.sqlite_file import create_database_file


class Command(migrate.Command):
    """Django's command, which alone may create the file of an SQLite database. Only one at a time runs."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        # Before the system checks, which connect to the database.
        create_database_file()
        return super().execute(*args, **options)

    def handle(self, *args: Any, **options: Any) -> str | None:
        try:
            with migration_lock(options["database"], self.stderr.write):
                return super().handle(*args, **options)
        except InconsistentMigrationHistory as error:
            raise CommandError(
                "This database was created by a version before 1.0.0, the first one that can be upgraded. Export its "
                "records with that version, and import them into a new database."
            ) from error
