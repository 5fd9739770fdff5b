"""Runs a black-box program against the served application, on an empty database of its own.

`conformance FOLDER` runs the contract's cases, `real-data FOLDER` sends real events. The database is SQLite,
or, where DATABASE_URL names a PostgreSQL server, a database beside the one that it names.
"""

import argparse
import contextlib
import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

ROOT = Path(__file__).resolve().parent.parent
START_SECONDS = 30
STOP_SECONDS = 15
ROLES = {"admin": "administrator", **{role: role for role in ("editor", "author", "contributor", "subscriber")}}


def main() -> int:
    arguments = parse()
    if not (arguments.folder / PROGRAMS[arguments.task]).is_file():
        sys.exit(f"There is no {PROGRAMS[arguments.task]} in {arguments.folder}. The README says what this needs.")
    folder = ROOT / "var" / arguments.task
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with own_database(os.environ.get("DATABASE_URL", ""), arguments.task, folder) as database:
        port = free_port()
        os.environ.update(
            DATABASE_URL=database,
            DATA_DIR=str(folder),
            DEBUG="false",
            HOST="127.0.0.1",
            PORT=str(port),
            SECRET_KEY=secrets.token_urlsafe(50),
        )
        accounts = prepare()
        with served(port, folder / "server.log"):
            return subprocess.run(command(arguments, port, accounts, folder), check=False).returncode


PROGRAMS = {"conformance": "run.py", "real-data": "post_events.py"}


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("task", choices=PROGRAMS)
    parser.add_argument("folder", type=Path, help="The folder with the program and its data.")
    parser.add_argument("--only", default="", help="Areas or ids of cases to run, with blanks between.")
    parser.add_argument("--except", default="", dest="left_out", help="Areas of cases to leave out.")
    return parser.parse_args()


@contextlib.contextmanager
def own_database(url: str, task: str, folder: Path) -> Iterator[str]:
    """The URL of an empty database, which is gone afterwards where it is on a server."""
    if not url.startswith(("postgres", "psql", "pgsql")):
        yield f"sqlite:///{folder / 'calendar.sqlite3'}"
        return
    parts = urlsplit(url)
    name = re.sub(r"\W", "_", f"{parts.path.strip('/')}_{task}")
    drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
    with psycopg.connect(parts._replace(scheme="postgresql", path="/postgres").geturl(), autocommit=True) as server:
        server.execute(drop)
        server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            yield parts._replace(path=f"/{name}").geturl()
        finally:
            server.execute(drop)


def prepare() -> dict[str, dict[str, str]]:
    """Tables, static files, and an account with an application password for each role."""
    sys.path.insert(0, str(ROOT))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "calendar_site.settings")
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connections

    from calendar_site.accounts.services import create_application_password, create_user

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    accounts = {}
    for name, role in ROLES.items():
        _password, secret = create_application_password(create_user(name, role), "trial")
        accounts[name] = {"username": name, "password": secret}
    connections.close_all()
    return accounts


@contextlib.contextmanager
def served(port: int, log: Path) -> Iterator[None]:
    """The service, answering on `port`; stopped afterwards as an administrator would."""
    gunicorn = [str(Path(sys.executable).with_name("gunicorn")), "--config", "python:calendar_site.server"]
    with log.open("w") as output, subprocess.Popen(gunicorn, cwd=ROOT, stdout=output, stderr=output) as server:
        try:
            wait_for(port, server, log)
            yield
        finally:
            server.terminate()
            try:
                server.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                server.kill()
                sys.exit(f"The service did not stop within {STOP_SECONDS} seconds.")


def wait_for(port: int, server: subprocess.Popen, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and server.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.1)
    sys.exit(f"The service did not start:\n{log.read_text()}")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def command(arguments: argparse.Namespace, port: int, accounts: dict, folder: Path) -> list[str]:
    base = f"http://127.0.0.1:{port}/cal/events/v1"
    program = [sys.executable, str(arguments.folder / PROGRAMS[arguments.task]), "--base", base]
    if arguments.task == "real-data":
        editor = accounts["editor"]
        return [*program, "--user", editor["username"], "--password", editor["password"]]
    users = folder / "users.json"
    users.write_text(json.dumps(accounts))
    only = [option for area in arguments.only.split() for option in ("--only", area)]
    left_out = set() if only else set(arguments.left_out.split())
    cases = [str(case) for case in sorted((arguments.folder / "cases").glob("*.json")) if area(case) not in left_out]
    return [*program, "--users", str(users), *only, *cases]


def area(case: Path) -> str:
    return json.loads(case.read_text())["area"]


if __name__ == "__main__":
    sys.exit(main())
