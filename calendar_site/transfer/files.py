"""New files that only their owner may read, and that appear under their name once they are complete."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from django.core.files.base import File
from django.core.files.storage import default_storage


@contextmanager
def new_file(path: Path) -> Iterator[BinaryIO]:
    """Write a file, and replace an existing one by it. Raises OSError; nothing is left behind then."""
    partial = path.with_name(f".{path.name}.partial")
    try:
        descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        partial.rename(path)
    finally:
        partial.unlink(missing_ok=True)


def store_image_file(name: str, source: Any) -> bool:
    """Store the file of an image. Return whether the storage kept its name; it stores nothing otherwise."""
    stored = default_storage.save(name, File(source))
    if stored != name:
        default_storage.delete(stored)
    return stored == name
