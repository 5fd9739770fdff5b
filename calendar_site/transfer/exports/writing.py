"""Writing an export."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from django.core import serializers
from django.core.files.storage import default_storage
from django.db import connection, transaction

from calendar_site.media.models import Image
from calendar_site.transfer.exports.errors import ExportError
from calendar_site.transfer.exports.lines import Head, encode, encode_end, encode_head
from calendar_site.transfer.exports.tables import NAMED_FIELDS, Table, exported_tables
from calendar_site.transfer.files import new_file

CHUNK_RECORDS = 500
USER = "accounts.user"


def export_content(path: Path, head: Head) -> dict[str, int]:
    """Write all content to a new file, as it is at one moment. Return the number of records by model.

    Raises ExportError and OSError; nothing is left behind then.
    """
    if path.exists():
        raise ExportError(f"{path} exists.")
    with one_moment(), new_file(path) as file:
        return _write(file, head)


def _write(file: BinaryIO, head: Head) -> dict[str, int]:
    counts: dict[str, int] = {}
    file.write(encode_head(head))
    for table in exported_tables(with_history=head.with_history, with_people=head.with_people):
        for record in _records(table):
            if table.label == USER and not head.with_people:
                _make_anonymous(record)
            file.write(encode(record))
            counts[table.label] = counts.get(table.label, 0) + 1
    file.write(encode_end(counts))
    return counts


def _records(table: Table) -> Iterator[dict[str, Any]]:
    rows = table.model._base_manager.order_by("pk")
    # Links by name are fetched for a chunk at once.
    links = [field.name for field in table.model._meta.many_to_many if field.name in table.fields]
    found = rows.prefetch_related(*links).iterator(CHUNK_RECORDS)
    options = {"fields": table.fields, "use_natural_foreign_keys": table.links_by_name}
    while chunk := list(islice(found, CHUNK_RECORDS)):
        yield from serializers.serialize("python", chunk, **options)


def _make_anonymous(record: dict[str, Any]) -> None:
    """Keep an account only as the owner of records, without rights."""
    fields = {name: value for name, value in record["fields"].items() if name not in NAMED_FIELDS}
    closed = {"is_active": False, "is_staff": False, "is_superuser": False, "groups": [], "user_permissions": []}
    record["fields"] = {**fields, **closed, "username": f"person-{record['pk']}"}


@contextmanager
def one_moment() -> Iterator[None]:
    """Read the database as it is now, while others write. A transaction of the caller stays as it is."""
    if connection.in_atomic_block:
        yield
        return
    if connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
        return
    with connection.cursor() as cursor:
        # `atomic` would take the write lock of SQLite.
        cursor.execute("BEGIN DEFERRED")
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


def export_images(folder: Path) -> tuple[int, list[str]]:
    """Copy the files of all images to a new folder. Return their number, and the names of those that are missing.

    Raises ExportError and OSError.
    """
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError as error:
        raise ExportError(f"{folder} exists.") from error
    count, missing = 0, []
    for image in Image.objects.order_by("pk").iterator(CHUNK_RECORDS):
        for name in image.file_names:
            try:
                _copy_file(name, folder / name)
                count += 1
            except FileNotFoundError:
                missing.append(name)
    return count, missing


def _copy_file(name: str, path: Path) -> None:
    with default_storage.open(name) as source:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with new_file(path) as target:
            shutil.copyfileobj(source, target)
