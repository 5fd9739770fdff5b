"""The checks, each of which returns sentences about what is wrong."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.core import checks as system_checks
from django.core.mail import get_connection
from django.db import connection
from django.db.models import Q
from django.db.models.functions import Now  # noqa: TID251 - compares the clock of the database with ours

from calendar_site.accounts.models import User
from calendar_site.accounts.roles import ADMINISTRATOR
from calendar_site.core import clock
from calendar_site.mail.messages import is_mail_enabled
from calendar_site.media.clean_up import clean_media
from calendar_site.media.models import Image
from calendar_site.monitoring.health import CHECKS
from calendar_site.tasks.queue import get_queue_state
from calendar_site.transfer.models import Source, VerifiedBackup
from calendar_site.transfer.sources import warnings_about

MIN_FREE_BYTES = 1024**3
MAX_CLOCK_DIFFERENCE = timedelta(seconds=5)
MAX_TASK_DELAY = timedelta(minutes=15)
MAX_BACKUP_AGE = timedelta(days=7)
MAIL_SECONDS = 10
MAX_SHOWN = 3


class CheckResult(NamedTuple):
    """The problems that a check has found."""

    name: str
    problems: list[str]


def run_checks() -> Iterator[CheckResult]:
    """Run all checks, and yield their results. A check that raises an exception has found a problem."""
    for name, check in {**_service_checks(), **SITE_CHECKS}.items():
        try:
            problems = list(check())
        # Databases, storages and mail servers raise errors of many libraries.
        except Exception as error:
            problems = [f"{type(error).__name__}: {error}"]
        yield CheckResult(name, problems)


def _service_checks() -> dict[str, Callable[[], Iterator[str]]]:
    """Return the health checks of the service: database, migrations, cache, storage and so on."""

    def as_problems(check: Callable[[], object]) -> Callable[[], Iterator[str]]:
        def run() -> Iterator[str]:
            check()
            yield from ()

        return run

    return {name: as_problems(check) for name, check in CHECKS.items()}


def check_configuration() -> Iterator[str]:
    """Yield the warnings of Django about the settings in production."""
    for message in system_checks.run_checks(include_deployment_checks=not settings.DEBUG):
        if message.level >= system_checks.WARNING:
            yield f"{message.msg}{f' {message.hint}' if message.hint else ''}"
    if settings.DEBUG:
        yield "DEBUG is on. Turn it off for a service that others can reach."
    if not settings.PUBLIC_URL:
        yield "PUBLIC_URL is not set: emails, calendars and exports need it."


def check_clock() -> Iterator[str]:
    """Yield a problem if the clocks of this machine and of the database differ."""
    if connection.vendor == "sqlite":
        return
    row = User.objects.annotate(moment=Now()).values_list("moment", flat=True).first()
    difference = abs(clock.now() - row) if row is not None else timedelta()
    if difference > MAX_CLOCK_DIFFERENCE:
        yield f"The clocks of this machine and of the database differ by {difference.total_seconds():.0f} s."


def check_disk() -> Iterator[str]:
    """Yield a problem for each folder of the service without room."""
    folders = {Path(settings.DATA_DIR)}
    if not settings.S3_BUCKET:
        folders.add(Path(settings.MEDIA_ROOT))
    for folder in sorted(folders):
        existing = next(path for path in (folder, *folder.parents) if path.exists())
        free = shutil.disk_usage(existing).free
        if free < MIN_FREE_BYTES:
            yield f"{folder} has only {free // 1024**2} MB left."


def check_permissions() -> Iterator[str]:
    """Yield a problem for each file with secrets that others may read."""
    names = {connection.settings_dict["NAME"]} if connection.vendor == "sqlite" else set()
    for path in map(Path, sorted(map(str, names))):
        if path.is_file() and path.stat().st_mode & 0o007:
            yield f"Everybody on this machine may read {path}. Run: chmod o-rwx {path}"


def check_mail() -> Iterator[str]:
    """Yield a problem if the mail server does not answer, or if nobody can get emails."""
    if not is_mail_enabled():
        yield "EMAIL_URL is not set, so the service sends no emails."
        return
    mail = get_connection(timeout=MAIL_SECONDS)
    mail.open()
    mail.close()


def check_tasks() -> Iterator[str]:
    """Yield problems of the background tasks."""
    state = get_queue_state()
    if state.delay_seconds > MAX_TASK_DELAY.total_seconds():
        yield f"The oldest background task waits for {state.delay_seconds / 60:.0f} minutes. Does a worker run?"
    if state.failed:
        yield f"{state.failed} background tasks have failed: see Background tasks in the admin."


def check_images() -> Iterator[str]:
    """Yield problems of the image library: files without an image, and images without a file."""
    found = clean_media(clock.now() - timedelta(days=1), dry_run=True)
    if found.orphans:
        yield f"{len(found.orphans)} stored files belong to no image, such as {found.orphans[0]}. Run: clean_media"
    for pk in list(found.missing)[:MAX_SHOWN]:
        image = Image.objects.get(pk=pk)
        yield f"The image {image.name or pk} has lost its file {found.missing[pk][0]}."
    if len(found.missing) > MAX_SHOWN:
        yield f"{len(found.missing) - MAX_SHOWN} other images have lost their files."


def check_sources() -> Iterator[str]:
    """Yield what people should know about the sources of imports."""
    for source in Source.objects.order_by("pk"):
        yield from (f"Source {source}: {warning}" for warning in warnings_about(source))


def check_backups() -> Iterator[str]:
    """Yield a problem if no backup was verified for a week."""
    last = VerifiedBackup.objects.order_by("-verified_at").first()
    if last is None:
        yield "No backup was ever verified. Run: backup FOLDER --verify"
    elif clock.now() - last.verified_at > MAX_BACKUP_AGE:
        yield f"The last verified backup is of {last.verified_at:%Y-%m-%d}. Run: backup FOLDER --verify"


def check_accounts() -> Iterator[str]:
    """Yield a problem if nobody can manage the service."""
    manages = Q(is_superuser=True) | Q(groups__name=ADMINISTRATOR)
    if not User.objects.filter(manages, is_active=True).exists():
        yield "There is no active administrator. Run: createsuperuser"


SITE_CHECKS: dict[str, Callable[[], Iterator[str]]] = {
    "configuration": check_configuration,
    "clock": check_clock,
    "disk": check_disk,
    "permissions": check_permissions,
    "mail": check_mail,
    "tasks": check_tasks,
    "images": check_images,
    "sources": check_sources,
    "backups": check_backups,
    "accounts": check_accounts,
}
