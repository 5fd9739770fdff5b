"""Making, checking and restoring backups."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from django.core.files.storage import default_storage
from django.core.management import call_command
from django.db.migrations.loader import MigrationLoader

from calendar_site.core import clock
from calendar_site.core.dates.conversion import parse_zone, to_rfc3339
from calendar_site.derived.content_version import rebuild_version
from calendar_site.transfer.backups.archives import (
    DATABASE,
    MANIFEST,
    MEDIA_FOLDER,
    ArchiveWriter,
    Manifest,
    copy_member,
    members_of,
    new_archive,
    open_archive,
)
from calendar_site.transfer.backups.databases import Contents, this_database
from calendar_site.transfer.backups.errors import BackupError
from calendar_site.transfer.files import store_image_file
from calendar_site.transfer.models import VerifiedBackup

NAME = re.compile(r"calendar-\d{8}T\d{6}Z\.tar")
# Tells the person at the terminal what happens.
Tell = Callable[[str], None]


class Backup(NamedTuple):
    """A backup that was made."""

    path: Path
    manifest: Manifest
    deleted: list[Path]


class Restored(NamedTuple):
    """What a restore did. `former` is where the former database is, "" if it is not kept."""

    manifest: Manifest
    images: int
    former: str


def make_backup(folder: Path, *, keep: int | None, verify: bool, tell: Tell) -> Backup:
    """Write a backup of the database and of all images to a new file in the folder, while the service may run.

    With `verify`, it is restored into a temporary place and compared. Of complete backups in the folder, the `keep`
    newest ones are kept. Raises BackupError and OSError.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    now = clock.now()
    path = folder / f"calendar-{now:%Y%m%dT%H%M%SZ}.tar"
    if path.exists():
        raise BackupError(f"{path} exists. Wait a second.")
    with _temporary_folder(folder) as temporary, new_archive(path) as archive:
        copy = temporary / DATABASE
        tell("Copying the database.")
        contents = this_database().dump(copy)
        with copy.open("rb") as file:
            archive.add(DATABASE, file, copy.stat().st_size)
        copy.unlink()
        tell(f"Copying {len(contents.image_files)} image files.")
        missing = _add_images(archive, contents.image_files)
        created = to_rfc3339(now, parse_zone("UTC"))
        engine = this_database().engine
        files, tables = archive.files, contents.tables
        manifest = Manifest(created, engine, contents.migrations, tables, files, missing, contents.digests)
        archive.add_bytes(MANIFEST, manifest.encode())
    if verify:
        tell("Restoring it into a temporary place.")
        try:
            verify_backup(path)
        except BackupError:
            path.unlink()
            raise
        VerifiedBackup.objects.update_or_create(pk=1, defaults={"file_name": path.name, "verified_at": clock.now()})
    return Backup(path, manifest, _delete_old(folder, keep))


def _add_images(archive: ArchiveWriter, names: list[str]) -> list[str]:
    """Add the files of images, and return the names of those that are missing."""
    missing = []
    for name in names:
        try:
            with default_storage.open(name) as file:
                archive.add(f"{MEDIA_FOLDER}{name}", file, file.size)
        except FileNotFoundError:
            missing.append(name)
    return missing


def _delete_old(folder: Path, keep: int | None) -> list[Path]:
    """Delete all backups in the folder but the newest ones. Other files stay."""
    if keep is None:
        return []
    old = sorted((path for path in folder.iterdir() if NAME.fullmatch(path.name)), reverse=True)[keep:]
    for path in old:
        path.unlink()
    return old


def verify_backup(path: Path) -> Manifest:
    """Read all of a backup, and restore its database into a temporary place. Raises BackupError and OSError."""
    with open_archive(path) as (archive, manifest), _temporary_folder(path.parent) as temporary:
        for name in members_of(archive, manifest):
            if name != DATABASE:
                copy_member(archive, manifest, name)
        _check_database(_extract_database(archive, manifest, temporary), manifest)
    return manifest


def restore_backup(path: Path, *, dry_run: bool, tell: Tell) -> Restored:
    """Replace the database by that of a backup, and store the images that are missing. The service must not run.

    Nothing is changed before the whole backup has been checked. Raises BackupError and OSError.
    """
    with open_archive(path) as (archive, manifest), _temporary_folder(path.parent) as temporary:
        database = this_database()
        if manifest.engine != database.engine:
            raise BackupError(f"The backup is one of {manifest.engine}, but DATABASE_URL names {database.engine}.")
        _refuse_newer_version(manifest)
        tell("Checking the backup.")
        names = members_of(archive, manifest)
        for name in names:
            if name != DATABASE:
                copy_member(archive, manifest, name)
        copy = _extract_database(archive, manifest, temporary)
        _check_database(copy, manifest)
        images = [name.removeprefix(MEDIA_FOLDER) for name in names if name.startswith(MEDIA_FOLDER)]
        missing = [name for name in images if not default_storage.exists(name)]
        if dry_run:
            return Restored(manifest, len(missing), "")
        tell(f"Storing {len(missing)} image files that are missing.")
        for name in missing:
            _store_image(archive, manifest, name, temporary)
        tell("Replacing the database.")
        former = database.restore(copy)
    tell("Applying migrations.")
    call_command("migrate", interactive=False, verbosity=0)
    # Responses that were stored after the backup may have the numbers of the versions to come.
    rebuild_version()
    return Restored(manifest, len(missing), former)


def _store_image(archive: Any, manifest: Manifest, name: str, temporary: Path) -> None:
    path = temporary / "image"
    with path.open("wb") as target:
        copy_member(archive, manifest, f"{MEDIA_FOLDER}{name}", target)
    with path.open("rb") as source:
        if not store_image_file(name, source):
            raise BackupError(f"The storage does not keep the name of {name}.")


def _extract_database(archive: Any, manifest: Manifest, temporary: Path) -> Path:
    path = temporary / DATABASE
    with path.open("wb") as target:
        copy_member(archive, manifest, DATABASE, target)
    return path


def _check_database(copy: Path, manifest: Manifest) -> None:
    """Raise BackupError unless the copy contains what the manifest says."""
    found: Contents = this_database().check(copy)
    for table, count in manifest.tables.items():
        if found.tables.get(table) != count:
            raise BackupError(f"The table {table} has {found.tables.get(table, 0)} rows instead of {count}.")
    for table, digest in manifest.digests.items():
        if found.digests.get(table) != digest:
            raise BackupError(f"The table {table} has other rows than the database had.")
    if found.migrations != manifest.migrations:
        raise BackupError("The migrations of the database are not those of the manifest.")


def _refuse_newer_version(manifest: Manifest) -> None:
    """Raise BackupError if the backup has migrations that this version does not know."""
    known = MigrationLoader(None).disk_migrations
    apps = {app for app, _name in known}
    unknown = [
        f"{app}.{name}"
        for app, names in manifest.migrations.items()
        if app in apps
        for name in names
        if (app, name) not in known and not any((app, name) in migration.replaces for migration in known.values())
    ]
    if unknown:
        raise BackupError(
            f"The backup is one of a newer version, which has the migration {unknown[0]}. Install that version first."
        )


@contextmanager
def _temporary_folder(beside: Path) -> Iterator[Path]:
    """A private folder on the same disk, for the copy of the database."""
    with tempfile.TemporaryDirectory(prefix=".calendar-backup-", dir=beside) as folder:
        yield Path(folder)
