"""Responses made from stored renderings: they are those that are made without them, byte by byte."""

import sys
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.utils import timezone
from time_machine import travel

from calendar_site.core.choices import Status
from calendar_site.core.compiled_queries.queries import fetch_by_ids
from calendar_site.media.library import prepare_image, store_image
from events import assembly, linked_record_cache
from events.derived import renderings
from events.derived.renderings import save_missing_renderings
from events.index_models import EventRendering
from events.loading import EventRow, load_tickets
from events.models import Event
from events.services import publish_due_events, save_event, trash_event
from tests.factories import (
    CategoryFactory,
    CustomFieldFactory,
    EventFactory,
    OrganizerFactory,
    TagFactory,
    TicketFactory,
    UserFactory,
    VenueFactory,
)
from tests.support.api_client import API, api_client_for
from tests.support.background_tasks import run_daily_tasks
from tests.support.image_files import plain_image
from venues.models import Venue

pytestmark = pytest.mark.django_db
LIST = f"{API}/events"


@pytest.fixture
def all_kinds(author):
    """Events that differ in everything that a rendering leaves out."""
    image = store_image(prepare_image(plain_image(size=(400, 300)), "a b.png"), user=author)
    CustomFieldFactory(name="level", resource="event")
    CustomFieldFactory(name="seats", resource="venue")
    parent_category = CategoryFactory(name="Ünïcode 音楽", description='"quoted" \\ \u2028')
    categories = [CategoryFactory(name="b"), CategoryFactory(name="A", parent=parent_category)]
    tags = [TagFactory(name="zebra"), TagFactory(name="Éclair"), TagFactory(name="eclair 2")]
    later = timezone.now() + timedelta(days=1)
    venues = [
        VenueFactory(title="Café", image=image, custom_values={"seats": "12"}, geo_lat=44.64, geo_lng=-63.57),
        VenueFactory(title="Draft", status=Status.DRAFT),
        VenueFactory(title="Own draft", status=Status.DRAFT, author=author),
        VenueFactory(title="Soon", status=Status.FUTURE, published_at=later),
        VenueFactory(title="Long", description="x" * 5000),
    ]
    organizers = [OrganizerFactory(image=image), OrganizerFactory(status=Status.PRIVATE)]
    linked = {"venues": venues, "organizers": organizers, "categories": categories, "tags": tags}
    parents = [EventFactory(title="Parent"), EventFactory(title="Hidden parent", status=Status.PRIVATE)]
    events = [
        EventFactory(title="Nothing"),
        EventFactory(
            title="Everything",
            image=image,
            custom_values={"level": "high"},
            parent=parents[0],
            event_status="cancelled",
            event_status_reason="“Storm”",
            attendance_mode="mixed",
            online_url="https://meet.example.org/a?b=1&c",
            hide_online_url=True,
            author=author,
            **linked,
        ),
        EventFactory(title='Odd \x7f "text" 日本 😀', description="<p>\\u0001 http://testserver &amp;</p>", website=""),
        EventFactory(title="One venue", venues=venues[:1], parent=parents[1], cost="12 – 15 €"),
        EventFactory(title="Protected", password="secret", author=author, image=image, **linked),
        EventFactory(title="Draft", status=Status.DRAFT, author=author, venues=venues[1:]),
        EventFactory(title="Scheduled", status=Status.FUTURE, published_at=later, **linked),
        EventFactory(title="Many words", description="word " * 9000, excerpt="e", time_zone="America/Halifax"),
    ]
    TicketFactory(event=events[1], price=12, available_from=later, available_until=later)
    return [*parents, *events]


def without_renderings(read):
    """Return the result of `read` from stored renderings, and the result without them."""
    save_missing_renderings()
    stored = read()
    EventRendering.objects.all().delete()
    return stored, read()


ROLES = ["anonymous", "subscriber", "contributor", "author", "editor"]


@pytest.fixture(params=ROLES)
def reader_api(request, author):
    if request.param == "anonymous":
        return api_client_for(None)
    return api_client_for(author if request.param == "author" else UserFactory(role=request.param))


@pytest.mark.parametrize(
    "query",
    ["", "?per_page=2&page=2", "?status=publish,draft,private,future", "?geoloc=1&geoloc_lat=44.6&geoloc_lng=-63"],
)
def test_list_is_the_same_without_renderings(reader_api, all_kinds, query):
    stored, made = without_renderings(lambda: reader_api.get(f"{LIST}{query}"))

    assert stored.content == made.content
    assert stored.status_code == made.status_code


