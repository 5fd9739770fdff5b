"""Daily clean-up of sessions."""

from datetime import time

from django.core.management import call_command
from django_tasks import task

from calendar_site.tasks.schedule import daily


@daily(at=time(3, 10))
@task()
def delete_expired_sessions() -> None:
    """Delete the sessions of users who are no longer signed in."""
    call_command("clearsessions")
