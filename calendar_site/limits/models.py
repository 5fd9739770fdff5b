"""The counters that are in the database."""

from django.db import models


class Counter(models.Model):
    """The number of uses of one key, such as wrong passwords of one client, in the current period."""

    key = models.CharField(max_length=200, primary_key=True)
    count = models.PositiveIntegerField()
    # Unix time, because the statement that increments the counter is in SQL, which has no common type for datetimes.
    ends_at = models.FloatField(db_index=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.key
