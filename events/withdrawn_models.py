"""The table of events that were withdrawn from the public: see `withdrawals.py`."""

from __future__ import annotations

from django.db import models


class WithdrawnEvent(models.Model):
    """An event that calendars contained and do not contain any more, as it was then, without title and texts.

    Not a foreign key: the event may be deleted.
    """

    event_id = models.BigIntegerField(unique=True)
    uid = models.CharField(max_length=255)
    start = models.DateTimeField()
    end = models.DateTimeField()
    start_local = models.CharField(max_length=19)
    end_local = models.CharField(max_length=19)
    time_zone = models.CharField(max_length=64)
    withdrawn_at = models.DateTimeField(db_index=True)
    # The ids of what it was linked to, by `venues`, `organizers`, `categories`, `tags` and `series`.
    links = models.JSONField(default=dict)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.uid
