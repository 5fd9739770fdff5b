"""S20, races: elsewhere, a double submit created two records, two records got the same slug, and updates were lost.

Twenty parallel writes with the same slug, the same Idempotency-Key or the same If-Match, and concurrent writes of all
other kinds: none is lost, duplicated or rejected without a reason, on every database.
"""

from collections import Counter
from datetime import timedelta

import pytest
from django.db import connection, connections, transaction
from django.db.models.signals import post_save
from django.utils import timezone

from calendar_site.core.database.write_lock import WriteQueue, write_lock
from calendar_site.media.models import Image
from events.models import Event
from organizers.models import Organizer
from taxonomy.models import Category, Tag
from tests.factories import CategoryFactory, EventFactory, TagFactory, VenueFactory
from tests.support.api_client import API, invalid_params
from tests.support.api_writes import created_record, error_of, event_data, updated_record
from tests.support.concurrency import call_at_once
from tests.support.image_files import plain_image
from tests.support.remote_server import http_response
from venues.models import Venue

# Threads see only what is committed; the roles that the migrations made are put back for the next test.
pytestmark = pytest.mark.django_db(transaction=True, serialized_rollback=True)

WRITERS = 6
# As many as the security record asks for.
MANY_WRITERS = 20
KEY = {"Idempotency-Key": "4c1f"}
IMAGE_URL = "http://images.example/a.png"


@pytest.fixture(autouse=True)
def place_for_all_writers(monkeypatch):
    """Let all writers wait for the write lock, as in several processes. Otherwise, a slow machine refuses some: 503."""
    monkeypatch.setattr("calendar_site.core.database.write_lock.write_queue", WriteQueue(max_waiting=MANY_WRITERS))


def test_events_of_the_same_title_get_slugs_of_their_own(editor_api):
    responses = call_at_once(*[lambda: editor_api.post(f"{API}/events", event_data())] * WRITERS)

    slugs = sorted(created_record(answer)["slug"] for answer in responses)
    assert slugs == sorted(["open-air", *(f"open-air-{number}" for number in range(2, WRITERS + 1))])
    assert Event.objects.count() == WRITERS


def test_events_with_the_same_requested_slug_get_slugs_of_their_own(editor_api):
    responses = call_at_once(*[lambda: editor_api.post(f"{API}/events", event_data(slug="same"))] * MANY_WRITERS)

    slugs = {created_record(answer)["slug"] for answer in responses}
    assert slugs == {"same", *(f"same-{number}" for number in range(2, MANY_WRITERS + 1))}


def test_event_with_the_same_idempotency_key_is_created_once(editor_api):
    def create():
        return editor_api.post(f"{API}/events", event_data(venue={"venue": "Hall"}), headers=KEY)

    responses = call_at_once(*[create] * MANY_WRITERS)

    statuses = Counter(answer.status_code for answer in responses)
    assert set(statuses) <= {201, 409}
    assert statuses[201] >= 1
    assert [answer["Retry-After"] for answer in responses if answer.status_code == 409] == ["2"] * statuses[409]
    assert (Event.objects.count(), Venue.objects.count()) == (1, 1)
    # All clients get the same record in the end.
    responses = [create() if answer.status_code == 409 else answer for answer in responses]
    assert {answer.content for answer in responses} == {responses[0].content}
    assert created_record(responses[0])["id"] == Event.objects.get().pk


def test_event_with_the_same_etag_is_changed_once(editor_api):
    path = f"{API}/events/{EventFactory().pk}"
    etag = editor_api.get(path)["ETag"]

    def change(title):
        return editor_api.patch(path, {"title": title}, headers={"If-Match": etag})

    responses = call_at_once(*(lambda title=f"Title {number}": change(title) for number in range(MANY_WRITERS)))

    assert Counter(answer.status_code for answer in responses) == {200: 1, 412: MANY_WRITERS - 1}
    (winner,) = [answer for answer in responses if answer.status_code == 200]
    assert editor_api.get(path).json()["title"] == winner.json()["title"]
    assert {answer["ETag"] for answer in responses} == {winner["ETag"]}