@pytest.mark.parametrize("number", range(10))
def test_record_is_the_same_without_renderings(reader_api, all_kinds, number):
    stored, made = without_renderings(lambda: reader_api.get(f"{LIST}/{all_kinds[number].pk}?password=secret"))

    assert stored.content == made.content
    assert stored.headers.get("ETag") == made.headers.get("ETag")


@pytest.mark.parametrize(
    ("path", "headers", "public_url"),
    [
        (LIST, {"Host": "127.0.0.1:8000"}, ""),
        (f"/de{LIST}", {}, ""),
        (LIST, {}, "https://calendar.example.org/whats-on"),
        ("/wp-json/tribe/events/v1/events", {}, ""),
    ],
)
def test_urls_are_those_of_the_request(all_kinds, settings, path, headers, public_url):
    settings.PUBLIC_URL = public_url
    stored, made = without_renderings(lambda: Client(headers=headers).get(path))

    assert stored.content == made.content
    assert (public_url or "http://").encode() in stored.content


def test_responses_with_copies_of_linked_records_are_the_same(all_kinds, monkeypatch):
    """Outside of a transaction, where processes keep the copies."""
    save_missing_renderings()
    first = Client().get(LIST).content
    kept = linked_record_cache.LinkedRecords("")
    monkeypatch.setattr(linked_record_cache, "_copies_of", lambda version: kept)
    filled, copied = Client().get(LIST), Client().get(LIST)

    assert kept.records
    assert kept.images
    assert filled.content == copied.content == first


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_copies_of_linked_records_follow_every_change(django_assert_num_queries):
    venue, tag = VenueFactory(title="Old"), TagFactory(name="old")
    event = EventFactory(venues=[venue], tags=[tag], categories=[CategoryFactory()])
    Client().get(LIST)
    # Count, ids of the page, renderings, linked records.
    with django_assert_num_queries(4):
        Client().get(LIST)

    with connection.cursor() as cursor:
        cursor.execute("UPDATE venues_venue SET title = 'New' WHERE id = %s", [venue.pk])
        cursor.execute("UPDATE taxonomy_tag SET name = 'new' WHERE id = %s", [tag.pk])

    (record,) = Client().get(LIST).json()["events"]
    assert (record["venue"]["venue"], record["tags"][0]["name"]) == ("New", "new")
    Venue.objects.filter(pk=venue.pk).delete()
    (record,) = Client().get(LIST).json()["events"]
    assert record["venue"] == []
    assert record["id"] == event.pk


def test_full_copies_are_dropped(monkeypatch):
    EventFactory(venues=[VenueFactory()])
    monkeypatch.setattr(linked_record_cache, "MAX_KEPT_CHARACTERS", 10)
    copies = linked_record_cache.LinkedRecords("")
    copies.load(linked_record_cache.VENUES, Venue.objects.values_list("pk", flat=True))

    assert copies.is_full


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE events_event SET title = 'Other' WHERE id = {event}",
        "UPDATE events_ticket SET sold_out = true WHERE event_id = {event}",
        "DELETE FROM events_ticket WHERE event_id = {event}",
        "UPDATE events_eventvenue SET position = 9 WHERE event_id = {event} AND venue_id = {venue}",
        "DELETE FROM events_eventvenue WHERE event_id = {event}",
        "DELETE FROM events_event_tags WHERE event_id = {event}",
        "INSERT INTO events_event_categories (event_id, category_id) VALUES ({event}, {category})",
    ],
)
def test_rendering_is_deleted_by_changes_in_sql(client, change):
    venues = VenueFactory.create_batch(2)
    event = EventFactory(venues=venues, tags=[TagFactory()])
    TicketFactory(event=event)
    other = EventFactory()
    category = CategoryFactory()
    with connection.cursor() as cursor:
        cursor.execute(change.format(event=event.pk, venue=venues[0].pk, category=category.pk))

    assert list(EventRendering.objects.values_list("pk", flat=True)) == [other.pk]
    stored, made = without_renderings(lambda: client.get(f"{LIST}/{event.pk}"))
    assert stored.content == made.content


def test_events_without_a_rendering_are_rendered_at_night():
    event = EventFactory(tags=[TagFactory()])
    event.tags.clear()
    assert not EventRendering.objects.exists()

    run_daily_tasks()

    assert EventRendering.objects.filter(pk=event.pk).exists()


