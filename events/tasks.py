"""Daily clean-up of the trash and of the words of titles, and rendering of events."""

from datetime import time, timedelta

from django.conf import settings
from django_tasks import task

from calendar_site.content.unused_words import delete_unused_words
from calendar_site.core import clock
from calendar_site.tasks.schedule import daily
from events.derived.renderings import save_missing_renderings
from events.series import tasks as series_tasks  # noqa: F401 - declares the tasks of series
from events.services import empty_trash


@daily(at=time(3, 20))
@task()
def delete_old_trash() -> None:
    """Permanently delete records that have been in the trash for TRASH_DAYS, if it is set."""
    if settings.TRASH_DAYS:
        empty_trash(clock.now() - timedelta(days=settings.TRASH_DAYS))


@daily(at=time(3, 25))
@task()
def forget_words_of_deleted_titles() -> None:
    """Delete the words from which searches are corrected that no title has any more."""
    delete_unused_words()


@daily(at=time(3, 40))
@task()
def render_missing_events() -> None:
    """Render the events whose renderings triggers have deleted, such as those of a deleted category."""
    save_missing_renderings()
