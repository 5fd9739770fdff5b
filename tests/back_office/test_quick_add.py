"""Choosing records for a form: the order of what a search finds, and adding a record that is missing."""

import pytest

from organizers.models import Organizer
from tests.factories import OrganizerFactory, TagFactory, UserFactory, VenueFactory
from tests.support.admin import browser_for
from tests.support.content_kinds import ORGANIZER, VENUE
from venues.models import Venue

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

AUTOCOMPLETE = "/admin/autocomplete/"
LINKED = pytest.mark.parametrize(
    ("kind", "model"), [(VENUE, Venue), (ORGANIZER, Organizer)], ids=["venue", "organizer"]
)


def choices(client, field, term):
    asked = {"app_label": "events", "model_name": "event", "field_name": field, "term": term}
    return [choice["text"] for choice in client.get(AUTOCOMPLETE, asked).json()["results"]]


# --- Order and labels ----------------------------------------------------------------------------


def test_venues_with_a_matching_name_come_first(editor_browser):
    VenueFactory(title="Foundry Climbing Centre", address="18 Anvil Street, Saltworks", city="Halifax")
    VenueFactory(title="Basaltwerk")
    VenueFactory(title="The Saltworks")
    VenueFactory(title="Élan (Saltworks Annex)")
    VenueFactory(title="Saltworks Theatre")
    VenueFactory(title="Somewhere else")

    assert choices(editor_browser, "venues", "SALTW") == [
        "Saltworks Theatre",
        "The Saltworks",
        "Élan (Saltworks Annex)",
        "Basaltwerk",
        "Foundry Climbing Centre — 18 Anvil Street, Saltworks, Halifax",
    ]


def test_words_in_any_order_in_the_name_come_before_other_fields(editor_browser):
    VenueFactory(title="Archive", description="The old fire station of the city.")
    VenueFactory(title="Station of the Old Fire Brigade")
    VenueFactory(title="Old Fire Station")

    assert choices(editor_browser, "venues", "old fire") == [
        "Old Fire Station",
        "Station of the Old Fire Brigade",
        "Archive",
    ]
    assert choices(editor_browser, "venues", "station old") == [
        "Old Fire Station",
        "Station of the Old Fire Brigade",
        "Archive",
    ]


def test_organizers_with_a_matching_name_come_first(editor_browser):
    OrganizerFactory(title="Agency", website="https://river.example.org")
    OrganizerFactory(title="Riverside Choir")
    OrganizerFactory(title="Friends of the river")

    assert choices(editor_browser, "organizers", "river") == ["Riverside Choir", "Friends of the river", "Agency"]


def test_tags_with_a_matching_start_come_first(editor_browser):
    TagFactory(name="barrier-free"), TagFactory(name="carefree"), TagFactory(name="free entry"), TagFactory(name="open")

    assert choices(editor_browser, "tags", "fre") == ["free entry", "barrier-free", "carefree"]


# --- Adding a record in place --------------------------------------------------------------------


@LINKED
def test_dialog_keeps_the_typed_name(kind, model, author_browser):
    page = author_browser.get(f"{kind.list}quick-add/", {"title": 'Old "Fire" Station'}).content.decode()

    assert 'value="Old &quot;Fire&quot; Station"' in page
    assert 'id="quick_add_title"' in page


def test_venue_is_added_in_place(author, author_browser):
    sent = {"title": "Old Fire Station", "address": "5 Hose Lane", "city": "Halifax"}

    response = author_browser.post(f"{VENUE.list}quick-add/", sent)

    venue = Venue.objects.get()
    assert response.json() == {"id": str(venue.pk), "text": "Old Fire Station — 5 Hose Lane, Halifax", "warnings": []}
    assert (venue.title, venue.address, venue.city, venue.status, venue.author) == (
        "Old Fire Station", "5 Hose Lane", "Halifax", "publish", author
    )  # fmt: skip


def test_organizer_is_added_in_place(author_browser):
    response = author_browser.post(f"{ORGANIZER.list}quick-add/", {"title": "Fire Brigade"})

    assert response.json() == {"id": str(Organizer.objects.get().pk), "text": "Fire Brigade", "warnings": []}


@LINKED
def test_record_of_a_contributor_is_a_draft(kind, model, contributor_browser):
    contributor_browser.post(f"{kind.list}quick-add/", {"title": "Old Fire Station"})

    assert [row.status for row in model.objects.all()] == ["draft"]


@LINKED
def test_dialog_shows_errors(kind, model, author_browser):
    response = author_browser.post(f"{kind.list}quick-add/", {"title": " ", "website": "x", "address": "x" * 5000})

    assert list(response.json()) == ["form"]
    assert "This field is required." in response.json()["form"]
    assert model.objects.count() == 0


def test_dialog_shows_errors_of_the_service(author_browser):
    response = author_browser.post(f"{ORGANIZER.list}quick-add/", {"title": "Fire Brigade", "website": "no url"})

    assert "URL" in response.json()["form"]
    assert Organizer.objects.count() == 0


@LINKED
def test_strangers_cannot_add_a_record(kind, model):
    subscriber = UserFactory(username="reader", role="subscriber", is_staff=True)
    path = f"{kind.list}quick-add/"

    for method in ("get", "post"):
        assert getattr(browser_for(subscriber), method)(path, {"title": "Forged"}).status_code == 403
        assert getattr(browser_for(None), method)(path, {"title": "Forged"}).status_code == 302
    assert model.objects.count() == 0


@LINKED
def test_other_methods_are_refused(kind, model, author_browser):
    assert author_browser.put(f"{kind.list}quick-add/").status_code == 405


def test_form_offers_the_dialog_only_to_users_who_may_add(editor_browser):
    page = editor_browser.get("/admin/events/event/add/").content.decode()

    assert 'data-quick-add="/admin/venues/venue/quick-add/"' in page
    assert 'data-quick-add="/admin/organizers/organizer/quick-add/"' in page
