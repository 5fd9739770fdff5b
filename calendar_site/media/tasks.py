"""Background tasks of the image library."""

from __future__ import annotations

from datetime import time, timedelta

from django.conf import settings
from django.core.files.storage import default_storage
from django_tasks import task

from calendar_site.core import clock
from calendar_site.media.clean_up import delete_old_orphans
from calendar_site.tasks.schedule import daily


@task()
def delete_files(names: list[str]) -> None:
    """Delete stored files that no image uses. Their names are the only trace of them that is left."""
    for name in names:
        default_storage.delete(name)


@daily(at=time(4, 0))
@task()
def delete_orphaned_files() -> None:
    """Delete the files that no image has had for ORPHANED_FILE_DAYS: faults and crashes leave some."""
    if settings.ORPHANED_FILE_DAYS:
        delete_old_orphans(clock.now() - timedelta(days=settings.ORPHANED_FILE_DAYS))