def test_rendering_of_a_column_that_no_response_has_stays(client):
    event = EventFactory()
    Event.objects.filter(pk=event.pk).update(search_text="other")

    assert EventRendering.objects.filter(pk=event.pk).exists()


def test_services_render_each_event(author):
    event = EventFactory(author=author)
    save_event(event, changes={"title": "New"}, user=author)
    assert '"title":"New"' in EventRendering.objects.get(pk=event.pk).template
    trash_event(event, user=author)
    assert '"trash"' in EventRendering.objects.get(pk=event.pk).head
    due = EventFactory(status=Status.FUTURE, published_at=timezone.now() + timedelta(days=1))
    Event.objects.filter(pk=due.pk).update(published_at=timezone.now() - timedelta(days=1))
    assert not EventRendering.objects.filter(pk=due.pk).exists()
    publish_due_events()
    assert '"publish"' in EventRendering.objects.get(pk=due.pk).head


def test_scheduled_event_is_published_in_time(client):
    event = EventFactory(status=Status.FUTURE, published_at=timezone.now() + timedelta(days=1))

    assert client.get(f"{LIST}/{event.pk}").status_code != 200
    with travel(timezone.now() + timedelta(days=2)):
        assert client.get(f"{LIST}/{event.pk}").json()["status"] == "publish"


def test_event_that_is_deleted_while_it_is_read_is_not_found(client, monkeypatch):
    event = EventFactory(slug="talk")
    monkeypatch.setattr(assembly, "load_renderings", lambda ids: {})

    assert client.get(f"{LIST}/{event.pk}").status_code == 404
    assert client.get("/event/talk/").status_code == 404
    assert client.get(LIST).json()["events"] == []


def test_renderings_of_another_format_are_ignored(client, settings):
    event = EventFactory()
    EventRendering.objects.update(template="not used")
    EventRendering.objects.update(format="0")

    assert client.get(f"{LIST}/{event.pk}").json()["title"] == event.title


def test_format_names_all_code_that_makes_a_rendering():
    event = EventFactory(cost="10", event_status="rescheduled", previous_start=timezone.now(), time_zone="Europe/Rome")
    TicketFactory(event=event, available_from=timezone.now())
    executed = set()

    def note(frame, _event, _argument):
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(django_settings.BASE_DIR) and not path.is_relative_to(Path(sys.prefix)):
            executed.add(path.relative_to(django_settings.BASE_DIR).as_posix())

    row, tickets = fetch_by_ids(Event, EventRow, [event.pk])[0], load_tickets([event.pk])[event.pk]
    sys.setprofile(note)
    try:
        renderings._make_template(row, tickets)
    finally:
        sys.setprofile(None)

    assert executed - set(renderings.SOURCES) - {"tests/events/test_renderings.py"} == set()
    assert len(executed) > 5


def test_format_changes_with_the_code(monkeypatch, tmp_path):
    for name in renderings.SOURCES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes((renderings.ROOT / name).read_bytes())
    before = renderings.current_format()
    monkeypatch.setattr(renderings, "ROOT", tmp_path)
    renderings._code_version.cache_clear()
    same = renderings.current_format()
    (tmp_path / renderings.SOURCES[-1]).write_text("changed")
    renderings._code_version.cache_clear()
    changed = renderings.current_format()
    renderings._code_version.cache_clear()

    assert (before == same, before == changed) == (True, False)


def test_check_finds_other_renderings(capsys):
    event = EventFactory(venues=[VenueFactory()])
    call_command("rebuild_derived", "--check")
    assert "renderings of events: 0 differences" in capsys.readouterr().out
    EventRendering.objects.filter(pk=event.pk).update(template="{}")
    with pytest.raises(Exception, match="Derived data differs"):
        call_command("rebuild_derived", "--check")
    assert "renderings of events: 1 differences" in capsys.readouterr().out
    call_command("rebuild_derived")
    call_command("rebuild_derived", "--check")


def test_long_events_are_read_in_parts(client, monkeypatch):
    for number in range(4):
        EventFactory(title=f"Long {number}", description="word " * 5000, venues=[VenueFactory()])
    EventFactory(title="Short")
    stored, made = without_renderings(lambda: client.get(LIST))
    monkeypatch.setattr(assembly, "CHUNK_LENGTH", 60_000)
    monkeypatch.setattr(renderings, "MADE_AT_ONCE", 2)
    in_parts, made_in_parts = without_renderings(lambda: client.get(LIST))

    assert stored.content == made.content == in_parts.content == made_in_parts.content
    assert len(in_parts.json()["events"]) == 5
