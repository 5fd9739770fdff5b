"""Lists of the events of a venue, organizer, category or tag, after every kind of write to what they are found by."""

import pytest
from django.db import connection

from events.models import Event
from taxonomy.models import Category
from tests.factories import CategoryFactory, EventFactory, OrganizerFactory, TagFactory, VenueFactory
from tests.support.api_client import API

COLUMNS = {"venue": "venues", "organizer": "organizers", "tags": "tags", "categories": "categories"}


@pytest.fixture
def event_with_all_links(db):
    """Return the record of each parameter, and an event with all of them, beside one without links."""
    records = {
        "venue": VenueFactory(),
        "organizer": OrganizerFactory(),
        "tags": TagFactory(),
        "categories": CategoryFactory(),
    }
    event = EventFactory(**{COLUMNS[name]: [record] for name, record in records.items()})
    EventFactory()
    return records, event


def listed(client, **parameters):
    answer = client.get(f"{API}/events", parameters).json()
    ids = [event["id"] for event in answer["events"]]
    assert answer["total"] == len(ids)
    return ids


@pytest.mark.parametrize("name", COLUMNS)
def test_lists_follow_raw_sql(client, event_with_all_links, name):
    records, event = event_with_all_links
    assert listed(client, **{name: records[name].pk}) == [event.pk]

    with connection.cursor() as cursor:
        cursor.execute("UPDATE events_event SET hide_from_listings = %s WHERE id = %s", [True, event.pk])
    assert listed(client, **{name: records[name].pk}) == []

    Event.objects.update(hide_from_listings=False, status="draft")
    assert listed(client, **{name: records[name].pk}) == []

    Event.objects.update(status="publish", password="secret")
    assert listed(client, **{name: records[name].pk}) == []

    Event.objects.update(password="")
    assert listed(client, **{name: records[name].pk}) == [event.pk]

    getattr(event, COLUMNS[name]).clear()
    assert listed(client, **{name: records[name].pk}) == []


def test_several_records_list_an_event_once(client, db):
    tags, other = [TagFactory(), TagFactory()], TagFactory()
    both, second = EventFactory(tags=tags), EventFactory(tags=tags[1:])
    EventFactory(tags=[other])

    assert listed(client, tags=f"{tags[0].pk},{tags[1].pk}") == [both.pk, second.pk]
    assert listed(client, tags=f"{tags[1].pk},{tags[0].pk}", per_page=50) == [both.pk, second.pk]


def test_combined_parameters_list_events_with_all_of_them(client, event_with_all_links):
    records, event = event_with_all_links
    EventFactory(venues=[records["venue"]])
    EventFactory(categories=[records["categories"]], featured=True)

    ids = {name: record.pk for name, record in records.items()}
    assert listed(client, **ids) == [event.pk]
    assert listed(client, **ids, featured="false", ticketed="false") == [event.pk]
    assert listed(client, **ids, featured="true") == []
    assert listed(client, **ids, ticketed="true") == []


def test_lists_of_a_record_contain_its_long_events_that_still_run(client, event_with_all_links):
    records, event = event_with_all_links
    long = EventFactory(start="-30 days", end="+30 days", **{COLUMNS[name]: [row] for name, row in records.items()})
    EventFactory(start="-30 days", end="-20 days", venues=[records["venue"]])

    assert listed(client, venue=records["venue"].pk, ends_after="now") == [long.pk, event.pk]
    assert listed(client, tags=records["tags"].pk, ends_after="now") == [long.pk, event.pk]


def test_authors_find_their_drafts_by_links_and_strangers_do_not(client, author_api, author, contributor_api):
    venue = VenueFactory()
    draft = EventFactory(venues=[venue], status="draft", author=author)

    assert listed(author_api, venue=venue.pk) == [draft.pk]
    assert listed(contributor_api, venue=venue.pk) == []
    assert listed(client, venue=venue.pk) == []


def test_categories_list_the_events_of_their_subcategories_wherever_they_are_moved(client, db):
    top, other = CategoryFactory(), CategoryFactory()
    middle = CategoryFactory(parent=top)
    bottom = CategoryFactory(parent=middle)
    event = EventFactory(categories=[bottom])
    in_both = EventFactory(categories=[bottom, top])
    assert listed(client, categories=top.pk) == [event.pk, in_both.pk]

    Category.objects.filter(pk=middle.pk).update(parent=other)
    assert listed(client, categories=top.pk) == [in_both.pk]
    assert listed(client, categories=other.pk) == [event.pk, in_both.pk]

    # All at once: PostgreSQL calls the triggers after the last row.
    Category.objects.filter(pk__in=[middle.pk, bottom.pk]).update(parent=top)
    assert listed(client, categories=top.pk) == [event.pk, in_both.pk]
    assert listed(client, categories=middle.pk) == []
    assert listed(client, categories=other.pk) == []

    event.categories.clear()
    assert listed(client, categories=top.pk) == [in_both.pk]
