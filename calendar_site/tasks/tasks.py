"""Upkeep of the queue itself."""

from datetime import time

from django.core.management import call_command
from django_tasks import task

from calendar_site.tasks.schedule import daily

KEPT_DAYS = 7
FAILED_KEPT_DAYS = 30


@daily(at=time(3, 0))
@task()
def delete_finished_tasks() -> None:
    """Delete finished tasks after a week, and failed ones after 30 days."""
    call_command(
        "prune_db_task_results",
        queue_name="*",
        min_age_days=KEPT_DAYS,
        failed_min_age_days=FAILED_KEPT_DAYS,
        verbosity=0,
    )
