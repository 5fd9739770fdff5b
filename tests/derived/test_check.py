"""`rebuild_derived --check` reports damage to each kind of derived data, and `rebuild_derived` repairs it."""

from __future__ import annotations

import pytest
from django.core.management import CommandError
from django.db import connection

from calendar_site.derived.registry import registered
from tests.factories import CategoryFactory, EventFactory, OrganizerFactory, TagFactory, TicketFactory, VenueFactory

pytestmark = pytest.mark.django_db

# The name of the data, SQL that damages it and nothing else, and how many differences the check counts. A row with
# another value counts twice: as missing and as superfluous.
DAMAGES = [
    ("content version", "DELETE FROM derived_contentversion WHERE slot = 3", 1),
    ("linked records version", "DELETE FROM events_linkedrecordsversion", 1),
    ("renderings of events", "UPDATE events_eventrendering SET template = '{}'", 2),
    ("indexed links", "UPDATE events_indexedvenue SET hide_from_listings = NOT hide_from_listings", 2),
    ("indexed links", "UPDATE events_indexedorganizer SET author_id = 0", 2),
    ("indexed links", "DELETE FROM events_indexedcategory", 4),
    ("indexed links", "UPDATE events_indexedtag SET is_protected = true WHERE NOT is_protected", 2),
    ("events with tickets", "DELETE FROM events_indexedticketed", 1),
    ("events without venues or with several", "DELETE FROM events_indexedvenuecount", 1),
    ("activity of venues and organizers", "DELETE FROM events_venueactivity", 1),
    ("activity of venues and organizers", "UPDATE events_organizeractivity SET last_end = '2020-01-01 00:00:00+00'", 2),
    ("activity of venues and organizers", "UPDATE events_venueactivity SET status = 'draft'", 2),
    ("event tally", "UPDATE events_eventtally SET count = count + 1", 2),
    ("tallies of categories and tags", "UPDATE events_categorytally SET count = count + 1", 4),
    ("tallies of categories and tags", "DELETE FROM events_tagtally", 1),
    ("search index of events", "INSERT INTO events_event_search (events_event_search) VALUES ('delete-all')", 1),
    ("search index of venues", "INSERT INTO venues_venue_search (venues_venue_search) VALUES ('delete-all')", 1),
    ("search index of organizers",
     "INSERT INTO organizers_organizer_search (organizers_organizer_search) VALUES ('delete-all')", 1),
    ("words of events", "DELETE FROM derived_searchword WHERE kind = 'event'", 1),
    ("words of venues", "DELETE FROM derived_searchword WHERE kind = 'venue'", 2),
    ("words of organizers", "DELETE FROM derived_searchword WHERE kind = 'organizer'", 1),
    ("image files", "DELETE FROM media_imagefile WHERE name = (SELECT file FROM media_image)", 1),
    ("images in texts", "DELETE FROM media_embeddedimage", 1),
    ("event counts of terms", "UPDATE taxonomy_category SET event_count = event_count + 1", 2),
    ("event counts of terms", "UPDATE taxonomy_tag SET event_count = 0", 1),
    ("event counts of terms", "UPDATE events_event SET status = 'draft'", 2),
    ("event counts of terms", "UPDATE events_event SET password = 'secret'", 2),
    ("event counts of terms", "UPDATE events_event SET hide_from_listings = true", 2),
    ("event counts of terms", "UPDATE events_event SET password = ''", 2),
    ("event counts of terms", "DELETE FROM events_event_tags", 1),
]  # fmt: skip


@pytest.fixture
def one_of_each(image):
    venue, organizer = VenueFactory(title="Concert hall"), OrganizerFactory(title="Orchestra")
    links = {"categories": [CategoryFactory(parent=CategoryFactory())], "tags": [TagFactory()]}
    TicketFactory(event=EventFactory(title="Concert", venues=[venue], organizers=[organizer], **links), name="Regular")
    # The counts of its categories and tags leave it out.
    EventFactory(title="Concert", password="secret", description=f'<img src="/media/{image.file}">', **links)


def test_each_kind_of_data_is_damaged():
    assert {name for name, _sql, _count in DAMAGES} == {data.name for data in registered()}


@pytest.mark.parametrize(("name", "sql", "count"), DAMAGES)
def test_damage_is_reported_and_repaired(one_of_each, capsys, run_command, name, sql, count):
    if "_search (" in sql and connection.vendor != "sqlite":
        pytest.skip("PostgreSQL keeps its indexes itself.")
    in_order = [f"{data.name}: 0 differences" for data in registered()]
    assert run_command("rebuild_derived", "--check") == in_order
    with connection.cursor() as cursor:
        cursor.execute(sql)

    with pytest.raises(CommandError, match="Derived data differs"):
        run_command("rebuild_derived", "--check")
    reported = capsys.readouterr().out.splitlines()
    run_command("rebuild_derived")

    assert reported == [f"{name}: {count} differences" if line.startswith(f"{name}:") else line for line in in_order]
    assert run_command("rebuild_derived", "--check") == in_order
