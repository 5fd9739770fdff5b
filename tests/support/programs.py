"""Running programs in separate processes."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
MAX_SECONDS = 120


def run_program(
    command: Sequence[str], environment: Mapping[str, str] = os.environ, folder: Path = ROOT
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
