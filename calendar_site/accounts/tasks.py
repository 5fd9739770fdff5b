"""Daily clean-up of sessions, and of email addresses that were not confirmed."""

from datetime import time

from django.core.management import call_command
from django_tasks import task

from calendar_site.accounts.email_change.services import delete_expired_email_changes
from calendar_site.tasks.schedule import daily


@daily(at=time(3, 10))
@task()
def delete_expired_sessions() -> None:
    """Delete the sessions of users who are no longer signed in."""
    call_command("clearsessions")


@daily(at=time(3, 15))
@task()
def delete_unconfirmed_emails() -> None:
    """Delete new email addresses of users that were not confirmed in time."""
    delete_expired_email_changes()
