"""Resources that are prepared once for all processes of a test run: a migrated database and static files."""

import fcntl
import secrets
from collections.abc import Callable
from pathlib import Path

from tests.support.databases import create_database, drop_database, is_postgresql, url_beside
from tests.support.python_starter import manage

DATABASE_LABEL = "migrated"


def prepare_once(folder: Path, prepare: Callable[[Path], None]) -> Path:
    """Return the folder, which the first caller makes and fills with `prepare`; others wait for it."""
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = folder / "done"
        if not done.exists():
            folder.mkdir()
            prepare(folder)
            done.touch()
    return folder


def migrated_database(url: str, shared: Path) -> str:
    """Return the URL of a database with all tables, to be copied; `drop_migrated_database` drops it after the run."""

    def migrate(folder: Path) -> None:
        if is_postgresql(url):
            create_database(migrated)
        manage({"DATABASE_URL": migrated, "DATA_DIR": str(folder), "DEBUG": "true"}, "migrate", "--verbosity=0")

    folder = shared / ("postgresql" if is_postgresql(url) else "sqlite")
    migrated = url_beside(url, DATABASE_LABEL, folder)
    prepare_once(folder, migrate)
    return migrated


def drop_migrated_database(url: str) -> None:
    drop_database(url_beside(url, DATABASE_LABEL, Path()))


def collected_static_files(shared: Path) -> Path:
    """Return the folder of the static files as the service has them in production."""

    def collect(folder: Path) -> None:
        environment = {"DATA_DIR": str(folder), "DEBUG": "false", "SECRET_KEY": secrets.token_urlsafe(50)}
        manage(environment, "collectstatic", "--noinput", "--verbosity=0")

    return prepare_once(shared / "collected", collect) / "static"
