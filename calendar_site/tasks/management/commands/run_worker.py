import os
from argparse import ArgumentTypeError
from collections.abc import Callable
from typing import Any

from django.core.management.base import CommandParser

from calendar_site.core.commands import ServiceCommand
from calendar_site.core.database.limits import limit_tasks
from calendar_site.tasks.worker import TaskWorker


class Command(ServiceCommand):
    help = "Run background tasks until SIGTERM or Ctrl+C. The current task is finished first."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--until-idle", action="store_true", help="Run the tasks that are due, and exit when none is left."
        )
        parser.add_argument(
            "--while-process",
            type=_parse_pid,
            metavar="PID",
            help="Exit when the process with this id has ended.",
        )

    def handle(self, *, until_idle: bool, while_process: int | None, **options: Any) -> None:
        limit_tasks()
        worker = TaskWorker()
        if until_idle:
            worker.run_due_tasks()
        else:
            worker.run(_is_running(while_process) if while_process else lambda: True)


def _parse_pid(text: str) -> int:
    if text.isdecimal() and 0 < int(text) < 2**31:
        return int(text)
    raise ArgumentTypeError("Must be the id of a process.")


def _is_running(pid: int) -> Callable[[], bool]:
    def is_running() -> bool:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            # It belongs to another user.
            return True
        return True

    return is_running
