"""Pages whose records have another slug now, or are in the trash."""

import pytest
from django.test import Client

from calendar_site.content.services import save_content
from tests.factories import CategoryFactory, EventFactory, OrganizerFactory, TagFactory, VenueFactory
from tests.support.api_client import API, api_client_for
from tests.support.html_page import parse_page

pytestmark = pytest.mark.django_db

KINDS = {
    "event": (lambda **fields: EventFactory(title="Fair", **fields), "events"),
    "venue": (lambda **fields: VenueFactory(title="Fair", **fields), "venues"),
    "organizer": (lambda **fields: OrganizerFactory(title="Fair", **fields), "organizers"),
    "events/category": (lambda **_fields: CategoryFactory(name="Fair"), "categories"),
    "events/tag": (lambda **_fields: TagFactory(name="Fair"), "tags"),
}
kinds = pytest.mark.parametrize("path", KINDS)
content_kinds = pytest.mark.parametrize("path", ["event", "venue", "organizer"])


@pytest.fixture
def api(administrator):
    return api_client_for(administrator)


@pytest.fixture
def change_record(api, administrator):
    """Return a function that changes a record through the API."""

    def send(path, record, **values):
        if path in ("venue", "organizer") and "slug" in values:
            # The API accepts no slug for them; the admin does.
            save_content(type(record).objects.get(pk=record.pk), changes=values, user=administrator)
            return
        response = api.put(f"{API}/{KINDS[path][1]}/{record.pk}", values, format="json")
        assert response.status_code == 200, response.json()

    return send


@kinds
def test_former_slug_leads_to_the_page(client, change_record, path):
    record = KINDS[path][0]()
    KINDS[path][0]()
    change_record(path, record, slug="market")
    change_record(path, record, slug="bazaar")

    for slug in ("fair", "market"):
        response = client.get(f"/{path}/{slug}/")
        assert (response.status_code, response["Location"]) == (301, f"http://testserver/{path}/bazaar/")
    assert client.get(f"/{path}/bazaar/").status_code == 200
    assert client.get(f"/{path}/other/").status_code == 404


@pytest.mark.parametrize("path", ["venue", "organizer", "events/category", "events/tag"])
def test_views_of_a_former_slug_lead_to_the_record(client, change_record, path):
    record = KINDS[path][0]()
    change_record(path, record, slug="market")

    response = client.get(f"/{path}/fair/month/")

    assert (response.status_code, response["Location"]) == (301, f"http://testserver/{path}/market/")


@kinds
def test_slug_that_another_record_has_now_shows_that_record(client, change_record, path):
    make, _collection = KINDS[path]
    record = make()
    change_record(path, record, slug="market")
    make()

    response = client.get(f"/{path}/fair/")

    assert response.status_code == 200
    assert parse_page(response).one("h1").text == "Fair"


@content_kinds
def test_page_of_a_trashed_record_is_gone(client, api, path):
    record = KINDS[path][0]()

    assert api.delete(f"{API}/{KINDS[path][1]}/{record.pk}").status_code == 200

    response = client.get(f"/{path}/fair/")
    assert response.status_code == 410
    assert parse_page(response).one("h1").text == "No longer available"
    assert response["Cache-Control"] == "no-store"


@content_kinds
def test_page_of_a_restored_record_is_there_again(client, api, change_record, path):
    record = KINDS[path][0]()
    api.delete(f"{API}/{KINDS[path][1]}/{record.pk}")

    change_record(path, record, status="publish")

    assert client.get(f"/{path}/fair/").status_code == 200


@content_kinds
@pytest.mark.parametrize("status", ["draft", "private", "pending"])
def test_slug_that_was_never_public_is_not_found(client, api, change_record, path, status):
    record = KINDS[path][0](status=status)
    change_record(path, record, slug="market")
    api.delete(f"{API}/{KINDS[path][1]}/{record.pk}")

    assert [client.get(f"/{path}/{slug}/").status_code for slug in ("fair", "market")] == [404, 404]


def test_renamed_event_that_nobody_sees_any_more_is_gone(client, change_record):
    fair = EventFactory(title="Fair")
    change_record("event", fair, slug="market")
    change_record("event", fair, status="draft")

    assert [client.get(f"/event/{slug}/").status_code for slug in ("fair", "market")] == [410, 404]


def test_unknown_page_costs_one_query_more(client, django_assert_num_queries):
    EventFactory(title="Fair")

    # The event, its former slugs, paths of imported records, and the site.
    with django_assert_num_queries(4):
        assert client.get("/event/nothing/").status_code == 404


def test_password_form_of_a_former_slug_leads_to_the_page(change_record):
    fair = EventFactory(title="Fair", password="x")
    change_record("event", fair, slug="market")

    response = Client().post("/event/fair/", {"password": "x"})

    assert (response.status_code, response["Location"]) == (301, "http://testserver/event/market/")
