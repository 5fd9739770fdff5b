"""Responses are compressed for clients that accept it, and only for them."""

import gzip

import brotli
import pytest

from calendar_site import middleware
from tests.factories import EventFactory
from tests.support.api_client import API

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("accepted", ["gzip", "br;q=0.8, gzip;q=1.0", "gzip, deflate"])
def test_response_is_compressed_for_clients_that_accept_it(client, accepted):
    EventFactory(description="Long " * 200)
    plain = client.get(f"{API}/events")

    compressed = client.get(f"{API}/events", headers={"Accept-Encoding": accepted})

    assert "Content-Encoding" not in plain
    assert compressed["Content-Encoding"] == "gzip"
    assert gzip.decompress(compressed.content) == plain.content
    assert "Accept-Encoding" in plain["Vary"]
    assert len(compressed.content) < len(plain.content) / 2


@pytest.mark.parametrize("accepted", ["br", "gzip, deflate, br, zstd", "gzip;q=0.8, br;q=1.0"])
def test_brotli_is_preferred(client, accepted):
    EventFactory(description="Long " * 200)
    plain = client.get(f"{API}/events")

    compressed = client.get(f"{API}/events", headers={"Accept-Encoding": accepted})

    assert compressed["Content-Encoding"] == "br"
    assert brotli.decompress(compressed.content) == plain.content


def test_lengths_of_private_responses_vary(client, editor_api):
    """Otherwise, they would tell whether a guess occurs in the response (BREACH)."""
    EventFactory(description="Long " * 200)
    headers = {"Accept-Encoding": "gzip, br"}
    private = [editor_api.get(f"{API}/events", headers=headers) for _number in range(20)]

    assert {response["Content-Encoding"] for response in private} == {"gzip"}
    assert len({len(response.content) for response in private}) > 1


def test_very_long_response_is_not_compressed(client, monkeypatch):
    monkeypatch.setattr(middleware, "MAX_BYTES", 100_000)
    for _number in range(4):
        EventFactory(description="x" * 60_000)

    response = client.get(f"{API}/events", headers={"Accept-Encoding": "gzip"})

    assert len(response.content) > 240_000
    assert "Content-Encoding" not in response


@pytest.mark.parametrize("accepted", ["identity", "gzip;q=0", "gzip;q=0.5, identity", "deflate", ""])
def test_response_is_not_compressed_for_others(client, accepted):
    EventFactory(description="Long " * 200)

    response = client.get(f"{API}/events", headers={"Accept-Encoding": accepted})

    assert "Content-Encoding" not in response
    assert response.json()["total"] == 1
