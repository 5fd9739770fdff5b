"""Run a black-box program against a running service with a temporary database.

`conformance FOLDER` runs the contract's test cases, `compatibility FOLDER` those of compatibility mode and then the
contract's in that mode, `real-data FOLDER` sends real events, `fuzz .ci` sends generated requests to a service with
sample content, `clients .ci/clients` uses generated clients, `browser FOLDER` runs the browser tests, and
`screenshots .ci` takes the screenshots of the documentation. The database is SQLite, or, if DATABASE_URL is the URL of
a PostgreSQL server, a new database on that server.
"""

import argparse
import json
import os
import secrets
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

# Importable because of the line above.
from tests.support.databases import temporary_database  # noqa: E402
from tests.support.served_app import free_port, serve_app  # noqa: E402

PROGRAMS = {
    "conformance": "run.py",
    "compatibility": "run.py",
    "real-data": "post_events.py",
    "fuzz": "fuzz.py",
    "clients": "check.py",
    "browser": "pytest.ini",
    "screenshots": "screenshots.py",
}
# These sign in with the accounts of the browser tests.
IN_BROWSER = ("browser", "screenshots")
ROLES = {"admin": "administrator", **{role: role for role in ("editor", "author", "contributor", "subscriber")}}


def main() -> int:
    arguments = parse()
    if not (arguments.folder / PROGRAMS[arguments.task]).is_file():
        sys.exit(f"{arguments.folder} does not contain {PROGRAMS[arguments.task]}. See README.md for the requirements.")
    # Stop the server and drop the database on SIGTERM, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    url = os.environ.get("DATABASE_URL", "")
    folder = ROOT / "var" / f"{arguments.task}-on-{'postgresql' if url.startswith('p') else 'sqlite'}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with temporary_database(url, arguments.task, folder) as database:
        environment = {
            "DATABASE_URL": database,
            "DATA_DIR": str(folder),
            "DEBUG": "false",
            "HOST": "127.0.0.1",
            "PORT": str(free_port()),
            "SECRET_KEY": secrets.token_urlsafe(50),
        }
        if arguments.task == "browser":
            environment |= {**mail_settings(environment["PORT"]), "PUBLIC_SUBMISSIONS": "true"}
        if arguments.task == "compatibility":
            environment["COMPATIBILITY_MODE"] = "true"
        os.environ.update(environment)
        prepare(with_content=arguments.task in ("fuzz", *IN_BROWSER))
        if arguments.task == "browser":
            build_documentation(folder / "docs")
        accounts = make_people(arguments.task, folder)
        with serve_app(environment, folder / "server.log"):
            results = [subprocess.run(command, check=False) for command in commands(arguments, accounts, folder)]
            return max(result.returncode for result in results)


def mail_settings(port: str) -> dict[str, str]:
    """Return settings of a service that offers what needs emails. Without a worker, it sends none."""
    return {
        "EMAIL_URL": "smtp://127.0.0.1:9",
        "DEFAULT_FROM_EMAIL": "calendar@example.org",
        "PUBLIC_URL": f"http://127.0.0.1:{port}",
    }


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("task", choices=PROGRAMS)
    parser.add_argument("folder", type=Path, help="The directory with the program and its data.")
    parser.add_argument("--only", default="", help="Areas or ids of test cases to run, separated by spaces.")
    parser.add_argument("--pytest", default="", help="Additional pytest arguments for the browser tests.")
    parser.add_argument("--except", default="", dest="left_out", help="Areas of test cases to skip.")
    return parser.parse_args()


def prepare(with_content: bool) -> None:
    """Create the tables, collect static files, and load sample content if required."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "calendar_site.settings")
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    if with_content:
        call_command("load_sample_content")


def build_documentation(folder: Path) -> None:
    """Build the web pages of the documentation, which the service serves if they exist when it starts."""
    sphinx = [sys.executable, "-m", "sphinx", "--quiet", "--doctree-dir", folder.with_name("doctrees"), "docs", folder]
    subprocess.run(sphinx, check=True, env={**os.environ, "DEBUG": "true"})


def make_people(task: str, folder: Path) -> dict[str, dict[str, str]]:
    """Create an account with an application password for each role, and return the accounts by name.

    Browser tests create their own accounts and records instead.
    """
    from django.db import connections

    from calendar_site.accounts.services import create_application_password, create_user

    accounts = {}
    if task in IN_BROWSER:
        from tests.support.browser.shown_records import create_records

        create_records(folder / "records.json")
    else:
        for name, role in ROLES.items():
            _password, secret = create_application_password(create_user(name, role), "trial")
            accounts[name] = {"username": name, "password": secret}
    connections.close_all()
    return accounts


def commands(arguments: argparse.Namespace, accounts: dict, folder: Path) -> list[list[str]]:
    if arguments.task == "browser":
        ini = str(arguments.folder / PROGRAMS["browser"])
        pytest = [sys.executable, "-m", "pytest", str(arguments.folder), "-c", ini, "-n", "auto"]
        return [[*pytest, *shlex.split(arguments.pytest)]]
    site = f"http://127.0.0.1:{os.environ['PORT']}"
    if arguments.task == "screenshots":
        chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or sys.exit("Chromium was not found.")
        return [[sys.executable, str(arguments.folder / PROGRAMS[arguments.task]), chromium, site]]
    program = [sys.executable, str(arguments.folder / PROGRAMS[arguments.task])]
    contract = [*program, "--base", f"{site}/cal/events/v1"]
    if PROGRAMS[arguments.task] != "run.py":
        editor = accounts["editor"]
        return [[*contract, "--user", editor["username"], "--password", editor["password"]]]
    users = folder / "users.json"
    users.write_text(json.dumps(accounts))
    only = [option for area in arguments.only.split() for option in ("--only", area)]
    left_out = set() if only else set(arguments.left_out.split())
    options = ["--users", str(users), *only]
    found = [[*contract, *options, *cases(arguments.folder / "cases", left_out)]]
    if arguments.task == "compatibility":
        # Their paths begin at the root of the site.
        found.insert(0, [*program, "--base", site, *options, *cases(arguments.folder / "compatibility", left_out)])
    return found


def cases(folder: Path, left_out: set[str]) -> list[str]:
    """Return the files of the cases whose area is not left out."""
    return [str(case) for case in sorted(folder.glob("*.json")) if area(case) not in left_out]


def area(case: Path) -> str:
    return json.loads(case.read_text())["area"]


if __name__ == "__main__":
    sys.exit(main())
