"""Databases for processes that tests start: SQLite files, or databases on the PostgreSQL server of the test run."""

import contextlib
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
from psycopg import sql


def is_postgresql(url: str) -> bool:
    return url.startswith(("postgres", "psql", "pgsql"))


def name_of(url: str) -> str:
    """Return the name of a database on PostgreSQL."""
    return urlsplit(url).path.strip("/")


def url_beside(url: str, label: str, folder: Path) -> str:
    """Return the URL of another database: named for the one of `url` on PostgreSQL, else SQLite's in `folder`."""
    if not is_postgresql(url):
        return f"sqlite:///{folder / 'calendar.sqlite3'}"
    name = re.sub(r"\W", "_", f"{name_of(url)}_{label}")
    return urlsplit(url)._replace(path=f"/{name}").geturl()


@contextlib.contextmanager
def temporary_database(url: str, label: str, folder: Path) -> Iterator[str]:
    """Yield the URL of an empty database, see `url_beside`. One on PostgreSQL is dropped at the end."""
    new = url_beside(url, label, folder)
    if is_postgresql(url):
        create_database(new)
    try:
        yield new
    finally:
        drop_database(new)


def create_database(url: str, template: str = "template1") -> None:
    """Create a database on PostgreSQL; replace an existing one of this name."""
    drop_database(url)
    with _connect_to_server(url) as server:
        names = sql.Identifier(name_of(url)), sql.Identifier(template)
        server.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(*names))


def drop_database(url: str) -> None:
    """Drop a database on PostgreSQL, also while it is in use; files of SQLite stay where they are."""
    if is_postgresql(url):
        with _connect_to_server(url) as server:
            server.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name_of(url))))


def copy_database(source: str, target: str) -> None:
    """Replace the database `target` by a copy of `source`. On PostgreSQL, this closes connections to `target`."""
    if is_postgresql(source):
        create_database(target, template=name_of(source))
        return
    paths = [url.removeprefix("sqlite:///") for url in (source, target)]
    with contextlib.closing(sqlite3.connect(paths[0])) as old, contextlib.closing(sqlite3.connect(paths[1])) as new:
        old.backup(new)


def run_sql(url: str, statement: str) -> None:
    if is_postgresql(url):
        with psycopg.connect(url) as postgresql:
            postgresql.execute(sql.SQL(statement))
        return
    with contextlib.closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as sqlite, sqlite:
        sqlite.execute(statement)


def _connect_to_server(url: str) -> psycopg.Connection:
    server = urlsplit(url)._replace(scheme="postgresql", path="/postgres")
    return psycopg.connect(server.geturl(), autocommit=True)
