"""The file of a backup: a tar archive with the database, the images, and a manifest with a checksum of each."""

from __future__ import annotations

import hashlib
import json
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO, NamedTuple, Self

from calendar_site.transfer.backups.errors import BackupError
from calendar_site.transfer.files import new_file

FORMAT = 1
MANIFEST = "manifest.json"
DATABASE = "database"
MEDIA_FOLDER = "media/"
CHUNK_BYTES = 1_000_000
# More than the names and checksums of a million images.
MAX_MANIFEST_BYTES = 300_000_000


class Manifest(NamedTuple):
    """The contents of a backup."""

    # RFC 3339, in UTC.
    created: str
    engine: str
    # The names of the applied migrations by app.
    migrations: dict[str, list[str]]
    # The number of rows by table.
    tables: dict[str, int]
    # SHA-256 by member of the archive.
    files: dict[str, str]
    # Images of the library whose files were missing.
    missing_images: list[str]
    # A digest of all rows by table; without it in the first backups.
    digests: dict[str, str] = MappingProxyType({})  # type: ignore[assignment]
    format: int = FORMAT

    def encode(self) -> bytes:
        values = {**self._asdict(), "digests": dict(self.digests)}
        return json.dumps(values, indent=1, sort_keys=True).encode()

    @classmethod
    def parse(cls, content: bytes) -> Self:
        """Parse the manifest of an archive. Raises BackupError."""
        try:
            values = json.loads(content)
            manifest = cls(**values)
        except (ValueError, TypeError) as error:
            raise BackupError("The manifest of the backup is damaged.") from error
        if manifest.format != FORMAT:
            raise BackupError(f"The backup has format {manifest.format}, which this version does not know.")
        return manifest


class ArchiveWriter:
    """Writes the members of a new archive, and remembers their checksums."""

    def __init__(self, archive: tarfile.TarFile) -> None:
        self._archive = archive
        self.files: dict[str, str] = {}

    def add(self, name: str, content: Any, size: int) -> None:
        """Add a member with this content. Raises BackupError if it has not that many bytes."""
        reader = _HashingReader(content)
        try:
            self._archive.addfile(_member(name, size), reader)
        except OSError as error:
            if reader.length < size and error.errno is None:
                raise BackupError(f"{name} became shorter while it was copied.") from error
            raise
        self.files[name] = reader.digest

    def add_bytes(self, name: str, content: bytes) -> None:
        self._archive.addfile(_member(name, len(content)), BytesIO(content))


class _HashingReader:
    """Reads a file and computes its checksum."""

    def __init__(self, file: Any) -> None:
        self._file, self._hash, self.length = file, hashlib.sha256(), 0

    def read(self, size: int = -1) -> bytes:
        content = self._file.read(size)
        self._hash.update(content)
        self.length += len(content)
        return content

    @property
    def digest(self) -> str:
        return self._hash.hexdigest()


def _member(name: str, size: int) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.size, member.mode = size, 0o600
    return member


@contextmanager
def new_archive(path: Path) -> Iterator[ArchiveWriter]:
    """Write an archive that only its owner may read. It appears under its name once it is complete.

    Raises BackupError and OSError; nothing is left behind then.
    """
    with new_file(path) as file, tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT) as archive:
        yield ArchiveWriter(archive)


@contextmanager
def open_archive(path: Path) -> Iterator[tuple[tarfile.TarFile, Manifest]]:
    """Open an archive and read its manifest. Raises BackupError for a file that is no complete backup."""
    try:
        with tarfile.open(path, mode="r:") as archive:
            yield archive, _read_manifest(archive)
    except tarfile.TarError as error:
        raise BackupError(f"{path} is no complete backup: {error}.") from error
    except FileNotFoundError as error:
        raise BackupError(f"There is no backup {path}.") from error


def _read_manifest(archive: tarfile.TarFile) -> Manifest:
    try:
        member = archive.getmember(MANIFEST)
    except KeyError as error:
        raise BackupError("The file is no complete backup: it has no manifest.") from error
    file = archive.extractfile(member)
    if file is None or member.size > MAX_MANIFEST_BYTES:
        raise BackupError("The manifest of the backup is damaged.")
    return Manifest.parse(file.read())


def members_of(archive: tarfile.TarFile, manifest: Manifest) -> list[str]:
    """Return the names of the members. Raises BackupError if one is missing, or not in the manifest."""
    found = {member.name for member in archive.getmembers()} - {MANIFEST}
    if missing := manifest.files.keys() - found:
        raise BackupError(f"The backup lacks {len(missing)} of its files, such as {min(missing)}.")
    if others := found - manifest.files.keys():
        raise BackupError(f"The backup contains {len(others)} files that are not its own, such as {min(others)}.")
    return sorted(found)


def copy_member(archive: tarfile.TarFile, manifest: Manifest, name: str, target: BinaryIO | None = None) -> None:
    """Read a member, and write it to `target`. Raises BackupError if its checksum is wrong."""
    source: Any = archive.extractfile(name)
    if source is None:
        raise BackupError(f"{name} in the backup is no file.")
    digest = hashlib.sha256()
    while chunk := source.read(CHUNK_BYTES):
        digest.update(chunk)
        if target is not None:
            target.write(chunk)
    if digest.hexdigest() != manifest.files.get(name):
        raise BackupError(f"{name} in the backup is damaged.")
