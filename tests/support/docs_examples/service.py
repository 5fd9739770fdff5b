"""A running service with sample content, a fixed clock, and a database that can be reset.

The clock is fixed so that documented responses can contain dates.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

from events.sample_content.data_files import CITY_ZONE
from tests.support.databases import copy_database, run_sql, temporary_database
from tests.support.image_files import plain_image
from tests.support.preparation import migrated_database
from tests.support.programs import ROOT, run_program
from tests.support.python_starter import run_python
from tests.support.served_app import free_port, serve_app

STOPPED_AT = "2027-03-10T12:00:00+00:00"
SHOWN_ADDRESS = "127.0.0.1:8000"
FROZEN = Path(__file__).parent / "frozen"
# The account that the examples of writing sign in with, and where they find its application password.
ACCOUNT = ("mia", "--role=editor", "--application-password=my laptop")
PASSWORD = "CALENDAR_PASSWORD"
# Documented management commands start like this.
MANAGE = ".venv/bin/python manage.py "
# The one that the examples of custom fields fill.
CUSTOM_FIELD = """
from calendar_site.custom_fields.models import CustomField
CustomField.objects.create(resource="event", name="from_age", label="From age", kind="number")
"""


class ExampleService:
    """The environment of an example: a URL, a folder with an image, and a shell that keeps exported variables."""

    def __init__(self, environment: dict[str, str], folder: Path) -> None:
        self.environment = environment
        self.folder = folder
        self.live = environment["DATABASE_URL"]
        self.saved: dict[str, str] = {}
        self.first_start = ""
        self.exported: dict[str, str] = {}

    def restore_state(self, state: str) -> None:
        copy_database(self.saved[state], self.live)
        # The service is not stopped, as it should be, and has copies of records that no longer exist.
        run_sql(self.live, "UPDATE events_linkedrecordsversion SET version = CAST(random() AS varchar(40))")
        self.exported = {PASSWORD: self.password} if state == "with an account" else {}

    def declare_custom_field(self) -> None:
        self.manage("shell", "--command", CUSTOM_FIELD)

    def manage(self, *arguments: str) -> str:
        return _output(run_python([str(ROOT / "manage.py"), *arguments], self._variables(), self.folder))

    def command(self, text: str) -> str:
        """Return the output of a documented command, with the documented host."""
        if text == "make run":
            return self.first_start
        if text.startswith(MANAGE):
            return self.as_shown(self.manage(*shlex.split(text.removeprefix(MANAGE).removesuffix("</dev/null"))))
        exported = self.folder / "exported"
        shown = self._run("bash", "-c", f"{self.here(text)}\nstatus=$?; env -0 > exported; exit $status")
        self.exported = dict(line.split("=", 1) for line in exported.read_text().rstrip("\0").split("\0"))
        return shown

    def example(self, language: str, text: str) -> str:
        """Return the output of an example, with the documented host."""
        name = {"sh": "example.sh", "python": "example.py", "javascript": "example.mjs"}[language]
        (self.folder / name).write_text(self.here(text), encoding="utf-8")
        match language:
            case "sh":
                return self._run("bash", name)
            case "javascript":
                return self._run("node", "--import", str(FROZEN / "console.mjs"), name)
        return self.as_shown(_output(run_python([name], self._variables(), self.folder)))

    def here(self, text: str) -> str:
        return text.replace(SHOWN_ADDRESS, self.address)

    def as_shown(self, output: str) -> str:
        return output.replace(self.address, SHOWN_ADDRESS)

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.environment['PORT']}"

    def _run(self, *command: str) -> str:
        return self.as_shown(_output(run_program(command, self._variables(), self.folder)))

    def _variables(self) -> dict[str, str]:
        return {**os.environ, **self.environment, **self.exported}

    def prepare(self, saved: dict[str, str]) -> None:
        """Save two states of the database: after `make run`, and with an account for the examples."""
        self.saved = saved
        (self.folder / "poster.jpg").write_bytes(plain_image("JPEG", (1600, 900)))
        self.first_start = self.as_shown(self.manage("prepare"))
        copy_database(self.live, saved["as started"])
        self.password = self.manage("create_user", *ACCOUNT).splitlines()[-1]
        self.declare_custom_field()
        copy_database(self.live, saved["with an account"])


def _output(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


@contextlib.contextmanager
def served_calendar(folder: Path, shared_folder: Path) -> Iterator[ExampleService]:
    url = os.environ.get("DATABASE_URL", "")
    label = f"documents_{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}"
    with contextlib.ExitStack() as stack:

        def database(name: str) -> str:
            own_folder = folder / name.replace(" ", "-")
            own_folder.mkdir()
            return stack.enter_context(temporary_database(url, f"{label}_{name}", own_folder))

        environment = {
            "DATABASE_CONN_MAX_AGE": "0",  # between two requests the database can be replaced
            "DATABASE_URL": database("live"),
            "DATA_DIR": str(folder),
            "DEBUG": "false",
            "HOST": "127.0.0.1",
            "NAMESPACE_ALIASES": "wp-json/tribe/events/v1",
            "PORT": str(free_port()),
            "PYTHONPATH": str(FROZEN),
            "SECRET_KEY": secrets.token_urlsafe(50),
            "SITE_TIME_ZONE": CITY_ZONE,  # as with `make run`
            "STOPPED_AT": STOPPED_AT,
            "WEB_WORKERS": "1",
        }
        copy_database(migrated_database(url, shared_folder), environment["DATABASE_URL"])
        service = ExampleService(environment, folder)
        service.prepare({name: database(name) for name in ("as started", "with an account")})
        stack.enter_context(serve_app(environment, folder / "server.log"))
        yield service
