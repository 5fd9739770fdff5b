"""`make run`, with a program in the place of Python that records what it is called with."""

import os
import stat

import pytest

from events.sample_content.data_files import CITY_ZONE
from tests.support.programs import ROOT, run_program

RECORDER = """#!/bin/sh
echo "${SITE_TIME_ZONE-unset}" >> "%s"
"""
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

    def run(script, variables, *arguments):
        python.parent.mkdir()
        python.write_text(script)
        python.chmod(python.stat().st_mode | stat.S_IXUSR)
        done = run_program([*command, *arguments], {**environment, **variables}, ROOT)
        assert done.returncode == 0, done.stderr
        return done

    return run


@pytest.fixture
def run_make(run_make_with, tmp_path):
    """Return a function that runs `make run`, and returns the time zones that its programs received."""
    record = tmp_path / "record"

    def run(variables, *arguments):
        run_make_with(RECORDER % record, variables, *arguments)
        return set(record.read_text().splitlines())

    return run


@pytest.mark.parametrize("variables", [{}, {"SITE_TIME_ZONE": ""}, {"SAMPLE_CONTENT": "1"}, {"SAMPLE_CONTENT": ""}])
def test_site_with_sample_content_is_in_the_time_zone_of_the_city(run_make, variables):
    assert run_make(variables) == {CITY_ZONE}


@pytest.mark.parametrize("value", ["0", "false", "FALSE", "no", "Off"])
def test_site_without_sample_content_has_the_default_time_zone(run_make, value):
    assert run_make({"SAMPLE_CONTENT": value}) == {""}


@pytest.mark.parametrize("sample_content", ["1", "0"])
def test_configured_time_zone_is_kept(run_make, sample_content):
    assert run_make({"SITE_TIME_ZONE": "Europe/Rome", "SAMPLE_CONTENT": sample_content}) == {"Europe/Rome"}


def test_time_zone_in_the_command_is_kept(run_make):
    assert run_make({}, "SITE_TIME_ZONE=Asia/Tokyo") == {"Asia/Tokyo"}


def test_worker_that_crashes_is_started_again_beside_the_same_server(run_make_with, tmp_path):
    record = tmp_path / "record"

    done = run_make_with(CRASHING_WORKER.format(record=record), {})

    server = (tmp_path / "record-server").read_text().strip()
    assert record.read_text().splitlines() == [f"manage.py run_worker --while-process {server}"] * 2
    assert "has ended unexpectedly, and is started again." in done.stderr
