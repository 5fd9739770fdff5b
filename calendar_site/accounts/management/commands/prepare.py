import hashlib
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command

from calendar_site.configuration.version import VERSION
from calendar_site.core.commands import ServiceCommand
from calendar_site.core.database.migration_lock import file_lock


class Command(ServiceCommand):
    help = (
        "Prepare a start of the service: create or upgrade the database, collect the static files if they have "
        "changed, and set up a new site. Running the command again changes nothing."
    )
    # The database may not exist yet.
    requires_system_checks = []

    def handle(self, **options: Any) -> None:
        with file_lock(settings.DATA_DIR / "prepare.lock", self._say):
            self._say("Preparing the database …")
            call_command("migrate", verbosity=0, stderr=self.stderr)
            self._collect_static_files()
            call_command("set_up", stdout=self.stdout)

    def _collect_static_files(self) -> None:
        marker: Path = settings.DATA_DIR / "static-sources"
        sources = _fingerprint()
        if (settings.STATIC_ROOT / "staticfiles.json").exists() and _read(marker) == sources:
            return
        self._say("Collecting the static files …")
        call_command("collectstatic", interactive=False, verbosity=0)
        marker.write_text(sources)

    def _say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()


def _read(path: Path) -> str:
    return path.read_text() if path.exists() else ""


def _fingerprint() -> str:
    """Return a hash of the version, the bundles, and the names, sizes and times of all static files."""
    parts = [VERSION, repr(settings.PIPELINE), settings.STATIC_URL]
    for finder in get_finders():
        for name, storage in finder.list([]):
            status = Path(storage.path(name)).stat()
            parts.append(f"{name} {status.st_size} {status.st_mtime_ns}")
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
