"""The complete record and list of each resource, as the contract promises them to clients."""

from datetime import UTC, datetime

import pytest

from calendar_site.accounts.models import User
from tests.factories import (
    CategoryFactory,
    CustomFieldFactory,
    EventFactory,
    ImageFactory,
    OrganizerFactory,
    TagFactory,
    TicketFactory,
    UserFactory,
    VenueFactory,
)
from tests.support.api_client import API
from tests.support.golden import assert_golden

NOW = datetime(2027, 3, 10, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def contract_records(db, time_machine):
    """Records with every field, and records with none; ids and times are fixed."""
    time_machine.move_to(NOW, tick=False)
    somebody: User = UserFactory(id=901)
    by = {"author": somebody}
    picture = ImageFactory(
        id=601,
        file="images/hall.jpg",
        alt="The hall from the stage",
        renditions={
            "thumbnail": {
                "file": "images/hall-150x150.jpg",
                "width": 150,
                "height": 150,
                "media_type": "image/jpeg",
                "filesize": 9000,
            }
        },
        **by,
    )
    CustomFieldFactory(resource="event", name="language", label="Language")
    CustomFieldFactory(resource="event", name="captions", label="Captions", kind="boolean")
    CustomFieldFactory(resource="venue", name="seats", label="Seats", kind="number")
    CustomFieldFactory(resource="organizer", name="founded", label="Founded on", kind="date")
    hall = VenueFactory(
        id=201,
        title="Sala Grande & Garden",
        description="Two rooms.\n\nStep-free.",
        excerpt="Two rooms",
        address="Via Roma 1",
        city="Bolzano",
        country="Italy",
        province="BZ",
        state="South Tyrol",
        state_province="BZ",
        zip="39100",
        phone="+39 0471 000000",
        website="https://hall.example.org/",
        show_map_link=False,
        geo_lat=46.4983,
        geo_lng=11.3548,
        custom_values={"seats": 400},
        image=picture,
        published_at=datetime(2027, 1, 2, 3, 4, 5, tzinfo=UTC),
        **by,
    )
    yard = VenueFactory(id=202, title="Yard", published_at=datetime(2027, 1, 3, tzinfo=UTC), **by)
    choir = OrganizerFactory(
        id=301,
        title="The Choir",
        description="<p>We sing.</p>",
        excerpt="Singing",
        phone="+39 0471 111111",
        website="https://choir.example.org/",
        email="choir@example.org",
        custom_values={"founded": "1923-05-01"},
        image=picture,
        published_at=datetime(2027, 1, 2, 3, 4, 5, tzinfo=UTC),
        **by,
    )
    band = OrganizerFactory(id=302, title="Band", published_at=datetime(2027, 1, 3, tzinfo=UTC), **by)
    music = CategoryFactory(id=401, name="Music", description="All that sounds")
    song = CategoryFactory(id=402, name="Song", slug="songs", parent=music)
    family = TagFactory(id=501, name="Family", description="For all ages")
    TagFactory(id=502, name="Free entry")
    festival = EventFactory(id=101, title="Festival", start="2027-03-20", end="2027-03-21", all_day=True, **by)
    concert = EventFactory(
        id=102,
        title="Concert of Spring",
        description="<p>Songs of <strong>spring</strong>.</p>",
        excerpt="Songs",
        slug="spring",
        start="2027-03-28 01:30:00",
        end="2027-03-28 04:00:00",
        time_zone="Europe/Rome",
        cost="10 - 30",
        website="https://concert.example.org/",
        show_map=True,
        show_map_link=True,
        sticky=True,
        featured=True,
        parent=festival,
        custom_values={"language": "Italian", "captions": False},
        image=picture,
        categories=[song, music],
        tags=[family],
        venues=[hall],
        organizers=[choir, band],
        published_at=datetime(2027, 2, 1, 9, 30, tzinfo=UTC),
        **by,
    )
    TicketFactory(event=concert, name="Seat", price="10.50", url="https://tickets.example.org/", position=1)
    TicketFactory(
        event=concert,
        name="Early seat",
        price=8,
        available_from=datetime(2027, 1, 1, tzinfo=UTC),
        available_until=datetime(2027, 2, 28, 22, 59, 59, tzinfo=UTC),
        sold_out=True,
    )
    EventFactory(
        id=103, title="Walk", start="2027-04-01 10:00", end="2027-04-01 11:00", venues=[yard, hall], tags=[family], **by
    )


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("event", "/events/102"),
        ("event-with-nothing", "/events/101"),
        ("events", "/events?per_page=2&page=1"),
        ("venue", "/venues/201"),
        ("venue-with-nothing", "/venues/202"),
        ("venues", "/venues?per_page=1&page=2"),
        ("organizer", "/organizers/301"),
        ("organizer-with-nothing", "/organizers/302"),
        ("organizers", "/organizers?per_page=1&page=2"),
        ("category", "/categories/402"),
        ("category-at-the-top", "/categories/401"),
        ("categories", "/categories?per_page=1&page=2"),
        ("tag", "/tags/501"),
        ("tags", "/tags?hide_empty=false&per_page=1&page=1"),
    ],
)
def test_answer_is_the_promised_one(client, name, path):
    assert_golden(client.get(f"{API}{path}"), name)


@pytest.mark.parametrize(("name", "slug"), [("event", "spring"), ("event-with-nothing", "festival")])
def test_event_by_slug_is_the_same(client, name, slug):
    assert_golden(client.get(f"{API}/events/by-slug/{slug}"), name)


def test_venue_and_organizer_by_slug_are_the_same(client):
    assert_golden(client.get(f"{API}/venues/by-slug/sala-grande-garden"), "venue")
    assert_golden(client.get(f"{API}/organizers/by-slug/the-choir"), "organizer")
