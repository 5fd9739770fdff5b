"""Daily clean-up of form drafts."""

from datetime import time, timedelta

from django.conf import settings
from django_tasks import task

from calendar_site.core import clock
from calendar_site.form_drafts.services import prune_drafts
from calendar_site.tasks.schedule import daily


@daily(at=time(3, 55))
@task()
def delete_old_form_drafts() -> None:
    """Delete the drafts of admin forms that are older than FORM_DRAFT_DAYS."""
    if settings.FORM_DRAFT_DAYS:
        prune_drafts(clock.now() - timedelta(days=settings.FORM_DRAFT_DAYS))
