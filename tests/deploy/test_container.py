"""The container: its steps as plain scripts, and the composition of services."""

import os
import re
import shutil
import subprocess
import tempfile
from fnmatch import fnmatch
from pathlib import Path

import pytest
import yaml

from tests.support.programs import ROOT
from tests.support.served_app import free_port, wait_until

# Any account without rights.
USER_ID = 65534


@pytest.fixture
def container():
    """A function that runs a script in a copy of the project, as a user who may only write to /data."""
    if os.getuid() != 0 or not shutil.which("setpriv"):
        pytest.skip("Only root can run programs as another user")
    # May read everything, because this Python may be in somebody's home directory, but write nothing.
    read_all = ["--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"]
    as_user = ["setpriv", f"--reuid={USER_ID}", f"--regid={USER_ID}", "--clear-groups", *read_all]
    with tempfile.TemporaryDirectory() as folder:
        app, data = Path(folder, "app"), Path(folder, "data")
        shutil.copytree(ROOT, app, ignore=ignored)
        (app / ".venv").symlink_to((ROOT / ".venv").resolve())
        data.mkdir()
        os.chown(data, USER_ID, USER_ID)
        Path(folder).chmod(0o755)
        environment = {
            "PATH": os.environ["PATH"],
            "DATA_DIR": str(data),
            "PORT": str(free_port()),
            "PYTHONDONTWRITEBYTECODE": "1",
            "SAMPLE_CONTENT": "0",
            # The health check must use it, too.
            "SCRIPT_NAME": "/agenda",
            "SECRET_KEY": "x" * 60,
        }

        def start(script, *arguments):
            command = [*as_user, app / "deploy" / "container" / script, *arguments]
            return subprocess.Popen(  # noqa: S603
                command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
            )

        yield start


def ignored(folder, names):
    """Return the names in a folder that are not copied into the container."""
    patterns = (ROOT / ".dockerignore").read_text().split()
    everywhere = [pattern.removeprefix("**/") for pattern in patterns if pattern.startswith("**/")]
    on_top = [pattern for pattern in patterns if not pattern.startswith("**/")] if Path(folder) == ROOT else []
    return {name for name in names for pattern in (*everywhere, *on_top) if fnmatch(name, pattern)}


def finish(process):
    output, _errors = process.communicate(timeout=120)
    return process.returncode, output


def test_container_serves_as_a_user_without_rights(container):
    status, output = finish(container("start", "prepare"))
    assert status == 0, output
    unhealthy, _output = finish(container("healthy"))

    with container("start", "serve") as server:
        try:
            assert wait_until(lambda: finish(container("healthy"))[0] == 0, seconds=60)
            uid = re.search(r"^Uid:\t(\d+)", Path(f"/proc/{server.pid}/status").read_text(), re.MULTILINE)[1]
        finally:
            server.terminate()
            status, output = finish(server)

    assert unhealthy != 0
    assert int(uid) == USER_ID
    assert status == 0, output


def test_composition_has_the_expected_services():
    composition = yaml.safe_load((ROOT / "compose.yaml").read_text())

    services = composition["services"]
    assert sorted(services) == ["database", "prepare", "proxy", "redis", "web", "worker"]
    for name in ("prepare", "web", "worker"):
        assert services[name]["read_only"] is True
        assert services[name]["cap_drop"] == ["ALL"]
    documented = re.findall(r"^\| `([A-Z_0-9]+)`", (ROOT / "docs" / "settings.md").read_text(), re.MULTILINE)
    assert set(services["web"]["environment"]) <= set(documented)


def test_containerfile_runs_scripts_that_exist():
    text = (ROOT / "Containerfile").read_text()

    scripts = re.findall(r"deploy/container/\w+", text)

    assert sorted(set(scripts)) == sorted(
        f"deploy/container/{path.name}" for path in (ROOT / "deploy/container").iterdir()
    )
    assert all(os.access(ROOT / script, os.X_OK) for script in scripts)
    assert re.search(r"^USER (?!root|0$)", text, re.MULTILINE)
