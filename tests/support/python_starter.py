"""Running Python programs in processes that are forked from one with the libraries imported.

Importing them takes most of the time in which a management command starts, and the tests start many.
"""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import runpy
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Mapping
from pathlib import Path

from tests.support.programs import MAX_SECONDS, ROOT

# Those that take longest to import, of the libraries that read no settings when they are imported.
LIBRARIES = (
    "django.contrib.admin",
    "django.contrib.admindocs.utils",
    "django.contrib.postgres.fields",
    "django.core.management",
    "django.db.backends.sqlite3.base",
    "django.views.generic",
    "gunicorn.app.wsgiapp",
    "gunicorn.workers.gthread",
    "holidays",
    "httpcore",
    "nh3",
    "orjson",
    "PIL.Image",
    "redis.asyncio",
    "requests",
    "segno",
    "simple_history.models",
    "storages.backends.s3",
    "yaml",
)
_starter = multiprocessing.get_context("forkserver")
_starter.set_forkserver_preload([*LIBRARIES, __name__])


def run_python(
    arguments: list[str], environment: Mapping[str, str] = os.environ, folder: Path = ROOT
) -> subprocess.CompletedProcess[str]:
    """Run a script with its arguments, `-m MODULE` or `-c CODE` to its end, without any input. Warnings are errors."""
    with tempfile.TemporaryDirectory() as outputs:
        paths = Path(outputs, "stdout"), Path(outputs, "stderr")
        process = _starter.Process(target=_start, args=(arguments, dict(environment), folder, paths))
        process.start()
        process.join(MAX_SECONDS)
        if process.exitcode is None:
            process.kill()
            raise subprocess.TimeoutExpired(arguments, MAX_SECONDS)
        stdout, stderr = (path.read_text(encoding="utf-8") for path in paths)
        return subprocess.CompletedProcess(arguments, process.exitcode, stdout, stderr)


def manage(environment: Mapping[str, str], *arguments: str) -> str:
    """Run a management command with additional environment variables, and return its output."""
    done = run_python(["manage.py", *arguments], {**os.environ, **environment})
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


def _start(arguments: list[str], environment: dict[str, str], folder: Path, paths: tuple[Path, Path]) -> None:
    """Do what the interpreter does on its start, as far as a program can notice, and run the program."""
    # Searching the preloaded libraries for garbage takes a quarter of the time in which the service is imported.
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
    for descriptor, path in zip((1, 2), paths, strict=True):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND), descriptor)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    warnings.simplefilter("error")
    sys.path[1:1] = filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))
    with contextlib.suppress(ImportError):
        __import__("sitecustomize")
    match arguments:
        case ["-m", module, *rest]:
            sys.argv = [module, *rest]
            runpy.run_module(module, run_name="__main__", alter_sys=True)
        case ["-c", code, *rest]:
            sys.argv = ["-c", *rest]
            exec(compile(code, "<string>", "exec"), {"__name__": "__main__"})  # noqa: S102
        case [script, *rest]:
            sys.argv = [script, *rest]
            runpy.run_path(script, run_name="__main__")
