"""The file of an SQLite database: only `migrate` creates it, and only its owner may read it."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured
from django.db import connection

MODE = "rw"


def existing_file_uri(path: str) -> str:
    """Return the name of a database that SQLite opens, but does not create.

    With a wrong DATABASE_URL, commands would otherwise work on a new, empty database.
    """
    return f"file:{quote(path)}?mode={MODE}"


def database_file() -> Path | None:
    """Return the file that must exist, None for other databases."""
    name = str(connection.settings_dict["NAME"])
    return Path(unquote(urlsplit(name).path)) if name.startswith("file:") and name.endswith(f"?mode={MODE}") else None


def create_database_file() -> None:
    """Create the file if it is missing. SQLite gives the same permissions to the files beside it.

    Raises ImproperlyConfigured.
    """
    path = database_file()
    if path is None:
        return
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise ImproperlyConfigured(f"The database that DATABASE_URL names cannot be used: {error}") from error


def missing_database_message() -> str:
    """Return what to do if the file is missing, "" if it exists."""
    path = database_file()
    if path is None or path.exists():
        return ""
    return f"The database {path} does not exist. Check DATABASE_URL and DATA_DIR, or create it with: manage.py migrate"