def test_event_that_is_deleted_with_the_same_etag_is_deleted_once(editor_api):
    path = f"{API}/events/{EventFactory().pk}"
    etag = editor_api.get(path)["ETag"]

    responses = call_at_once(*[lambda: editor_api.delete(path, headers={"If-Match": etag})] * WRITERS)

    # Whoever reads the event while it is being deleted sees another version of it.
    counts = Counter(answer.status_code for answer in responses)
    assert (counts[200], counts[410] + counts[412]) == (1, WRITERS - 1)


def test_events_that_are_changed_at_once_get_slugs_of_their_own(editor_api):
    events = EventFactory.create_batch(WRITERS)

    calls = [lambda pk=event.pk: editor_api.post(f"{API}/events/{pk}", {"slug": "same"}) for event in events]
    responses = call_at_once(*calls)

    assert len({updated_record(answer)["slug"] for answer in responses}) == WRITERS


@pytest.mark.parametrize(
    ("collection", "name", "model"), [("venues", "venue", Venue), ("organizers", "organizer", Organizer)]
)
def test_venues_and_organizers_of_the_same_name_are_one(editor_api, collection, name, model):
    responses = call_at_once(*[lambda: editor_api.post(f"{API}/{collection}", {name: "Same"})] * WRITERS)

    assert {created_record(answer)["id"] for answer in responses} == {model.objects.get().pk}


@pytest.mark.parametrize(("collection", "model"), [("categories", Category), ("tags", Tag)])
def test_terms_of_the_same_name_are_made_once(editor_api, collection, model):
    responses = call_at_once(*[lambda: editor_api.post(f"{API}/{collection}", {"name": "Same"})] * WRITERS)

    assert Counter(answer.status_code for answer in responses) == {201: 1, 400: WRITERS - 1}
    assert {answer.json()["code"] for answer in responses if answer.status_code == 400} == {"term_exists"}
    assert model.objects.count() == 1


def test_records_made_along_with_events_are_made_once(editor_api):
    body = event_data(venue={"venue": "Hall"}, organizer=[{"organizer": "Band"}], categories=["Music"], tags=["Jazz"])

    responses = call_at_once(*[lambda: editor_api.post(f"{API}/events", body)] * WRITERS)

    assert len({created_record(answer)["id"] for answer in responses}) == WRITERS
    assert [model.objects.count() for model in (Venue, Organizer, Category, Tag)] == [1, 1, 1, 1]
    assert (Category.objects.get().event_count, Tag.objects.get().event_count) == (WRITERS, WRITERS)


def test_records_made_in_different_orders_are_made_once(editor_api):
    names = ["One", "Two", "Three"]
    orders = [[*names[start:], *names[:start]] for start in range(3)] * 2

    responses = call_at_once(
        *(
            lambda order=order: editor_api.post(
                f"{API}/events",
                event_data(
                    categories=order,
                    tags=order,
                    venue=[{"venue": name} for name in order],
                    organizer=[{"organizer": name} for name in order],
                ),
            )
            for order in orders
        )
    )

    assert [answer.status_code for answer in responses] == [201] * WRITERS
    assert [model.objects.count() for model in (Venue, Organizer, Category, Tag)] == [3, 3, 3, 3]
    assert set(Tag.objects.values_list("event_count", flat=True)) == {WRITERS}
    assert set(Category.objects.values_list("event_count", flat=True)) == {WRITERS}


def test_event_whose_publication_date_has_come_is_counted_once(editor_api):
    tags = TagFactory.create_batch(2)
    due = EventFactory(tags=tags, status="future", published_at=timezone.now() + timedelta(days=1))
    Event.objects.filter(pk=due.pk).update(published_at=timezone.now() - timedelta(days=1))
    orders = [[tag.pk for tag in tags], [tag.pk for tag in reversed(tags)]] * 3

    responses = call_at_once(
        *(lambda order=order: editor_api.post(f"{API}/events", event_data(tags=order)) for order in orders)
    )

    assert [answer.status_code for answer in responses] == [201] * WRITERS
    assert set(Tag.objects.values_list("event_count", flat=True)) == {WRITERS + 1}
    due.refresh_from_db()
    assert due.status == "publish"


