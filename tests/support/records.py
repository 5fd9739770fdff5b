"""Records as the database has them."""

from typing import Any


def reloaded(row: Any) -> Any:
    """Return a record as it is stored now."""
    return type(row).objects.get(pk=row.pk)


def venue_titles(event: Any) -> list[str]:
    """Return the titles of an event's venues, in their order."""
    return [link.venue.title for link in event.eventvenue_set.order_by("position")]


def statuses_of(rows: dict[str, Any]) -> dict[str, str | None]:
    """Return the status that each record has now, by its key; None for a record that is gone. Costs one query."""
    model = type(next(iter(rows.values())))
    now = dict(model.objects.values_list("pk", "status"))
    return {key: now.get(row.pk) for key, row in rows.items()}
