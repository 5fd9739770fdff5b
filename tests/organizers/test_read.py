"""Reading organizers: responses always have every key."""

import pytest

from tests.factories import OrganizerFactory
from tests.support.api_client import API, json_of

pytestmark = pytest.mark.django_db


def read_organizer(client, organizer):
    return json_of(client.get(f"{API}/organizers/{organizer.pk}"))


def test_organizer_with_nothing_has_every_key_of_one_with_everything(client):
    everything = OrganizerFactory(description="A", phone="A", website="https://a.example.org/", email="a@example.org")

    full, bare = read_organizer(client, everything), read_organizer(client, OrganizerFactory())

    texts = ("description", "excerpt", "phone", "website", "email")
    assert bare.keys() == full.keys()
    assert {name: bare[name] for name in texts} == dict.fromkeys(texts, "")
    assert (bare["image"], bare["custom_fields"]) == (False, [])
    assert "rest_url" not in bare


def test_email_of_any_form_is_answered(client):
    assert read_organizer(client, OrganizerFactory(email="ask at the door"))["email"] == "ask at the door"


def test_structured_data_name_only_what_there_is(client):
    bare = OrganizerFactory(title="Choir")
    full = OrganizerFactory(title="Band", phone="+39 0471", email="a@example.org", website="https://a.example.org/")

    assert read_organizer(client, bare)["json_ld"] == {
        "@context": "https://schema.org",
        "@type": "Organization",
        "name": "Choir",
        "url": "http://testserver/organizer/choir/",
    }
    assert read_organizer(client, full)["json_ld"] == {
        "@context": "https://schema.org",
        "@type": "Organization",
        "name": "Band",
        "url": "http://testserver/organizer/band/",
        "telephone": "+39 0471",
        "email": "a@example.org",
        "sameAs": "https://a.example.org/",
    }


def test_structured_data_are_for_single_reads_only(client):
    OrganizerFactory()

    assert "json_ld" not in client.get(f"{API}/organizers").json()["organizers"][0]


def test_name_is_plain_text_as_it_was_written(client):
    name = 'Tom & Jerry\'s "Best" – 5 < 6'

    assert read_organizer(client, OrganizerFactory(title=name))["organizer"] == name
