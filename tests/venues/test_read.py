"""Reading venues: every key, always."""

import pytest

from tests.factories import VenueFactory
from tests.support.api_client import API, json_of

pytestmark = pytest.mark.django_db


def read_venue(client, venue):
    return json_of(client.get(f"{API}/venues/{venue.pk}"))


@pytest.mark.parametrize(
    ("state", "province", "both", "answered"),
    [
        ("Bavaria", "Lower Bavaria", "Elsewhere", "Bavaria"),
        ("", "Lower Bavaria", "Elsewhere", "Lower Bavaria"),
        ("", "", "Elsewhere", "Elsewhere"),
        ("", "", "", ""),
    ],
)
def test_stateprovince_is_the_best_there_is(client, state, province, both, answered):
    record = read_venue(client, VenueFactory(state=state, province=province, state_province=both))

    assert (record["state"], record["province"], record["stateprovince"]) == (state, province, answered)


def test_venue_with_nothing_has_every_key_of_one_with_everything(client):
    everything = VenueFactory(
        description="A",
        address="A",
        city="A",
        country="A",
        state="A",
        zip="A",
        phone="A",
        website="https://a.example.org/",
    )

    full, bare = read_venue(client, everything), read_venue(client, VenueFactory())

    assert bare.keys() == full.keys()
    assert {name: bare[name] for name in ("address", "city", "country", "province", "state", "zip", "phone")} == (
        dict.fromkeys(("address", "city", "country", "province", "state", "zip", "phone"), "")
    )
    assert (bare["description"], bare["excerpt"], bare["website"], bare["image"]) == ("", "", "", False)
    assert (bare["geo_lat"], bare["geo_lng"], bare["custom_fields"]) == (None, None, [])
    assert (bare["show_map"], bare["show_map_link"]) == (True, True)
    assert "rest_url" not in bare


def test_structured_data_name_only_what_there_is(client):
    bare, some = VenueFactory(title="Yard"), VenueFactory(title="Hall", city="Lima", province="Lima", zip="15001")

    assert read_venue(client, bare)["json_ld"] == {
        "@context": "https://schema.org",
        "@type": "Place",
        "name": "Yard",
        "url": "http://testserver/venue/yard/",
    }
    assert read_venue(client, some)["json_ld"]["address"] == {
        "@type": "PostalAddress",
        "addressLocality": "Lima",
        "addressRegion": "Lima",
        "postalCode": "15001",
    }


def test_structured_data_are_for_single_reads_only(client):
    VenueFactory()

    assert "json_ld" not in client.get(f"{API}/venues").json()["venues"][0]


def test_name_is_plain_text_as_it_was_written(client):
    name = 'Tom & Jerry\'s "Best" – 5 < 6'

    assert read_venue(client, VenueFactory(title=name))["venue"] == name


def test_arguments_that_mean_nothing_are_named(client):
    venue = VenueFactory()

    response = client.get(f"{API}/venues/{venue.pk}?password=x&venue=y&context=view")

    assert response["X-Ignored-Fields"] == "password, context"
