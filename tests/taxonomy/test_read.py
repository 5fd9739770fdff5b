"""Reading categories and tags."""

import pytest

from tests.factories import CategoryFactory, EventFactory, TagFactory
from tests.support.api_client import API

pytestmark = pytest.mark.django_db


def test_category_names_its_parent(client):
    music = CategoryFactory(name="Music")
    jazz = CategoryFactory(name="Jazz", parent=music)

    top = client.get(f"{API}/categories/{music.pk}").json()
    below = client.get(f"{API}/categories/{jazz.pk}").json()

    assert (top["parent"], "up" in top["urls"]) == (0, False)
    assert (below["parent"], below["urls"]["up"]) == (music.pk, top["urls"]["self"])


def test_tag_has_no_parent(client):
    tag = TagFactory()

    record = client.get(f"{API}/tags/{tag.pk}").json()

    assert "parent" not in record
    assert set(record["urls"]) == {"self", "collection"}


def test_addresses_of_a_term_answer(client):
    category = CategoryFactory(name="Été")
    EventFactory(categories=[category])

    record = client.get(f"{API}/categories/{category.pk}").json()

    assert client.get(record["urls"]["self"]).json() == record
    assert client.get(record["urls"]["collection"]).json()["categories"] == [record]
    assert record["url"] == "http://testserver/events/category/ete/"


def test_name_is_plain_text_as_it_was_written(client):
    name = 'Tom & Jerry\'s "Best" – 5 < 6'

    assert client.get(f"{API}/tags/{TagFactory(name=name).pk}").json()["name"] == name


def test_count_is_of_the_category_alone(client):
    music = CategoryFactory(name="Music")
    jazz = CategoryFactory(name="Jazz", parent=music)
    EventFactory(categories=[jazz])

    counts = {row.pk: client.get(f"{API}/categories/{row.pk}").json()["count"] for row in (music, jazz)}

    assert counts == {music.pk: 0, jazz.pk: 1}


def test_term_is_gone_once_deleted(client, editor_api):
    tag = TagFactory()

    editor_api.delete(f"{API}/tags/{tag.pk}")

    assert client.get(f"{API}/tags/{tag.pk}").json()["code"] == "tag-not-found"
