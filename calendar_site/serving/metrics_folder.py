"""The folder in which the processes of one start of the service share their metrics."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

PREFIX = "calendar-metrics-"


def create_metrics_folder(parent: str | None) -> str:
    """Return the path of a new folder, and delete those of services that were killed.

    The name contains the id of the process that created the folder. `parent` is None for the folder for temporary
    files.
    """
    for folder in Path(parent or tempfile.gettempdir()).glob(f"{PREFIX}*-*"):
        pid = folder.name.removeprefix(PREFIX).partition("-")[0]
        if pid.isdecimal() and not _is_running(int(pid)):
            # The folder of another user stays.
            shutil.rmtree(folder, ignore_errors=True)
    return tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir=parent)


def _is_running(pid: int) -> bool:
    with suppress(PermissionError):
        try:
            os.kill(pid, 0)
        except (ProcessLookupError, OverflowError):
            return False
    return True
