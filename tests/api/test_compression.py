"""Responses are compressed for clients that accept it, and only for them."""

import gzip

import pytest

from tests.factories import EventFactory
from tests.support.api_client import API

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("accepted", ["gzip", "br;q=1.0, gzip;q=0.8", "gzip, deflate"])
def test_response_is_compressed_for_clients_that_accept_it(client, accepted):
    EventFactory(description="Long " * 200)
    plain = client.get(f"{API}/events")

    compressed = client.get(f"{API}/events", headers={"Accept-Encoding": accepted})

    assert "Content-Encoding" not in plain
    assert compressed["Content-Encoding"] == "gzip"
    assert gzip.decompress(compressed.content) == plain.content
    assert "Accept-Encoding" in plain["Vary"]
    assert len(compressed.content) < len(plain.content) / 2


def test_very_long_response_is_not_compressed(client):
    for _number in range(4):
        event = EventFactory()
        type(event).objects.filter(pk=event.pk).update(description="x" * 3_000_000)

    response = client.get(f"{API}/events", headers={"Accept-Encoding": "gzip"})

    assert len(response.content) > 12_000_000
    assert "Content-Encoding" not in response


@pytest.mark.parametrize("accepted", ["identity", "br", ""])
def test_response_is_not_compressed_for_others(client, accepted):
    EventFactory(description="Long " * 200)

    response = client.get(f"{API}/events", headers={"Accept-Encoding": accepted})

    assert "Content-Encoding" not in response
    assert response.json()["total"] == 1
