"""D53: no list has more than 10 MB, whatever authors store in its records."""

import pytest
from django.test import Client

from calendar_site.api.output import list_budget
from events.models import Event
from tests.factories import (
    CategoryFactory,
    CustomFieldFactory,
    EventFactory,
    OrganizerFactory,
    TagFactory,
    TicketFactory,
    VenueFactory,
)
from tests.support.api_client import API
from tests.support.resources import RESOURCES

pytestmark = pytest.mark.django_db

MAX_BYTES = 10_000_000
# Four bytes each in a response.
EMOJI = "\U0001f600"
TEXTS = {"description": f"<p>{EMOJI * 64_000}</p>", "excerpt": f"<p>{EMOJI * 5000}</p>"}


@pytest.fixture
def longest_records():
    """A hundred records of each kind with the longest texts, and events with the most links and tickets."""
    venues = VenueFactory.create_batch(100, title=EMOJI * 500, address=EMOJI * 200)
    organizers = OrganizerFactory.create_batch(100, title=EMOJI * 500)
    categories = [CategoryFactory(name=f"{number}{EMOJI * 150}", description=EMOJI * 5000) for number in range(100)]
    tags = [TagFactory(name=f"{number}{EMOJI * 150}", description=EMOJI * 5000) for number in range(100)]
    event = EventFactory(
        title=EMOJI * 500,
        venues=venues[:20],
        organizers=organizers[:20],
        categories=categories[:50],
        tags=tags,
    )
    TicketFactory.create_batch(100, event=event, name=EMOJI * 200)
    for rows in (venues, organizers):
        type(rows[0]).objects.update(**TEXTS)
    links = {"categories": categories[:50], "tags": tags, "venues": venues[:20], "organizers": organizers[:20]}
    EventFactory.create_batch(99, title=EMOJI * 500, **links)
    Event.objects.update(**TEXTS)


@pytest.mark.parametrize("resource", RESOURCES, ids=str)
def test_no_list_has_more_than_ten_megabytes(longest_records, resource):
    all_of_them = "per_page=100&hide_empty=false"
    for query in (all_of_them, "", f"{all_of_them}&_fields={resource.collection}"):
        response = Client().get(f"{API}/{resource.collection}?{query}")

        assert response.status_code == 200, response.content[:500]
        ids = [record["id"] for record in response.json()[resource.collection]]
        assert len(response.content) < MAX_BYTES
        assert len(set(ids)) == len(ids) == (100 if query else len(ids))


def test_records_that_do_not_fit_lose_their_long_fields(monkeypatch):
    monkeypatch.setattr(list_budget, "UNMEASURED_BYTES", 0)
    monkeypatch.setattr(list_budget, "MAX_LIST_BYTES", 9000)
    for title in ("First", "Second", "Third"):
        EventFactory(title=title, description=f"<p>{'x' * 2000}</p>", tags=[TagFactory(name=f"Tag of {title}")])
    CustomFieldFactory()

    responses = [Client().get(f"{API}/events"), Client().get(f"{API}/events?_fields=events")]

    for response in responses:
        first, second, third = response.json()["events"]
        assert [len(row["description"]) for row in (first, second, third)] == [2007, 2007, 0]
        assert (third["title"], third["description"], third["excerpt"]) == ("Third", "", "")
        assert [tag["name"] for tag in first["tags"]] == ["Tag of First"]
        assert response["X-Shortened-Records"] == "1"
    assert "X-Shortened-Records" not in Client().get(f"{API}/events?per_page=2")
