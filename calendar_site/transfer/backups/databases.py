"""Copies of the database: made while the service runs, checked in a temporary place, and restored as a whole."""

from __future__ import annotations

import os
import secrets
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import psycopg
from django.db import DatabaseError, connection
from psycopg import sql

from calendar_site.core.database.sqlite_file import database_file
from calendar_site.transfer.backups.errors import BackupError

# Reads rows of a query.
Read = Callable[[str], list[Any]]

IMAGE_FILES = "SELECT name FROM media_imagefile ORDER BY name"
MIGRATIONS = "SELECT app, name FROM django_migrations ORDER BY id"
SQLITE_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
POSTGRESQL_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename"
# The sum of 60 bits of the digest of each row.
ROW_DIGESTS = (
    "SELECT COALESCE(SUM(('x' || SUBSTR(MD5(kept::text), 1, 15))::bit(60)::bigint::numeric), 0) "
    'FROM "{table}" AS kept'
)
CREATE_DATABASE = sql.SQL("CREATE DATABASE {}")
DROP_DATABASE = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)")
# The environment variables of PostgreSQL's programs by connection parameter.
VARIABLES = {"host": "PGHOST", "port": "PGPORT", "user": "PGUSER", "password": "PGPASSWORD", "dbname": "PGDATABASE"}
# How many pages SQLite copies before others may write.
PAGES_AT_ONCE = 2000
# Before a restore replaces a database, its last state is kept under this name.
FORMER = ".before-restore"


class Contents(NamedTuple):
    """The contents of a database."""

    # The number of rows by table.
    tables: dict[str, int]
    # The names of the applied migrations by app.
    migrations: dict[str, list[str]]
    image_files: list[str]
    # A digest of all rows by table, whatever their order.
    digests: dict[str, str]


class Database(Protocol):
    """The database of the service."""

    engine: str

    def dump(self, path: Path) -> Contents:
        """Write a consistent copy to a new file, and return what is in it. Raises BackupError."""
        ...

    def check(self, path: Path) -> Contents:
        """Restore a copy into a temporary place, and return what is in it. Raises BackupError."""
        ...

    def restore(self, path: Path) -> str:
        """Replace the content of the database by that of a copy, all or nothing.

        Return where the former state is, "" if it is not kept. Raises BackupError.
        """
        ...


def this_database() -> Database:
    return PostgreSQL() if connection.vendor == "postgresql" else SQLite()


class SQLite:
    engine = "sqlite"

    def dump(self, path: Path) -> Contents:
        file = _sqlite_file()
        if not file.exists():
            raise BackupError(f"The database {file} does not exist.")
        _create_private(path)
        try:
            with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as source, closing(_open(path)) as copy:
                source.backup(copy, pages=PAGES_AT_ONCE)
                # The copy is one file, without a log beside it.
                copy.execute("PRAGMA journal_mode = DELETE")
                return _read_contents(copy, SQLITE_TABLES)
        except sqlite3.Error as error:
            raise BackupError(f"The database cannot be copied: {error}.") from error

    def check(self, path: Path) -> Contents:
        try:
            with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as copy:
                ((result,), *_others) = copy.execute("PRAGMA integrity_check").fetchall()
                if result != "ok":
                    raise BackupError(f"The database in the backup is damaged: {result}.")
                return _read_contents(copy, SQLITE_TABLES)
        except sqlite3.Error as error:
            raise BackupError(f"The database in the backup is damaged: {error}.") from error

    def restore(self, path: Path) -> str:
        file = _sqlite_file()
        connection.close()
        former = self._keep_former(file)
        # Only its owner may read it. One that exists keeps its permissions.
        os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
        try:
            with closing(_open(path)) as source, closing(sqlite3.connect(file, timeout=30)) as target:
                # One transaction: if it ends early, the former content stays.
                source.backup(target, pages=-1)
                target.execute("PRAGMA journal_mode = WAL")
        except sqlite3.Error as error:
            raise BackupError(f"The database is unchanged, because it cannot be replaced: {error}.") from error
        return str(former or "")

    def _keep_former(self, file: Path) -> Path | None:
        if not file.exists() or not file.stat().st_size:
            return None
        former = file.with_name(f"{file.name}{FORMER}")
        former.unlink(missing_ok=True)
        self.dump(former)
        return former


def _sqlite_file() -> Path:
    """Return the file of the database. Raises BackupError."""
    name = str(connection.settings_dict["NAME"])
    # In development, `existing_file_uri` is not used.
    file = database_file() or (None if name.startswith("file:") else Path(name))
    if file is None:
        raise BackupError("The database is not stored in a file.")
    return file


def _open(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path)


def _create_private(path: Path) -> None:
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