def test_slugs_that_run_into_each_other_stay_unique(editor_api):
    responses = call_at_once(
        *[lambda: editor_api.post(f"{API}/events", event_data(slug="same"))] * 4,
        *[lambda: editor_api.post(f"{API}/events", event_data(slug="same-2"))] * 4,
    )

    assert len({created_record(answer)["slug"] for answer in responses}) == 8


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time.")
def test_create_waits_only_for_the_same_slug(editor_api, settings):
    settings.WRITE_WAIT_SECONDS = 1

    with write_lock(parallel=True):
        EventFactory(title="Open air")
        responses = call_at_once(
            lambda: editor_api.post(f"{API}/events", event_data(title="Open air")),
            lambda: editor_api.post(f"{API}/events", event_data(title="Reading")),
        )

    assert [answer.status_code for answer in responses] == [503, 201]


def test_counts_of_terms_are_exact_after_writes_of_every_kind(editor_api):
    tag, category = TagFactory(), CategoryFactory()
    published = EventFactory.create_batch(4, tags=[tag], categories=[category])
    draft = EventFactory(tags=[tag], categories=[category], status="draft")
    paths = [f"{API}/events/{event.pk}" for event in published]

    responses = call_at_once(
        lambda: editor_api.post(f"{API}/events", event_data(tags=[tag.pk])),
        lambda: editor_api.post(f"{API}/events", event_data(tags=[tag.pk], categories=[category.pk])),
        lambda: editor_api.delete(paths[0]),
        lambda: editor_api.post(paths[1], {"status": "draft"}),
        lambda: editor_api.post(paths[2], {"tags": []}),
        lambda: editor_api.post(f"{API}/events/{draft.pk}", {"status": "publish"}),
    )

    assert [answer.status_code for answer in responses] == [201, 201, 200, 200, 200, 200]
    events = Event.objects.published()
    tag.refresh_from_db()
    category.refresh_from_db()
    assert (tag.event_count, category.event_count) == (4, 4)
    assert (events.filter(tags=tag).count(), events.filter(categories=category).count()) == (4, 4)


def test_changes_of_one_event_are_all_kept(editor_api):
    event = EventFactory()
    value = {"title": "New", "cost": "$5", "featured": True, "excerpt": "<p>x</p>", "sticky": True, "show_map": True}

    responses = call_at_once(
        *(lambda name=name: editor_api.post(f"{API}/events/{event.pk}", {name: value[name]}) for name in value)
    )

    assert [answer.status_code for answer in responses] == [200] * len(value)
    after = editor_api.get(f"{API}/events/{event.pk}").json()
    assert {name: after[name] for name in value} == value


def test_event_is_deleted_once(editor_api):
    event = EventFactory()

    responses = call_at_once(*[lambda: editor_api.delete(f"{API}/events/{event.pk}")] * WRITERS)

    assert Counter(answer.status_code for answer in responses) == {200: 1, 410: WRITERS - 1}


def test_categories_that_are_moved_below_each_other_make_no_circle(editor_api):
    first, second, third = CategoryFactory.create_batch(3)
    ring = [(first, second), (second, third), (third, first)]

    responses = call_at_once(
        *(
            lambda one=one, other=other: editor_api.post(f"{API}/categories/{one.pk}", {"parent": other.pk})
            for one, other in ring
        )
    )

    assert Counter(answer.status_code for answer in responses) == {200: 2, 400: 1}


def image_after(change):
    """An image at another site, which is sent once something has changed here."""

    def send(client):
        try:
            change()
        finally:
            connections.close_all()
        client.sendall(http_response(plain_image()))

    return send


def test_change_while_an_image_is_fetched_is_kept(editor_api, serve_remotely):
    event = EventFactory()
    path = f"{API}/events/{event.pk}"
    serve_remotely(image_after(lambda: updated_record(editor_api.post(path, {"cost": "$5"}))))

    after = updated_record(editor_api.post(path, {"title": "New", "image": IMAGE_URL}))

    assert (after["title"], after["cost"], after["image"]["width"]) == ("New", "$5", 40)


