"""S5, nested records: creating a record inside another one needs its own permission, and is saved completely or not.

Elsewhere, terms and venues could be created by users who may only write events. tests/events/test_write_links.py tests
the same rule for single fields.
"""

import pytest
from django.contrib.auth.models import Permission

from tests.factories import EventFactory, UserFactory
from tests.support.api_client import API, api_client_for
from tests.support.api_writes import event_data, stored_rows

pytestmark = pytest.mark.django_db

# The data that creates a linked record, by its field.
NESTED = {
    "venue": {"venue": "New hall"},
    "organizer": {"organizer": "New club"},
    "categories": ["New category"],
    "tags": ["New tag"],
}
MODELS = {"venue": "venue", "organizer": "organizer", "categories": "category", "tags": "tag"}
RECORDS = f"{API}/events"


def writer_without(model):
    """Return an API client of a user who may do everything but create records of the model."""
    user = UserFactory()
    user.user_permissions.set(Permission.objects.exclude(codename=f"add_{model}"))
    return user, api_client_for(user)


@pytest.mark.parametrize("field", NESTED)
@pytest.mark.parametrize("method", ["post", "put", "patch"])
@pytest.mark.parametrize("lookup", ["id", "slug"])
def test_new_linked_record_needs_its_permission(field, method, lookup):
    user, client = writer_without(MODELS[field])
    event = EventFactory(title="Before", author=user)
    path = {"id": f"{RECORDS}/{event.pk}", "slug": f"{RECORDS}/by-slug/{event.slug}"}[lookup]
    before = stored_rows()

    refused = getattr(client, method)(path, event_data(title="After", **NESTED))
    others = {name: data for name, data in NESTED.items() if name != field}

    assert (refused.status_code, refused.json()["code"], stored_rows() == before) == (403, "rest_forbidden", True)
    assert getattr(client, method)(path, event_data(title="After", **others)).status_code == 200


@pytest.mark.parametrize("field", NESTED)
def test_new_event_with_a_forbidden_record_saves_nothing(field):
    _user, client = writer_without(MODELS[field])
    before = stored_rows()

    response = client.post(RECORDS, event_data(**NESTED))

    assert (response.status_code, stored_rows() == before) == (403, True)


@pytest.mark.parametrize(
    "invalid",
    [{"venue": [{"venue": "New"}, {"venue": ""}]}, {"tags": ["x" * 300]}, {"organizer": 4711}, {"start_date": "never"}],
    ids=str,
)
def test_one_invalid_part_saves_nothing(editor_api, invalid):
    before = stored_rows()

    response = editor_api.post(RECORDS, event_data(**{**NESTED, **invalid}))

    assert (response.status_code, stored_rows() == before) == (400, True)
