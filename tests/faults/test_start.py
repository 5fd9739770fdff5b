"""The start of the service: two at once, interrupted ones, one without disk space, and databases that are too old."""

import os
import resource
import signal
import subprocess
import sys

import pytest

from tests.support.databases import is_postgresql, run_sql, temporary_database
from tests.support.programs import ROOT, run_program
from tests.support.python_starter import manage, run_python

PREPARE = [sys.executable, "manage.py", "prepare"]
MAX_SECONDS = 120
# What the command says before its parts.
PRINTED = ("Preparing the database", "Collecting the static files", "Created the administrator")


@pytest.fixture
def environment(tmp_path):
    """The environment of a new service without sample content."""
    url = os.environ.get("DATABASE_URL", "")
    with temporary_database(url, "started", tmp_path) as database:
        variables = {
            "DATABASE_URL": database, "DATA_DIR": str(tmp_path), "SECRET_KEY": "x" * 50, "SAMPLE_CONTENT": "0",
            "DEBUG": "false",
        }  # fmt: skip
        yield {**os.environ, **variables}


def start(environment):
    return subprocess.Popen(  # noqa: S603
        PREPARE, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def test_second_of_two_starts_waits_for_the_first(environment):
    started = [start(environment) for _ in range(2)]
    outputs = [process.communicate(timeout=MAX_SECONDS) for process in started]

    assert [process.returncode for process in started] == [0, 0], outputs
    printed = "".join(output for output, _errors in outputs)
    assert printed.count("Created the administrator admin") == 1
    assert "Another process is preparing this database." in printed


def test_interrupted_start_ends_in_one_sentence_and_can_be_repeated(environment):
    for text in PRINTED:
        process = start(environment)
        if any(text in line for line in process.stdout):
            process.send_signal(signal.SIGINT)
        _output, errors = process.communicate(timeout=MAX_SECONDS)
        # It may have been done already: while Python ends, it no longer handles the signal, which then ends it.
        assert process.returncode in (0, 130, -signal.SIGINT), errors
        assert process.returncode != 130 or errors.strip().splitlines()[-1] == "Interrupted."
        assert "Traceback" not in errors

    done = run_program(PREPARE, environment)
    assert done.returncode == 0, done.stderr
    assert run_program(PREPARE, environment).stdout.count("Created the administrator") == 0


def test_start_without_disk_space_says_so(environment):
    # The limit of a file's size has the effect of a full disk for this process alone.
    done = subprocess.run(  # noqa: S603
        PREPARE,
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000)),
    )

    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert run_program(PREPARE, environment).returncode == 0


def test_database_of_a_version_before_the_first_release_is_refused(environment):
    manage(environment, "migrate", "--verbosity=0")
    run_sql_there(environment, "DELETE FROM django_migrations WHERE app = 'accounts'")

    done = run_python(["manage.py", "migrate"], environment)

    assert done.returncode == 1
    assert done.stderr.strip() == (
        "CommandError: This database was created by a version before 1.0.0, the first one that can be upgraded. Export "
        "its records with that version, and import them into a new database."
    )


def run_sql_there(environment, statement):
    url = environment["DATABASE_URL"]
    if is_postgresql(url):
        run_sql(url, statement)
    else:
        import sqlite3

        with sqlite3.connect(url.removeprefix("sqlite:///")) as connection:
            connection.execute(statement)
