"""Processing image files in processes with limits, so that a hostile file costs one request and nothing else.

A fork server, which has loaded Pillow, forks a process for each image. The process has limits for its CPU time and its
memory, cannot write files, and is killed at the deadline of the request. See docs/decisions/0008-image-processing.md.
"""

from __future__ import annotations

import json
import logging
import multiprocessing
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from threading import BoundedSemaphore, Timer

from django.conf import settings
from django.utils.translation import gettext as _

from calendar_site.core.busy import ResourceBusy
from calendar_site.media import image_worker, processing
from calendar_site.media.containers import MAX_JPEG_SCANS
from calendar_site.media.image_worker import Limits, Task
from calendar_site.media.processing import EncodedImage, Fault, FocalPoint, ProcessedImage

logger = logging.getLogger(__name__)

# The signals by which the system ends a process that exceeds its CPU time. SIGKILL follows if it ignores the first.
CPU_SIGNALS = {-signal.SIGXCPU, -signal.SIGKILL}
# A fork server that was killed refuses connections until the system has ended it, and is replaced then.
START_ATTEMPTS, START_PAUSE_SECONDS = 5, 0.1
# The exit code of a process whose fork server has ended.
LOST_EXIT_CODE = 255

_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload([image_worker.__name__])
_slots = BoundedSemaphore(settings.IMAGE_PROCESSES)


class InvalidImage(ValueError):
    """The file is not an image that can be stored. The message is for users."""


def process_image(content: bytes, focal_point: FocalPoint, *, deadline: float) -> ProcessedImage:
    """Validate an image file, remove its metadata, set it upright, and make its renditions.

    `deadline` is a moment of `time.monotonic()`. Raises InvalidImage, and ResourceBusy if other images are processed
    until then.
    """
    if len(content) > processing.MAX_BYTES:
        raise InvalidImage(
            _("The file is larger than %(limit)s MB.") % {"limit": processing.MAX_BYTES // (1024 * 1024)}
        )
    return _run(Task.PROCESS, content, focal_point, deadline)


def crop_image(content: bytes, focal_point: FocalPoint, *, deadline: float) -> dict[str, EncodedImage]:
    """Return the renditions of a stored image that depend on the focal point. Raises InvalidImage and ResourceBusy."""
    return _run(Task.CROP, content, focal_point, deadline).renditions


def _run(task: Task, content: bytes, focal_point: FocalPoint, deadline: float) -> ProcessedImage:
    """Call the task in a process of its own. Raises InvalidImage and ResourceBusy."""
    if not _slots.acquire(timeout=max(deadline - time.monotonic(), 0)):
        raise ResourceBusy(_("The service is processing other images. Try again in a moment."))
    try:
        connection, other_end = _context.Pipe()
        with connection, other_end:
            process = _start(other_end, task, focal_point)
            other_end.close()
            with _killed_at(deadline, process):
                return _exchange(connection, process, content)
    finally:
        _slots.release()


def _start(connection: Connection, task: Task, focal_point: FocalPoint) -> ForkServerProcess:
    """Start the process, and the fork server if it does not run. Raises ResourceBusy."""
    limits = Limits(settings.IMAGE_CPU_SECONDS, settings.IMAGE_MEMORY_MB * 1024 * 1024)
    for attempt in range(START_ATTEMPTS):
        if attempt:
            time.sleep(START_PAUSE_SECONDS)
        process = _context.Process(target=image_worker.serve, args=(connection, task, focal_point, limits), daemon=True)
        try:
            process.start()
        except (EOFError, OSError):
            logger.warning("The fork server for images did not respond.", exc_info=True)
        else:
            return process
    raise ResourceBusy(_("The service is busy. Try again in a moment."))


@contextmanager
def _killed_at(deadline: float, process: ForkServerProcess) -> Iterator[None]:
    """Kill the process at the deadline, and wait for its end."""
    timer = Timer(max(deadline - time.monotonic(), 0), process.kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        process.kill()
        process.join()
        process.close()


def _exchange(connection: Connection, process: ForkServerProcess, content: bytes) -> ProcessedImage:
    """Send the file to the process, and return its result. Raises InvalidImage and ResourceBusy."""
    try:
        connection.send_bytes(content)
        header = json.loads(connection.recv_bytes())
        if "fault" in header:
            raise InvalidImage(_message(Fault(header["fault"])))
        files = {name: EncodedImage(connection.recv_bytes(), *fields) for name, fields in header["files"]}
    except (EOFError, ConnectionError) as error:
        process.join()
        logger.warning("A process that read an image ended with exit code %s.", process.exitcode)
        if process.exitcode == LOST_EXIT_CODE:
            raise ResourceBusy(_("The service is busy. Try again in a moment.")) from error
        fault = Fault.TOO_MUCH_TIME if process.exitcode in CPU_SIGNALS else Fault.DAMAGED
        raise InvalidImage(_message(fault)) from error
    return ProcessedImage(files.pop("original"), files)


def _message(fault: Fault) -> str:
    match fault:
        case Fault.NO_IMAGE:
            return _("The file is not a JPEG, PNG, GIF, WebP or AVIF image.")
        case Fault.DAMAGED:
            return _("The image file is damaged.")
        case Fault.TOO_MANY_PIXELS:
            limit = processing.MAX_PIXELS // 1_000_000
            return _("The image has more than %(limit)s megapixels or too many frames.") % {"limit": limit}
        case Fault.TOO_MANY_SCANS:
            return _("The image has more than %(limit)s scans.") % {"limit": MAX_JPEG_SCANS}
        case Fault.TOO_MUCH_TIME:
            return _("Processing the image takes too much time. Save it in another format or with fewer pixels.")
        case Fault.TOO_MUCH_MEMORY:
            return _("Processing the image takes too much memory. Save it in another format or with fewer pixels.")
