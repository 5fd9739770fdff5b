"""`make run`, with a program in the place of Python that records what it is called with."""

import os
import socket
import stat

import pytest

from events.sample_content.data_files import CITY_ZONE
from tests.support.programs import ROOT, run_program
from tests.support.served_app import free_port

SUCCEEDS = "#!/bin/sh\n"
# The first worker fails. The server runs until the second one has started.
CRASHING_WORKER = """#!/bin/sh
case "$*" in
    *run_worker*) echo "$*" >> "{record}"; [ "$(wc -l < "{record}")" -gt 1 ];;
    *gunicorn*) echo "$$" > "{record}-server"; while [ "$(cat "{record}" | wc -l)" -lt 2 ]; do sleep 0.1; done;;
esac
"""


@pytest.fixture
def run_make_with(tmp_path):
    """Return a function that runs `make run` with a shell script as Python, without installing anything."""
    python = tmp_path / "bin" / "python"
    command = ["make", "run", f"BIN={python.parent}", f"DATA_DIR={tmp_path}", "--assume-old=.venv/installed"]
    unset = ("SITE_TIME_ZONE", "SAMPLE_CONTENT", "MAKEFLAGS", "MAKELEVEL", "MFLAGS")
    environment = {name: value for name, value in os.environ.items() if name not in unset}

    def run(script, variables, *arguments, expected=0):
        python.parent.mkdir()
        python.write_text(script)
        python.chmod(python.stat().st_mode | stat.S_IXUSR)
        done = run_program([*command, *arguments], {**environment, "PORT": str(free_port()), **variables}, ROOT)
        assert done.returncode == expected, done.stderr
        return done

    return run


@pytest.fixture
def first_zone(run_make_with, tmp_path):
    """Return a function that runs `make run`, and returns the time zone that it keeps for all commands."""

    def run(variables, *arguments):
        run_make_with(SUCCEEDS, variables, *arguments)
        return (tmp_path / "time-zone").read_text().strip()

    return run


@pytest.mark.parametrize("variables", [{}, {"SITE_TIME_ZONE": ""}, {"SAMPLE_CONTENT": "1"}, {"SAMPLE_CONTENT": ""}])
def test_site_with_sample_content_is_in_the_time_zone_of_the_city(first_zone, variables):
    assert first_zone(variables) == CITY_ZONE


@pytest.mark.parametrize("value", ["0", "false", "FALSE", "no", "Off"])
def test_site_without_sample_content_has_the_default_time_zone(first_zone, value):
    assert first_zone({"SAMPLE_CONTENT": value}) == "UTC"


@pytest.mark.parametrize("sample_content", ["1", "0"])
def test_configured_time_zone_is_kept(first_zone, sample_content):
    assert first_zone({"SITE_TIME_ZONE": "Europe/Rome", "SAMPLE_CONTENT": sample_content}) == "Europe/Rome"


def test_time_zone_in_the_command_is_kept(first_zone):
    assert first_zone({}, "SITE_TIME_ZONE=Asia/Tokyo") == "Asia/Tokyo"


def test_later_starts_keep_the_time_zone_of_the_first(first_zone, tmp_path):
    (tmp_path / "time-zone").write_text("Europe/Zurich\n")

    assert first_zone({"SITE_TIME_ZONE": "Europe/Rome"}) == "Europe/Zurich"


def test_time_zone_of_a_start_that_failed_is_not_kept(run_make_with, tmp_path):
    run_make_with("#!/bin/sh\nexit 1\n", {"SITE_TIME_ZONE": "Mars/Olympus", "SECRET_KEY": "x" * 50}, expected=2)

    assert not (tmp_path / "time-zone").exists()


def test_busy_port_is_told_before_anything_is_done(run_make_with, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        done = run_make_with(SUCCEEDS, {"PORT": str(port)}, expected=2)

    assert f"cannot listen on port {port} of 127.0.0.1: Address already in use." in done.stderr
    assert f"make run PORT={port + 1}" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["bin"]


def test_worker_that_crashes_is_started_again_beside_the_same_server(run_make_with, tmp_path):
    record = tmp_path / "record"

    done = run_make_with(CRASHING_WORKER.format(record=record), {})

    server = (tmp_path / "record-server").read_text().strip()
    assert record.read_text().splitlines() == [f"manage.py run_worker --while-process {server}"] * 2
    assert "has ended unexpectedly, and is started again." in done.stderr
