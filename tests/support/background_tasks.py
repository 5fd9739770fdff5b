"""Running background tasks within the transaction of a test."""

from unittest.mock import patch

from django.core.management import call_command
from django.utils import timezone

from calendar_site.tasks.models import BackgroundTask

LIBRARY_WORKER = "django_tasks_db.management.commands.db_worker"


def run_worker() -> None:
    """Run the tasks that are due. As Django's test client does, leave the connection of the test open."""
    with patch(f"{LIBRARY_WORKER}.close_old_connections"):
        call_command("run_worker", until_idle=True)


def run_daily_tasks() -> None:
    """Run the worker on the next day."""
    run_worker()
    BackgroundTask.objects.update(run_after=timezone.now())
    run_worker()
