"""Many writers at once: nothing is lost, doubled or refused, on every database."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connections, transaction
from django.db.models.signals import post_save

from calendar_site.accounts.services import create_user
from events.models import Event
from organizers.models import Organizer
from taxonomy.models import Category, Tag
from tests.api import API, client_of
from tests.factories import CategoryFactory, EventFactory, TagFactory
from tests.writing import an_event, created, refusal, updated
from venues.models import Venue

# Threads see only what is committed; the roles that the migrations made are put back for the next test.
pytestmark = pytest.mark.django_db(transaction=True, serialized_rollback=True)

WRITERS = 6


@pytest.fixture
def as_editor():
    return client_of(create_user("editor", "editor"))


def at_once(*calls):
    """The results of the calls, which all begin at the same moment, each in a thread and a connection of its own."""
    barrier = Barrier(len(calls), timeout=30)

    def run(call):
        barrier.wait()
        try:
            return call()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as threads:
        return [done.result(timeout=60) for done in [threads.submit(run, call) for call in calls]]


def test_events_of_the_same_title_get_slugs_of_their_own(as_editor):
    answers = at_once(*[lambda: as_editor.post(f"{API}/events", an_event())] * WRITERS)

    slugs = sorted(created(answer)["slug"] for answer in answers)
    assert slugs == sorted(["open-air", *(f"open-air-{number}" for number in range(2, WRITERS + 1))])
    assert Event.objects.count() == WRITERS


def test_events_that_are_changed_at_once_get_slugs_of_their_own(as_editor):
    events = EventFactory.create_batch(WRITERS)

    calls = [lambda pk=event.pk: as_editor.post(f"{API}/events/{pk}", {"slug": "same"}) for event in events]
    answers = at_once(*calls)

    assert len({updated(answer)["slug"] for answer in answers}) == WRITERS


@pytest.mark.parametrize(
    ("collection", "name", "model"), [("venues", "venue", Venue), ("organizers", "organizer", Organizer)]
)
def test_venues_and_organizers_of_the_same_name_are_one(as_editor, collection, name, model):
    answers = at_once(*[lambda: as_editor.post(f"{API}/{collection}", {name: "Same"})] * WRITERS)

    assert {created(answer)["id"] for answer in answers} == {model.objects.get().pk}


@pytest.mark.parametrize(("collection", "model"), [("categories", Category), ("tags", Tag)])
def test_terms_of_the_same_name_are_made_once(as_editor, collection, model):
    answers = at_once(*[lambda: as_editor.post(f"{API}/{collection}", {"name": "Same"})] * WRITERS)

    assert Counter(answer.status_code for answer in answers) == {201: 1, 400: WRITERS - 1}
    assert {answer.json()["code"] for answer in answers if answer.status_code == 400} == {"term_exists"}
    assert model.objects.count() == 1


def test_records_made_along_with_events_are_made_once(as_editor):
    body = an_event(venue={"venue": "Hall"}, organizer=[{"organizer": "Band"}], categories=["Music"], tags=["Jazz"])

    answers = at_once(*[lambda: as_editor.post(f"{API}/events", body)] * WRITERS)

    assert len({created(answer)["id"] for answer in answers}) == WRITERS
    assert [model.objects.count() for model in (Venue, Organizer, Category, Tag)] == [1, 1, 1, 1]
    assert (Category.objects.get().event_count, Tag.objects.get().event_count) == (WRITERS, WRITERS)


def test_counts_of_terms_are_exact_after_writes_of_every_kind(as_editor):
    tag, category = TagFactory(), CategoryFactory()
    published = EventFactory.create_batch(4, tags=[tag], categories=[category])
    draft = EventFactory(tags=[tag], categories=[category], status="draft")
    paths = [f"{API}/events/{event.pk}" for event in published]

    answers = at_once(
        lambda: as_editor.post(f"{API}/events", an_event(tags=[tag.pk])),
        lambda: as_editor.post(f"{API}/events", an_event(tags=[tag.pk], categories=[category.pk])),
        lambda: as_editor.delete(paths[0]),
        lambda: as_editor.post(paths[1], {"status": "draft"}),
        lambda: as_editor.post(paths[2], {"tags": []}),
        lambda: as_editor.post(f"{API}/events/{draft.pk}", {"status": "publish"}),
    )

    assert [answer.status_code for answer in answers] == [201, 201, 200, 200, 200, 200]
    events = Event.objects.published()
    tag.refresh_from_db()
    category.refresh_from_db()
    assert (tag.event_count, category.event_count) == (4, 4)
    assert (events.filter(tags=tag).count(), events.filter(categories=category).count()) == (4, 4)


def test_changes_of_one_event_are_all_kept(as_editor):
    event = EventFactory()
    given = {"title": "New", "cost": "$5", "featured": True, "excerpt": "<p>x</p>", "sticky": True, "show_map": True}

    answers = at_once(
        *(lambda name=name: as_editor.post(f"{API}/events/{event.pk}", {name: given[name]}) for name in given)
    )

    assert [answer.status_code for answer in answers] == [200] * len(given)
    after = as_editor.get(f"{API}/events/{event.pk}").json()
    assert {name: after[name] for name in given} == given


def test_event_is_deleted_once(as_editor):
    event = EventFactory()

    answers = at_once(*[lambda: as_editor.delete(f"{API}/events/{event.pk}")] * WRITERS)

    assert Counter(answer.status_code for answer in answers) == {200: 1, 410: WRITERS - 1}


def test_categories_that_are_moved_below_each_other_make_no_circle(as_editor):
    first, second, third = CategoryFactory.create_batch(3)
    ring = [(first, second), (second, third), (third, first)]

    answers = at_once(
        *(
            lambda one=one, other=other: as_editor.post(f"{API}/categories/{one.pk}", {"parent": other.pk})
            for one, other in ring
        )
    )

    assert Counter(answer.status_code for answer in answers) == {200: 2, 400: 1}


def test_reads_do_not_wait_for_writers(as_editor):
    event = EventFactory()

    answers = at_once(
        *[lambda: as_editor.post(f"{API}/events", an_event())] * 3,
        *[lambda: as_editor.get(f"{API}/events/{event.pk}")] * 3,
    )

    assert [answer.status_code for answer in answers] == [201] * 3 + [200] * 3


def test_record_that_is_deleted_before_it_is_answered_is_unknown(as_editor):
    def delete(instance, **kwargs):
        transaction.on_commit(Tag.objects.filter(pk=instance.pk).delete)

    post_save.connect(delete, sender=Tag)
    try:
        answer = as_editor.post(f"{API}/tags", {"name": "Gone"})
    finally:
        post_save.disconnect(delete, sender=Tag)

    assert refusal(answer) == (404, "tag-not-found")
