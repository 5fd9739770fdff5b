"""Running programs and management commands in separate processes."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
MAX_SECONDS = 120


def run_program(
    command: list[str], environment: Mapping[str, str] = os.environ, folder: Path = ROOT
) -> subprocess.CompletedProcess[str]:
    """Run a program to its end, without any input."""
    return subprocess.run(  # noqa: S603
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=MAX_SECONDS,
        check=False,
    )


def manage(environment: Mapping[str, str], *arguments: str) -> str:
    """Run a management command with additional environment variables, and return its output."""
    done = run_program([sys.executable, "manage.py", *arguments], {**os.environ, **environment})
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout
