"""The examples of the OpenAPI document are real: their requests produce their responses.

If you change responses on purpose, rewrite them with `REWRITE_CONTRACT=1 pytest tests/api/test_examples.py`.
"""

from datetime import UTC, datetime

import pytest
from django.core.management.color import no_style
from django.db import connection

from events.models import Series
from events.schemas import EXAMPLES as EVENTS
from events.series_api.schemas import EXAMPLES as SERIES
from organizers.schemas import EXAMPLES as ORGANIZERS
from taxonomy.schemas import EXAMPLES as TERMS
from tests.factories import (
    CategoryFactory,
    EventFactory,
    ImageFactory,
    OrganizerFactory,
    SeriesFactory,
    TagFactory,
    TicketFactory,
    UserFactory,
    VenueFactory,
)
from tests.support.api_client import API, api_client_for
from tests.support.api_writes import without_json_ld
from tests.support.golden import assert_golden
from tests.support.programs import ROOT
from venues.schemas import EXAMPLES as VENUES

NOW = datetime(2027, 3, 10, 12, tzinfo=UTC)
EXAMPLES = EVENTS | VENUES | ORGANIZERS | TERMS | SERIES
FOLDERS = {
    "event": "events",
    "venue": "venues",
    "organizer": "organizers",
    "category": "taxonomy",
    "tag": "taxonomy",
    "series": "events/series_api",
}
COLLECTIONS = {
    "event": "events",
    "venue": "venues",
    "organizer": "organizers",
    "category": "categories",
    "tag": "tags",
    "series": "series",
}
# Elsewhere, those of lists have the names of the collections.
LISTS = {"series": "series-list"}
# What a record has by its number.
NUMBERED = {"id", "global_id", "global_id_lineage", "rest_url", "events_url", "urls"}


@pytest.fixture(autouse=True)
def _surroundings(db, time_machine, settings):
    time_machine.move_to(NOW, tick=False)
    settings.PUBLIC_URL = "https://calendar.example.org"


@pytest.fixture
def somebody(db):
    return UserFactory(id=901, username="somebody", is_superuser=True)


@pytest.fixture
def picture(somebody):
    size = {
        "file": "images/hall-150x150.jpg",
        "width": 150,
        "height": 150,
        "media_type": "image/jpeg",
        "filesize": 9000,
    }
    return ImageFactory(
        id=601,
        file="images/hall.jpg",
        alt="The hall from the stage",
        renditions={"thumbnail": size},
        author=somebody,
    )


@pytest.fixture
def documented_venue(somebody, picture):
    """As `new-venue.json` makes it; so with the others."""
    return VenueFactory(
        id=201,
        title="Sala Grande",
        description="<p>Two rooms.</p>",
        address="Via Roma 1",
        city="Bolzano",
        country="Italy",
        province="BZ",
        zip="39100",
        phone="+39 0471 000000",
        website="https://hall.example.org/",
        accessibility=["step_free", "hearing_loop"],
        geo_lat=46.4983,
        geo_lng=11.3548,
        image=picture,
        author=somebody,
    )


@pytest.fixture
def documented_organizer(somebody):
    return OrganizerFactory(
        id=301,
        title="The Choir",
        description="<p>We sing.</p>",
        phone="+39 0471 111111",
        website="https://choir.example.org/",
        email="choir@example.org",
        author=somebody,
    )


@pytest.fixture
def category(db):
    return CategoryFactory(id=401, name="Music", description="All that sounds")


@pytest.fixture
def tag(db):
    return TagFactory(id=501, name="Family", description="For all ages")


@pytest.fixture
def documented_event(somebody, picture, documented_venue, documented_organizer, category, tag):
    event = EventFactory(
        id=102,
        title="Concert of spring",
        description="<p>Songs of <strong>spring</strong>.</p>",
        excerpt="<p>Songs</p>",
        start="2027-03-28 20:00:00",
        end="2027-03-28 22:30:00",
        time_zone="Europe/Rome",
        cost="€10 – €30",
        website="https://concert.example.org/",
        show_map=True,
        featured=True,
        event_status="rescheduled",
        event_status_reason="The choir is on tour.",
        previous_start=datetime(2027, 3, 21, 19, tzinfo=UTC),
        attendance_mode="mixed",
        online_url="https://meet.example.org/spring",
        accessibility=["sign_language"],
        image=picture,
        categories=[category],
        tags=[tag],
        venues=[documented_venue],
        organizers=[documented_organizer],
        author=somebody,
    )
    TicketFactory(event=event, name="Seat", price="10.50", url="https://tickets.example.org/")
    return event


@pytest.fixture
def documented_series(somebody):
    with connection.cursor() as cursor:
        # The number of the first series is in the example; PostgreSQL goes on counting after other tests.
        numbers = [{"table": Series._meta.db_table, "column": "id"}]
        for statement in connection.ops.sequence_reset_by_name_sql(no_style(), numbers):
            cursor.execute(statement)
    new = EXAMPLES["new-series"]
    return SeriesFactory(
        start=new["start_date"],
        end=new["end_date"],
        time_zone=new["timezone"],
        author=somebody,
        **{name: new[name] for name in ("title", "description", "rrule", "exdate")},
    )


def without_number(record):
    """A record without what its number is in, and without how many events it has."""
    return {name: value for name, value in without_json_ld(record).items() if name not in NUMBERED | {"count"}}


@pytest.mark.parametrize("kind", FOLDERS)
def test_answers_are_those_of_the_service(client, request, kind):
    request.getfixturevalue("documented_series" if kind == "series" else "documented_event")
    folder = ROOT / FOLDERS[kind] / "examples"
    number = EXAMPLES[kind].get("id") or 0

    assert_golden(client.get(f"{API}/{COLLECTIONS[kind]}/{number}"), kind, folder)
    assert_golden(client.get(f"{API}/{COLLECTIONS[kind]}"), LISTS.get(kind, COLLECTIONS[kind]), folder)


def test_preview_of_dates_is_that_of_the_service(somebody, settings):
    settings.HOLIDAYS_COUNTRY = "IT"

    response = api_client_for(somebody).post(f"{API}/series/preview", EXAMPLES["series-dates"])

    assert_golden(response, "series-preview", ROOT / "events/series_api/examples")


def without_image(record):
    return without_number(record) | ({"image": False} if "image" in record else {})


@pytest.mark.parametrize("kind", ["venue", "organizer", "category", "tag", "series"])
def test_requests_make_the_records_of_the_answers(somebody, kind):
    response = api_client_for(somebody).post(f"{API}/{COLLECTIONS[kind]}", EXAMPLES[f"new-{kind}"])

    assert response.status_code == 201, response.content
    assert without_number(response.json()) == without_image(EXAMPLES[kind])


def test_request_makes_the_event_of_the_answer(somebody, documented_venue, documented_organizer, category, tag):
    response = api_client_for(somebody).post(f"{API}/events", EXAMPLES["new-event"])

    assert response.status_code == 201, response.content
    assert without_number(response.json()) == without_image(EXAMPLES["event"])


@pytest.mark.parametrize("kind", FOLDERS)
def test_requests_work_in_a_service_with_other_content(editor_api, kind):
    """They name no ids, so everybody can send them from the console."""
    created = editor_api.post(f"{API}/{COLLECTIONS[kind]}", EXAMPLES[f"new-{kind}"])
    assert created.status_code == 201, created.content

    changes = EXAMPLES[f"{kind}-changes"]
    response = editor_api.patch(f"{API}/{COLLECTIONS[kind]}/{created.json()['id']}", changes)

    assert response.status_code == 200, response.content
    # null clears a text.
    assert {name: response.json()[name] for name in changes} == {
        name: "" if value is None else value for name, value in changes.items()
    }


@pytest.mark.parametrize("kind", FOLDERS)
def test_requests_need_nobody_to_look_up_what_they_mean(client, kind):
    """Every key of a request is a field that the document names."""
    creating = client.options(f"{API}/{COLLECTIONS[kind]}").json()["endpoints"][-1]["args"]

    assert set(EXAMPLES[f"new-{kind}"]) <= set(creating)
