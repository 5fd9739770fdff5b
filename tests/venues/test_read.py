"""Reading venues: responses always have every key."""

import pytest

from tests.factories import VenueFactory
from tests.support.api_client import API, json_of

pytestmark = pytest.mark.django_db


def read_venue(client, venue):
    return json_of(client.get(f"{API}/venues/{venue.pk}"))


@pytest.mark.parametrize(
    ("country", "state", "province", "sent", "expected"),
    [
        ("", "Ohio", "Cork", "Sent", "Sent"),
        ("", "Ohio", "Cork", "", "Ohio"),
        ("", "", "Cork", "", "Cork"),
        ("United States", "Ohio", "Cork", "", "Ohio"),
        ("USA", "Ohio", "Cork", "", "Ohio"),
        ("u.s.a.", "Ohio", "Cork", "", "Ohio"),
        ("U. S.", "Ohio", "Cork", "", "Ohio"),
        ("The United States of America", "", "Cork", "", "Cork"),
        ("Ireland", "Ohio", "Cork", "", "Cork"),
        ("Ireland", "Ohio", "", "", "Ohio"),
        ("Ireland", "Ohio", "Cork", "Sent", "Sent"),
        ("Ireland", "", "", "", ""),
    ],
)
def test_stateprovince_depends_on_the_country(client, country, state, province, sent, expected):
    record = read_venue(client, VenueFactory(country=country, state=state, province=province, state_province=sent))

    assert (record["state"], record["province"], record["stateprovince"]) == (state, province, expected)


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
