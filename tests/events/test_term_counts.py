"""Counts of terms that SQL has made wrong: they are rebuilt, and prevent no write."""

import pytest
from django.core.management import call_command

from calendar_site.core.choices import Status
from events.models import Event
from taxonomy.models import Category, Tag
from tests.factories import CategoryFactory, EventFactory, TagFactory
from tests.support.api_client import API
from tests.support.api_writes import created_record, event_data, updated_record

pytestmark = pytest.mark.django_db

MODELS = (Category, Tag)


def stored_counts():
    return {model: dict(model.objects.order_by("pk").values_list("pk", "event_count")) for model in MODELS}


def set_counts(count):
    for model in MODELS:
        model.objects.update(event_count=count)


@pytest.fixture
def listed_terms():
    return {"categories": CategoryFactory.create_batch(2), "tags": TagFactory.create_batch(2)}


def test_rebuild_counts_the_same_events_as_services(listed_terms):
    for fields in ({}, {}, {"password": "secret"}, {"hide_from_listings": True}, {"status": "draft"}):
        EventFactory(categories=listed_terms["categories"][:1], tags=listed_terms["tags"], **fields)
    EventFactory(status="trash", tags=listed_terms["tags"][1:])
    unlinked = TagFactory()
    kept_by_services = stored_counts()
    set_counts(7)

    call_command("rebuild_derived", verbosity=0)

    (first, second), (tag, other) = ([term.pk for term in listed_terms[name]] for name in ("categories", "tags"))
    assert stored_counts() == {Category: {first: 2, second: 0}, Tag: {tag: 2, other: 2, unlinked.pk: 0}}
    assert stored_counts() == kept_by_services


@pytest.mark.parametrize(
    "write",
    [
        lambda api, event: updated_record(api.delete(f"{API}/events/{event.pk}")),
        lambda api, event: updated_record(api.post(f"{API}/events/{event.pk}", {"status": "draft"})),
        lambda api, event: updated_record(api.post(f"{API}/events/{event.pk}", {"categories": [], "tags": []})),
    ],
    ids=["trash", "draft", "unlink"],
)
def test_a_count_that_is_too_low_prevents_no_write(editor_api, listed_terms, write):
    event = EventFactory(**listed_terms)
    EventFactory(**listed_terms)
    set_counts(0)

    write(editor_api, event)

    assert {count for counts in stored_counts().values() for count in counts.values()} == {0}
    call_command("rebuild_derived", verbosity=0)
    assert {count for counts in stored_counts().values() for count in counts.values()} == {1}


def test_writes_change_only_the_counts_of_their_terms(editor_api, listed_terms):
    set_counts(0)
    fields = {
        "status": "publish",
        "categories": [listed_terms["categories"][0].pk],
        "tags": [listed_terms["tags"][0].pk],
    }

    created_record(editor_api.post(f"{API}/events", event_data(**fields)))

    assert [list(counts.values()) for counts in stored_counts().values()] == [[1, 0], [1, 0]]


def test_bulk_updates_leave_counts_to_the_rebuild(listed_terms):
    EventFactory(**listed_terms)
    Event.objects.update(status=Status.DRAFT)
    assert {count for counts in stored_counts().values() for count in counts.values()} == {1}

    call_command("rebuild_derived", verbosity=0)

    assert {count for counts in stored_counts().values() for count in counts.values()} == {0}
