"""Daily clean-up of the history."""

from datetime import time, timedelta

from django.conf import settings
from django_tasks import task

from calendar_site.audit.retention import clear_addresses, prune_history
from calendar_site.core import clock
from calendar_site.tasks.schedule import daily


@daily(at=time(3, 30))
@task()
def delete_old_history() -> None:
    """Delete client addresses that are older than HISTORY_ADDRESS_DAYS, and revisions older than HISTORY_DAYS."""
    clear_addresses(clock.now() - timedelta(days=settings.HISTORY_ADDRESS_DAYS))
    if settings.HISTORY_DAYS:
        prune_history(clock.now() - timedelta(days=settings.HISTORY_DAYS))
