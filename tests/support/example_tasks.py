"""Tasks to run in tests. They leave their traces in a file."""

import os
import time
from pathlib import Path

from django_tasks import task


@task()
def append_line(path: str, line: str) -> None:
    with Path(path).open("a") as file:
        file.write(f"{line}\n")


@task()
def fail(message: str) -> None:
    raise ValueError(message)


@task()
def append_slowly(path: str, seconds: float) -> None:
    """Append the id of the process, wait, and append "finished"."""
    append_line.call(path, str(os.getpid()))
    time.sleep(seconds)
    append_line.call(path, "finished")
