"""The program of the process that processes one image file: it sets its limits, and exchanges files with the service.

Does not import Django, so that the fork server starts fast and the process has little beside the file.
"""

from __future__ import annotations

import json
import resource
import signal
from collections.abc import Callable
from enum import StrEnum
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

from calendar_site.media import processing
from calendar_site.media.processing import Fault, FocalPoint, ProcessedImage, Rejected


class Task(StrEnum):
    PROCESS = "process"
    CROP = "crop"


FUNCTIONS: dict[Task, Callable[[bytes, FocalPoint], ProcessedImage]] = {
    Task.PROCESS: processing.process,
    Task.CROP: processing.crop,
}


class Limits(NamedTuple):
    """The CPU time of the process, and the memory that it may take for the image."""

    cpu_seconds: int
    memory_bytes: int


def serve(connection: Connection, task: Task, focal_point: FocalPoint, limits: Limits) -> None:
    """Read a file from the connection, and send the result: a header in JSON, then each file.

    Not pickled, because a process that a hostile file has taken over could send any object.
    """
    _set_limits(limits)
    content = connection.recv_bytes()
    try:
        original, renditions = FUNCTIONS[task](content, focal_point)
    except Rejected as error:
        _send_fault(connection, error.fault)
    except MemoryError:
        _send_fault(connection, Fault.TOO_MUCH_MEMORY)
    else:
        files = {"original": original, **renditions}
        header = [(name, (file.format, file.width, file.height)) for name, file in files.items()]
        connection.send_bytes(json.dumps({"files": header}).encode())
        for file in files.values():
            connection.send_bytes(file.content)


def _set_limits(limits: Limits) -> None:
    # The service ends requests in progress when it stops, and kills this process at their deadline.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    # The second value allows nobody to raise the first. One second later, SIGKILL follows SIGXCPU.
    resource.setrlimit(resource.RLIMIT_CPU, (limits.cpu_seconds, limits.cpu_seconds + 1))
    memory = _address_space() + limits.memory_bytes
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _address_space() -> int:
    """Return the address space that the program takes, in bytes; 0 where the system does not tell."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    except FileNotFoundError:
        return 0


def _send_fault(connection: Connection, fault: Fault) -> None:
    connection.send_bytes(json.dumps({"fault": fault}).encode())
