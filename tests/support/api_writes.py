"""What tests of writing share: a body to start from, and looking at answers and at what is stored."""

from typing import Any

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
    """The body of an event with nothing but what it needs, and `fields`."""
    return {"title": "Open air", "start_date": "2030-05-04 18:00:00", "end_date": "2030-05-04 20:00:00", **fields}


def created_record(response) -> dict[str, Any]:
    """The record that a create answers."""
    assert response.status_code == 201, response.content
    return response.json()


def updated_record(response) -> dict[str, Any]:
    """The record that an update or a delete answers."""
    assert response.status_code == 200, response.content
    return response.json()


def read_record(client: Any, url: str, pk: int) -> dict[str, Any]:
    """Return what a read of one record answers, without what writes do not answer."""
    record = client.get(f"{url}/{pk}").json()
    record.pop("json_ld", None)
    return record


def error_of(response) -> tuple[int, str]:
    """Status and code of an error, whose body is the contract's."""
    body = response.json()
    assert body["data"]["status"] == response.status_code, response.content
    assert sorted(body) == ["code", "data", "message"]
    assert body["message"]
    return response.status_code, body["code"]


def stored_rows() -> dict[type[Model], list[dict[str, Any]]]:
    """Everything that the API writes, to be compared with the same at another time."""
    return {model: list(model._default_manager.order_by("pk").values()) for model in STORED}


def changed_values(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """What the keys that differ hold afterwards; both answers have the same keys."""
    assert before.keys() == after.keys()
    return {name: value for name, value in after.items() if value != before[name]}
