"""Daily clean-up of the trash."""

from datetime import time, timedelta

from django.conf import settings
from django.utils import timezone
from django_tasks import task

from calendar_site.tasks.schedule import daily
from events.services import empty_trash


@daily(at=time(3, 20))
@task()
def delete_old_trash() -> None:
    """Permanently delete records that have been in the trash for TRASH_DAYS, if it is set."""
    if settings.TRASH_DAYS:
        empty_trash(timezone.now() - timedelta(days=settings.TRASH_DAYS))