def test_event_that_is_deleted_while_its_image_is_fetched_is_unknown(editor_api, serve_remotely):
    event = EventFactory()
    serve_remotely(image_after(event.delete))

    refused = editor_api.post(f"{API}/events/{event.pk}", {"title": "New", "image": IMAGE_URL})

    assert error_of(refused) == (404, "rest-event-not-found")
    assert not Image.objects.exists()


def test_event_whose_tag_is_deleted_while_its_image_is_fetched_gets_a_new_one(editor_api, serve_remotely):
    tag = TagFactory()
    serve_remotely(image_after(tag.delete))

    record = created_record(editor_api.post(f"{API}/events", event_data(tags=[tag.name], image=IMAGE_URL)))

    assert [term["name"] for term in record["tags"]] == [tag.name]
    assert record["tags"][0]["id"] != tag.pk


def test_event_whose_venue_is_trashed_while_its_image_is_fetched_is_refused(editor_api, serve_remotely):
    venue = VenueFactory()
    serve_remotely(image_after(lambda: updated_record(editor_api.delete(f"{API}/venues/{venue.pk}"))))

    refused = editor_api.post(f"{API}/events", event_data(venue=venue.pk, image=IMAGE_URL))

    assert invalid_params(refused) == {"venue": f"Venues not found: {venue.pk}."}
    assert not Event.objects.exists()


def test_dates_are_read_in_the_time_zone_that_the_event_has_by_then(editor_api, serve_remotely):
    event = EventFactory(time_zone="Europe/Rome")
    path = f"{API}/events/{event.pk}"
    serve_remotely(image_after(lambda: updated_record(editor_api.post(path, {"timezone": "America/New_York"}))))

    after = updated_record(editor_api.post(path, {"start_date": "2020-05-04 10:00:00", "image": IMAGE_URL}))

    assert (after["start_date"], after["utc_start_date"]) == ("2020-05-04 10:00:00", "2020-05-04 14:00:00")


def test_conflicting_write_is_to_be_sent_again(editor_api, caplog):
    tag = TagFactory()

    def delete_tag(**kwargs):
        Tag.objects.filter(pk=tag.pk).delete()

    post_save.connect(delete_tag, sender=Event)
    try:
        refused = editor_api.post(f"{API}/events", event_data(tags=[tag.pk]))
    finally:
        post_save.disconnect(delete_tag, sender=Event)

    assert error_of(refused) == (503, "rest_busy")
    assert refused.headers["Retry-After"] == "2"
    assert not Event.objects.exists()
    assert "A write of events conflicted with another one: IntegrityError" in caplog.messages


@pytest.mark.parametrize(
    ("body", "error"),
    [({}, "rest_missing_callback_param"), (event_data(venue=7), "rest_invalid_param")],
    ids=["missing", "unknown"],
)
def test_invalid_create_does_not_wait_for_another_writer(editor_api, body, error):
    with write_lock():
        (answer,) = call_at_once(lambda: editor_api.post(f"{API}/events", body))

    assert error_of(answer) == (400, error)


def test_invalid_update_or_delete_does_not_wait_for_another_writer(editor_api):
    event = EventFactory()

    with write_lock():
        responses = call_at_once(
            lambda: editor_api.post(f"{API}/events/{event.pk}", {"venue": 7}),
            lambda: editor_api.delete(f"{API}/events/{event.pk + 1}"),
        )

    assert [error_of(answer) for answer in responses] == [(400, "rest_invalid_param"), (404, "rest-event-not-found")]


def test_reads_do_not_wait_for_writers(editor_api):
    event = EventFactory()

    responses = call_at_once(
        *[lambda: editor_api.post(f"{API}/events", event_data())] * 3,
        *[lambda: editor_api.get(f"{API}/events/{event.pk}")] * 3,
    )

    assert [answer.status_code for answer in responses] == [201] * 3 + [200] * 3


def test_record_that_is_deleted_before_it_is_answered_is_unknown(editor_api):
    def delete(instance, **kwargs):
        transaction.on_commit(Tag.objects.filter(pk=instance.pk).delete)

    post_save.connect(delete, sender=Tag)
    try:
        answer = editor_api.post(f"{API}/tags", {"name": "Gone"})
    finally:
        post_save.disconnect(delete, sender=Tag)

    assert error_of(answer) == (404, "tag-not-found")
