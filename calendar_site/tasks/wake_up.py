"""Waiting for tasks: by polling the database, or without delay through Redis.

Redis only wakes the workers. Tasks are always in the database, in the transaction that enqueued them: none is lost if
Redis is.
"""

from __future__ import annotations

import logging
import time
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.db import transaction
from django.dispatch import receiver
from django_tasks.signals import task_enqueued

from calendar_site.core.redis_client import RedisUnavailable, guarded_redis, redis_client, translated_errors

logger = logging.getLogger(__name__)

KEY = "event-calendar:tasks"
# Each entry wakes one worker. More are of no use, because a worker runs all tasks that are due.
MAX_ENTRIES = 100
# A worker looks for tasks at least this often: those of a retry become due without a notice.
REDIS_WAIT_SECONDS = 10


@receiver(task_enqueued)
def notify_workers(sender: type, **kwargs: Any) -> None:
    """Wake a worker when the transaction that has enqueued the task commits."""
    if settings.REDIS_URL:
        transaction.on_commit(_notify)


def wait_for_tasks() -> None:
    """Return when a task was enqueued, or after a few seconds."""
    if settings.REDIS_URL:
        try:
            with translated_errors():
                redis_client(wait_seconds=REDIS_WAIT_SECONDS).blpop([KEY], REDIS_WAIT_SECONDS)
            return
        except RedisUnavailable as error:
            logger.warning("Redis does not answer, so the worker polls the database: %s", error)
    time.sleep(settings.TASK_POLL_SECONDS)


def _notify() -> None:
    # Without a notice, the worker finds the task REDIS_WAIT_SECONDS later at most.
    with suppress(RedisUnavailable), guarded_redis().client() as redis, redis.pipeline() as commands:
        commands.rpush(KEY, 1)
        commands.ltrim(KEY, -MAX_ENTRIES, -1)
        commands.execute()