class PostgreSQL:
    engine = "postgresql"

    def dump(self, path: Path) -> Contents:
        _create_private(path)
        with connection.cursor() as cursor:
            # The program and the counts below see the same state.
            cursor.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            try:
                cursor.execute("SELECT pg_export_snapshot()")
                (snapshot,) = cursor.fetchone()
                self._run("pg_dump", "--format=custom", "--no-owner", f"--snapshot={snapshot}", f"--file={path}")
                return _postgresql_contents(cursor)
            finally:
                cursor.execute("ROLLBACK")

    def check(self, path: Path) -> Contents:
        with self._temporary_database() as name:
            self._run("pg_restore", "--no-owner", "--exit-on-error", f"--dbname={name}", str(path))
            with psycopg.connect(**_parameters(name)) as temporary, temporary.cursor() as cursor:
                return _postgresql_contents(cursor)

    def restore(self, path: Path) -> str:
        connection.close()
        script = path.with_suffix(".sql")
        _create_private(script)
        self._run("pg_restore", "--no-owner", f"--file={script}", str(path))
        # As a whole, because a newer database may have tables that the backup does not know.
        schema = ("--command=DROP SCHEMA public CASCADE", "--command=CREATE SCHEMA public")
        options = ("--quiet", "--no-psqlrc", "--single-transaction", "--set=ON_ERROR_STOP=1", "--output=/dev/null")
        self._run("psql", *options, *schema, f"--file={script}")
        return ""

    @contextmanager
    def _temporary_database(self) -> Iterator[str]:
        name = f"calendar_check_{secrets.token_hex(6)}"
        try:
            with connection.cursor() as cursor:
                cursor.execute(CREATE_DATABASE.format(sql.Identifier(name)))
        except DatabaseError as error:
            raise BackupError(f"The backup cannot be checked without a temporary database: {error}") from error
        try:
            yield name
        finally:
            with connection.cursor() as cursor:
                cursor.execute(DROP_DATABASE.format(sql.Identifier(name)))

    def _run(self, program: str, *arguments: str) -> None:
        """Run a program of PostgreSQL. Raises BackupError with what it says."""
        if shutil.which(program) is None:
            raise BackupError(f"The program {program} is missing. Install the client programs of PostgreSQL.")
        # Not in the arguments, which other users of the machine see.
        values = {VARIABLES[key]: str(value) for key, value in _parameters().items() if value}
        done = subprocess.run(  # noqa: S603 - fixed programs; the arguments are names of files and databases
            [program, *arguments], env={**os.environ, **values}, capture_output=True, text=True, check=False
        )
        if done.returncode:
            lines = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
            raise BackupError(f"{program} failed: {lines[0].removeprefix(f'{program}: ').removeprefix('error: ')}")


def _parameters(name: str = "") -> dict[str, Any]:
    """Return the connection parameters of the database, or of another one on its server."""
    parameters: dict[str, Any] = connection.get_connection_params()
    kept = {key: value for key, value in parameters.items() if key in VARIABLES}
    return kept | ({"dbname": name} if name else {})


def _reader(cursor: Any) -> Read:
    def read(query: str) -> list[Any]:
        cursor.execute(query)
        rows: list[Any] = cursor.fetchall()
        return rows

    return read


def _read_contents(copy: sqlite3.Connection, tables: str) -> Contents:
    def digest_of(table: str) -> str:
        total = 0
        for row in copy.execute(f'SELECT * FROM "{table}"'):  # noqa: S608 # a name of the database
            total += int.from_bytes(blake2b(repr(row).encode("utf-8", "surrogatepass"), digest_size=8).digest())
        return f"{total % 2**64:016x}"

    return _contents_of(lambda query: copy.execute(query).fetchall(), tables, digest_of)


def _postgresql_contents(cursor: Any) -> Contents:
    # Both sessions have to write values in the same way.
    cursor.execute("SET LOCAL TIME ZONE 'UTC'")
    read = _reader(cursor)

    def digest_of(table: str) -> str:
        ((total,),) = read(ROW_DIGESTS.format(table=table))
        return f"{int(total) % 2**64:016x}"

    return _contents_of(read, POSTGRESQL_TABLES, digest_of)


def _contents_of(read: Read, tables: str, digest_of: Callable[[str], str]) -> Contents:
    counts: dict[str, int] = {}
    digests: dict[str, str] = {}
    for (table,) in read(tables):
        ((counts[table],),) = read(f'SELECT COUNT(*) FROM "{table}"')  # noqa: S608 # a name of the database
        digests[table] = digest_of(table)
    migrations: dict[str, list[str]] = {}
    if "django_migrations" in counts:
        for app, name in read(MIGRATIONS):
            migrations.setdefault(app, []).append(name)
    images = [name for (name,) in read(IMAGE_FILES)] if "media_imagefile" in counts else []
    return Contents(counts, migrations, images, digests)
