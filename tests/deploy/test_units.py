"""The units of systemd, and the script for management commands."""

import re
import shutil
import subprocess

import pytest

from tests.support.programs import ROOT

DEPLOY = ROOT / "deploy"
UNITS = sorted(path.name for suffix in ("service", "socket", "timer") for path in DEPLOY.glob(f"*.{suffix}"))
SERVICES = [name for name in UNITS if name.endswith(".service")]
# The maximum of `systemd-analyze security` that it calls OK is 4.9; a service without hardening has 9.2.
MAX_EXPOSURE = "20"


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)  # noqa: S603


@pytest.fixture
def installed_units(tmp_path):
    """The units in a folder, with programs that exist."""
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd-analyze is not installed")
    for name in UNITS:
        text = (DEPLOY / name).read_text().replace("/srv/calendar/.venv/bin/python", "/bin/true")
        (tmp_path / name).write_text(text)
    return tmp_path


def test_units_are_valid(installed_units):
    done = run("systemd-analyze", "verify", *(installed_units / name for name in UNITS))

    # Other units of this system may be reported, too.
    assert [line for line in done.stderr.splitlines() if "event-calendar" in line] == []


@pytest.mark.parametrize("name", SERVICES)
def test_services_are_hardened(installed_units, name):
    done = run("systemd-analyze", "security", "--offline=true", f"--threshold={MAX_EXPOSURE}", installed_units / name)

    assert done.returncode == 0, done.stdout[-200:]


@pytest.mark.parametrize("name", SERVICES)
def test_commands_of_services_exist(name):
    commands = re.findall(r"manage\.py (\w+)(.*)", (DEPLOY / name).read_text())

    for command, arguments in commands:
        shown = run(".venv/bin/python", "manage.py", command, "--help", cwd=ROOT, env={"DEBUG": "true"})
        assert shown.returncode == 0, shown.stderr
        for option in re.findall(r"--[\w-]+", arguments):
            assert option in shown.stdout


def test_manage_script_passes_arguments_to_systemd_run(tmp_path):
    recorder = tmp_path / "systemd-run"
    recorder.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    recorder.chmod(0o755)

    done = run(DEPLOY / "calendar-manage", "create_user", "mia b", "--role=editor", env={"PATH": f"{tmp_path}:/bin"})

    assert done.stdout.splitlines() == [
        "--quiet",
        "--wait",
        "--collect",
        "--pipe",
        "--uid=calendar",
        "--gid=calendar",
        "--property=EnvironmentFile=/etc/calendar.env",
        "--property=WorkingDirectory=/srv/calendar",
        "--property=UMask=0077",
        "--",
        "/srv/calendar/.venv/bin/python",
        "manage.py",
        "create_user",
        "mia b",
        "--role=editor",
    ]


def test_environment_example_names_known_settings():
    example = (DEPLOY / "calendar.env.example").read_text()
    documented = re.findall(r"^\| `([A-Z_0-9]+)`", (ROOT / "docs" / "settings.md").read_text(), re.MULTILINE)

    names = re.findall(r"^([A-Z_0-9]+)=", example, re.MULTILINE)

    assert set(names) <= set(documented)
    assert "SECRET_KEY" in names
