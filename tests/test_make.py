"""`make run`, with a program in the place of Python that records its environment."""

import os
import stat

import pytest

from events.sample_content.data_files import CITY_ZONE
from tests.support.programs import ROOT, run_program

RECORDER = """#!/bin/sh
echo "${SITE_TIME_ZONE-unset}" >> "%s"
"""


@pytest.fixture
def run_make(tmp_path):
    """Runs `make run` without installing anything; returns the time zones that its programs received."""
    record, python = tmp_path / "record", tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.write_text(RECORDER % record)
    python.chmod(python.stat().st_mode | stat.S_IXUSR)
    command = ["make", "run", f"BIN={python.parent}", f"DATA_DIR={tmp_path}", "--assume-old=.venv/installed"]
    unset = ("SITE_TIME_ZONE", "SAMPLE_CONTENT", "MAKEFLAGS", "MAKELEVEL", "MFLAGS")
    environment = {name: value for name, value in os.environ.items() if name not in unset}

    def run(variables, *arguments):
        done = run_program([*command, *arguments], {**environment, **variables}, ROOT)
        assert done.returncode == 0, done.stderr
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
