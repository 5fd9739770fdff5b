"""The fingerprint of a process: only processes with the same one share responses in Redis."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterator
from functools import cache
from importlib.metadata import distributions
from itertools import chain
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage

CODE_FOLDERS = ("calendar_site", "events", "venues", "organizers", "taxonomy", "templates")
# Settings that no public response depends on, and that may differ between the machines of a site. All others count, so
# that a new one is not forgotten.
UNRELATED_SETTINGS = {
    # Folders, and settings that contain them. Their files are part of the code.
    "BASE_DIR", "DATA_DIR", "DOCS_ROOT", "EMAIL_FILE_PATH", "LOCALE_PATHS", "MEDIA_ROOT", "STATICFILES_DIRS",
    "STATIC_ROOT", "TEMPLATES",
    # Connections: each machine may have its own pooler and replica. `_database()` identifies the database.
    "CACHES", "DATABASES", "DATABASE_CONN_MAX_AGE", "DATABASE_POOL_SIZE", "DATABASE_REPLICA",
    "DATABASE_TIMEOUT_SECONDS", "DATABASE_TRANSACTION_POOLING", "REDIS_URL", "SQLITE_SYNCHRONOUS",
    # Processors and memory of the machine.
    "IMAGE_CPU_SECONDS", "IMAGE_MEMORY_MB", "IMAGE_PROCESSES", "RESPONSE_CACHE_MB", "TASK_POLL_SECONDS", "WEB_THREADS",
    "WRITE_PERMITS", "WRITE_WAIT_SECONDS",
    # Only for emails. Without PUBLIC_URL, it contains the port of the process.
    "MAIL_BASE_URL",
    # Logs and monitoring.
    "ACCESS_LOG", "LOGGING", "LOG_FORMAT", "LOG_LEVEL", "METRICS_TOKEN", "SENTRY_DSN",
    # They contain functions and clients, whose text differs between processes. The rest of them is code, and settings
    # that count. The first is a default of django-axes.
    "AXES_USERNAME_FORM_FIELD", "S3_OPTIONS", "STORAGES", "UNFOLD",
}  # fmt: skip


@cache
def fingerprint() -> str:
    """Return the fingerprint of this process."""
    return compute_fingerprint()


def compute_fingerprint() -> str:
    """Return a hash of all that public responses depend on in addition to the request, the content and the time."""
    digest = hashlib.blake2b(digest_size=20)
    for part in chain(_code(), _packages(), _settings(), _database()):
        digest.update(len(part).to_bytes(8) + part)
    return digest.hexdigest()


def _code() -> Iterator[bytes]:
    for folder in CODE_FOLDERS:
        for path in sorted((settings.BASE_DIR / folder).rglob("*")):
            name = path.relative_to(settings.BASE_DIR)
            if path.is_file() and not _is_temporary(name):
                yield name.as_posix().encode()
                yield path.read_bytes()
    # Pages contain the names of the collected static files. In development, their names contain no hash.
    yield getattr(staticfiles_storage, "manifest_hash", "").encode()


def _is_temporary(name: Path) -> bool:
    """Return whether it is bytecode, which other processes write at the same time, or a hidden file of an editor."""
    return any(part == "__pycache__" or part.startswith(".") for part in name.parts)


def _packages() -> Iterator[bytes]:
    yield platform.python_version().encode()
    for name, version in sorted((each.name, each.version) for each in distributions()):
        yield f"{name}=={version}".encode()


def _settings() -> Iterator[bytes]:
    for name in sorted(dir(settings)):
        if name.isupper() and name not in UNRELATED_SETTINGS:
            yield f"{name}={getattr(settings, name)!r}".encode(errors="surrogateescape")


def _database() -> Iterator[bytes]:
    """Yield the name of the database, without the host: machines may reach it through poolers of their own."""
    database = settings.DATABASES["default"]
    yield f"{database['ENGINE']} {database['NAME']}".encode()
