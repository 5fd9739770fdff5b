"""Daily clean-up of the history."""

from datetime import time, timedelta

from django.conf import settings
from django.utils import timezone
from django_tasks import task

from calendar_site.audit.retention import prune_history
from calendar_site.tasks.schedule import daily


@daily(at=time(3, 30))
@task()
def delete_old_history() -> None:
    """Delete revisions that are older than HISTORY_DAYS, if it is set."""
    if settings.HISTORY_DAYS:
        prune_history(timezone.now() - timedelta(days=settings.HISTORY_DAYS))
