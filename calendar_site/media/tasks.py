"""Background tasks of the image library."""

from __future__ import annotations

from django.core.files.storage import default_storage
from django_tasks import task


@task()
def delete_files(names: list[str]) -> None:
    """Delete stored files that no image uses. Their names are the only trace of them that is left."""
    for name in names:
        default_storage.delete(name)
