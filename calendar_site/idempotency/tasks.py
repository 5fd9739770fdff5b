"""Daily clean-up of stored responses."""

from datetime import time

from django_tasks import task

from calendar_site.idempotency.services import prune_all_requests
from calendar_site.tasks.schedule import daily


@daily(at=time(3, 45))
@task()
def delete_expired_responses() -> None:
    """Delete responses stored for an Idempotency-Key more than 24 hours ago. New keys delete some as well."""
    prune_all_requests()
