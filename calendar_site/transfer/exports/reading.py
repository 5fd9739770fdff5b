"""Importing an export into a service without content: all of it, or nothing."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO

from django.contrib.auth.models import Group
from django.core import serializers
from django.core.exceptions import FieldDoesNotExist, SuspiciousFileOperation, ValidationError
from django.core.files.storage import default_storage
from django.core.serializers.base import DeserializationError
from django.db import DatabaseError, connection, models, transaction

from calendar_site.accounts.models import User
from calendar_site.derived.installation import install
from calendar_site.media.models import Image
from calendar_site.transfer.exports.errors import ExportError
from calendar_site.transfer.exports.lines import read_head, read_records
from calendar_site.transfer.exports.tables import exported_tables
from calendar_site.transfer.files import store_image_file
from calendar_site.transfer.sequences import set_sequences

# Roles exist in every service, and are replaced by those of the export.
GROUP = Group._meta.label_lower
DAMAGED = (
    AttributeError,
    DatabaseError,
    DeserializationError,
    FieldDoesNotExist,
    KeyError,
    TypeError,
    ValidationError,
    ValueError,
)


def import_content(path: Path, *, dry_run: bool) -> dict[str, int]:
    """Import an export, and return the number of records by model. With `dry_run`, nothing stays.

    Accounts have no password afterwards. Raises ExportError and OSError; nothing is changed then.
    """
    try:
        with path.open("rb") as file, transaction.atomic():
            counts = _import(file)
            transaction.set_rollback(dry_run)
    except DatabaseError as error:
        # Links are checked at the end of the transaction.
        raise ExportError(f"Records of the export do not fit together: {error}") from error
    if not dry_run:
        install()
    return counts


def _import(file: BinaryIO) -> dict[str, int]:
    read_head(file)
    known = {table.label: table.model for table in exported_tables()}
    _refuse_content(known.values())
    Group.objects.all().delete()
    counts: dict[str, int] = {}
    for number, record in read_records(file):
        label = str(record.get("model"))
        if label not in known:
            raise ExportError(f"Line {number} has a record of “{label}”, which exports do not contain.")
        _save(number, record)
        counts[label] = counts.get(label, 0) + 1
    connection.check_constraints()
    set_sequences(known.values())
    return counts


def _refuse_content(known: Iterable[type[models.Model]]) -> None:
    for model in known:
        if model is not Group and model._base_manager.exists():
            raise ExportError(f"The service is not empty: it has {model._meta.verbose_name_plural}.")


def _save(number: int, record: dict[str, Any]) -> None:
    try:
        (loaded,) = serializers.deserialize("python", [record])
        if isinstance(loaded.object, User):
            # Nobody can sign in before a new password is set.
            loaded.object.set_unusable_password()
        with transaction.atomic(savepoint=False):
            # `raw`: as it is written, without new times or a history.
            loaded.save(force_insert=True)
    except DAMAGED as error:
        raise ExportError(f"Line {number} cannot be imported: {error}") from error


def import_images(folder: Path) -> tuple[int, list[str]]:
    """Store the files of all images from a folder. Return their number, and the names of those that are missing.

    Files that the storage has stay. Raises ExportError and OSError.
    """
    count, missing = 0, []
    for image in Image.objects.order_by("pk").iterator():
        for name in image.file_names:
            try:
                if default_storage.exists(name):
                    continue
                with folder.joinpath(name).open("rb") as source:
                    if not store_image_file(name, source):
                        raise ExportError(f"The storage does not keep the name of {name}.")
                count += 1
            except FileNotFoundError:
                missing.append(name)
            except SuspiciousFileOperation as error:
                raise ExportError(f"The name of the image {name} is not allowed.") from error
    return count, missing
