"""Helpers for tests of writes through the API: request data, responses and stored rows."""

from functools import cache
from typing import Any

from django.db import connection
from django.db.models import Model

from calendar_site.media.models import Image
from events.models import Event, EventOrganizer, EventVenue, Ticket
from organizers.models import Organizer
from taxonomy.models import Category, Tag
from venues.models import Venue

STORED = (
    Event,
    Venue,
    Organizer,
    Category,
    Tag,
    Image,
    Ticket,
    EventVenue,
    EventOrganizer,
    Event.categories.through,
    Event.tags.through,
)


def event_data(**fields: Any) -> dict[str, Any]:
    """Return the data of a new event: the required fields, and `fields`."""
    return {"title": "Open air", "start_date": "2030-05-04 18:00:00", "end_date": "2030-05-04 20:00:00", **fields}


def created_record(response) -> dict[str, Any]:
    """Return the record in the response to a create."""
    assert response.status_code == 201, response.content
    return response.json()


def updated_record(response) -> dict[str, Any]:
    """Return the record in the response to an update or a delete."""
    assert response.status_code == 200, response.content
    return response.json()


def read_record(client: Any, url: str, pk: int) -> dict[str, Any]:
    """Get one record, without the keys that responses to writes do not have."""
    return without_json_ld(client.get(f"{url}/{pk}").json())


def without_json_ld(value: Any) -> Any:
    """Return a record without its `json_ld` and those of its linked records."""
    if isinstance(value, list):
        return [without_json_ld(item) for item in value]
    if isinstance(value, dict):
        return {name: without_json_ld(item) for name, item in value.items() if name != "json_ld"}
    return value


def error_of(response) -> tuple[int, str]:
    """Return status and code of an error, and check the format of its body."""
    body = response.json()
    assert body["data"]["status"] == response.status_code, response.content
    assert sorted(body) == ["code", "data", "message"]
    assert body["message"]
    return response.status_code, body["code"]


def stored_rows() -> dict[type[Model], list[tuple[Any, ...]]]:
    """Return all rows that the API can write, as the database driver returns them, to compare before and after.

    Hundreds of tests call this, and converting the values to Python types would take most of the time.
    """
    with connection.cursor() as cursor:
        rows = {}
        for model, sql in _select_statements():
            cursor.execute(sql)
            rows[model] = cursor.fetchall()
    return rows


@cache
def _select_statements() -> tuple[tuple[type[Model], str], ...]:
    return tuple((model, str(model._default_manager.order_by("pk").query)) for model in STORED)


def changed_values(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """Return the values that changed between two records with the same keys."""
    assert before.keys() == after.keys()
    return {name: value for name, value in after.items() if value != before[name]}
