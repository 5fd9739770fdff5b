"""The number of published events of each term, exact after every kind of write."""

import json
import random
from datetime import UTC, datetime, timedelta

import pytest
from django.core.management import call_command

from events.models import Event
from taxonomy.models import Category, Tag
from tests.factories import CategoryFactory, EventFactory, TagFactory
from tests.support.api_client import API
from tests.support.api_writes import created_record, event_data, updated_record
from tests.support.records import rolled_back

EVENTS = f"{API}/events"
NOW = datetime(2030, 1, 15, 12, tzinfo=UTC)

pytestmark = [pytest.mark.django_db, pytest.mark.time_machine(NOW, tick=False)]


def counts(client):
    """What the API says of every term."""
    return {
        (collection, term["id"]): term["count"]
        for collection in ("categories", "tags")
        for term in client.get(f"{API}/{collection}?hide_empty=false&per_page=100").json()[collection]
    }


def counted():
    """What is there."""
    published = Event.objects.published()
    found = {("categories", term.pk): published.filter(categories=term).count() for term in Category.objects.all()}
    return found | {("tags", term.pk): published.filter(tags=term).count() for term in Tag.objects.all()}


@pytest.fixture
def linked_terms(db):
    return {"categories": CategoryFactory.create_batch(2), "tags": TagFactory.create_batch(2)}


# Name -> method, address and body; names in braces are ids.
CREATES = {
    "create": {},
    "create a draft": {"status": "draft"},
    "create ahead of time": {"date": "2030-02-01"},
    "create in the trash": {"status": "trash"},
    "create with new terms": {"tags": ["New"], "categories": "Newer,Newest"},
    "be refused": {"tags": ["New", "{tag}"], "status": "unheard-of"},
}
UPDATES = {
    "change nothing": {},
    "other terms": {"tags": ["{other_tag}"], "categories": []},
    "no terms": {"tags": "", "categories": None},
    "same terms": {"tags": ["{tag}", "{tag}"], "categories": "{category}"},
    **{f"make it {status}": {"status": status} for status in ("publish", "draft", "pending", "private", "trash")},
    "publish later": {"status": "publish", "date": "2030-02-01"},
    "publish earlier": {"status": "publish", "date": "2029-02-01"},
}
WRITES = {
    **{name: ("POST", "events", event_data(**{"tags": ["{tag}"], **fields})) for name, fields in CREATES.items()},
    **{name: ("POST", "events/{event}", fields) for name, fields in UPDATES.items()},
    "delete": ("DELETE", "events/{event}", {}),
    "rename a term": ("POST", "tags/{tag}", {"name": "New", "count": 9}),
    "delete a category": ("DELETE", "categories/{category}", {}),
    "delete a tag": ("DELETE", "tags/{tag}", {}),
}


def perform_write(client, name, event, terms):
    (category, _other), (tag, other_tag) = terms["categories"], terms["tags"]
    ids = {"event": event.pk, "category": category.pk, "tag": tag.pk, "other_tag": other_tag.pk}
    method, path, body = WRITES[name]
    for key, pk in ids.items():
        path, body = path.replace(f"{{{key}}}", str(pk)), json.loads(json.dumps(body).replace(f"{{{key}}}", str(pk)))
    response = client.generic(method, f"{API}/{path}", json.dumps(body))
    assert response.status_code in ((400,) if name == "be refused" else (200, 201, 410))


@pytest.mark.parametrize("status", ["publish", "draft", "future", "due", "trash"])
def test_counts_are_exact_after_every_write(editor_api, linked_terms, status, time_machine):
    fields = {"status": "publish" if status in ("future", "due") else status}
    if status in ("future", "due"):
        fields["published_at"] = NOW + timedelta(hours=1)
    event = EventFactory(**{kind: rows[:1] for kind, rows in linked_terms.items()}, **fields)
    EventFactory(**linked_terms)
    if status == "due":
        # Its date comes, and nobody has written anything since.
        time_machine.move_to(NOW + timedelta(hours=2), tick=False)
    assert counts(editor_api)[("tags", linked_terms["tags"][0].pk)] == (2 if status in ("publish", "due") else 1)

    for name in WRITES:
        with rolled_back():
            perform_write(editor_api, name, event, linked_terms)

            assert counts(editor_api) == counted(), name


@pytest.mark.parametrize("status", ["publish", "draft", "future"])
def test_counts_are_exact_after_an_event_is_sent_back(editor_api, linked_terms, status):
    event = EventFactory(**linked_terms, status=status, published_at=NOW + timedelta(days=status == "future"))

    updated_record(editor_api.put(f"{EVENTS}/{event.pk}", editor_api.get(f"{EVENTS}/{event.pk}").json()))

    assert counts(editor_api) == counted()


def test_terms_of_an_answer_have_their_counts(editor_api, linked_terms):
    kinds = {kind: [row.pk for row in rows] for kind, rows in linked_terms.items()}

    first = created_record(editor_api.post(EVENTS, event_data(**kinds)))
    second = created_record(editor_api.post(EVENTS, event_data(**kinds)))
    draft = updated_record(editor_api.post(f"{EVENTS}/{first['id']}", {"status": "draft"}))

    responses = [
        [term["count"] for kind in ("categories", "tags") for term in event[kind]] for event in (first, second, draft)
    ]
    assert responses == [[1] * 4, [2] * 4, [1] * 4]


def test_scheduled_event_counts_from_its_moment_on(editor_api, linked_terms, time_machine):
    event = created_record(
        editor_api.post(EVENTS, event_data(tags=[linked_terms["tags"][0].pk], date="2030-01-15 13:00"))
    )
    term = f"{API}/tags/{linked_terms['tags'][0].pk}"
    ahead = editor_api.get(term).json()["count"]

    time_machine.move_to(datetime(2030, 1, 15, 13, tzinfo=UTC), tick=False)
    due = editor_api.get(term).json()["count"], editor_api.get(f"{EVENTS}/{event['id']}").json()["tags"][0]["count"]
    created_record(editor_api.post(EVENTS, event_data()))
    after_a_write = editor_api.get(term).json()["count"]

    assert (ahead, due, after_a_write) == (0, (1, 1), 1)


def test_emptied_trash_leaves_the_counts_exact(editor_api, linked_terms, time_machine):
    events = EventFactory.create_batch(2, **linked_terms)
    updated_record(editor_api.delete(f"{EVENTS}/{events[0].pk}"))
    time_machine.move_to(NOW + timedelta(days=60), tick=False)

    call_command("empty_trash", days=30)

    assert Event.objects.count() == 1
    assert counts(editor_api) == counted()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_counts_are_exact_after_many_writes(editor_api, linked_terms, time_machine, seed):
    chance = random.Random(seed)
    events = EventFactory.create_batch(2, **linked_terms)

    for step in range(25):
        time_machine.move_to(NOW + timedelta(days=10 * step), tick=False)
        name = chance.choice([name for name in WRITES if not name.startswith("delete a")])
        perform_write(editor_api, name, chance.choice(events), linked_terms)

        assert counts(editor_api) == counted(), name
