"""The index of the search text: it finds every row that matches, after every kind of write."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from calendar_site.core.search import index as search_index
from calendar_site.core.search.index import find_query, restrict
from calendar_site.core.text.plain_text import normalize_for_search
from calendar_site.derived import registry
from calendar_site.derived.installation import install
from events.models import Event
from tests.factories import EventFactory
from tests.support.api_client import listed_ids
from tests.support.resources import EVENTS

pytestmark = pytest.mark.django_db

# Few letters, so that words often are parts of others; quotation marks, wildcards, accents and other scripts.
WORDS = st.text("abcé漢ж\"'%_\\-&", min_size=1, max_size=10)
TEXTS = st.lists(WORDS, max_size=6).map(" ".join)
QUERIES = st.lists(st.one_of(WORDS, WORDS.map('"{}"'.format), WORDS.map("-{}".format)), min_size=1, max_size=3)


@pytest.fixture
def scan(monkeypatch):
    """Return a function that calls another one with searches that read all texts."""

    def call(find):
        with monkeypatch.context() as patched:
            patched.setattr(search_index, "has_index", lambda model: False)
            return find()

    return call


@pytest.fixture
def five_events():
    return [event.pk for event in EventFactory.create_batch(5)]


def count_differences():
    return {
        data.name: data.count_differences() for data in registry.registered() if data.name.startswith("search index")
    }


NO_DIFFERENCES = {f"search index of {name}": 0 for name in ("events", "venues", "organizers")}


def found_ids(model, *terms):
    """Return the ids of the rows that the index finds."""
    return sorted(find_query(model, terms).first_ids(100))


def is_restricted(model, *terms):
    """Return whether a search for these terms reads only rows that the index finds."""
    return bool(restrict(model.objects.all(), terms).query.where)


def matching_ids(queryset, query):
    return sorted(queryset.matching(query).values_list("pk", flat=True))


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.lists(st.tuples(TEXTS, TEXTS), min_size=5, max_size=5), query=QUERIES.map(" ".join))
def test_index_changes_no_result(scan, five_events, texts, query):
    for pk, (title, description) in zip(five_events, texts, strict=True):
        text = f"{normalize_for_search(title)}\n{normalize_for_search(description)}\n"
        Event.objects.filter(pk=pk).update(search_text=text)

    def search():
        return (
            matching_ids(Event.objects.all(), query),
            sorted(Event.objects.matching_for(query, AnonymousUser()).values_list("pk", flat=True)),
            sorted(Event.objects.matching_in_one_field(query).values_list("pk", flat=True)),
        )

    assert search() == scan(search)


def test_index_follows_every_kind_of_write(content):
    kept, changed, updated, trashed, deleted, deleted_by_sql = [content.make(f"Saxophone {n}") for n in range(6)]
    model = content.factory._meta.model
    changed.title = "Trumpet"
    changed.save()
    model.objects.filter(pk=updated.pk).update(search_text="clarinet\n")
    trashed.status = "trash"
    trashed.save()
    model.objects.filter(pk=deleted.pk).delete()
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {model._meta.db_table} WHERE id = %s", [deleted_by_sql.pk])  # noqa: S608

    assert found_ids(model, "saxophone") == [kept.pk, trashed.pk]
    assert (found_ids(model, "trumpet"), found_ids(model, "clarinet")) == ([changed.pk], [updated.pk])
    assert count_differences() == NO_DIFFERENCES
    install()
    assert found_ids(model, "saxophone") == [kept.pk, trashed.pk]


@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="PostgreSQL keeps its indexes itself")
def test_check_notices_a_text_that_is_not_indexed():
    event = EventFactory(title="Saxophone")
    with connection.cursor() as cursor:
        cursor.execute('DROP TRIGGER "derived_event_search_changed"')
    Event.objects.filter(pk=event.pk).update(search_text="trumpet\n")

    assert count_differences() == NO_DIFFERENCES | {"search index of events": 1}


def test_a_search_for_few_rows_reads_no_other_texts(client, django_assert_num_queries):
    EventFactory.create_batch(2)
    saxophone = EventFactory(title="Saxophone")

    assert found_ids(Event, "saxophone", "sax") == [saxophone.pk]
    with django_assert_num_queries(2):  # the index, and for a suggestion similar words
        assert client.get(f"{EVENTS.path}?search=trombone").json()["total"] == 0


@pytest.mark.parametrize("term", ["sa", "x", "漢字"])
def test_short_words_are_searched_without_the_index(client, term, django_assert_num_queries):
    event = EventFactory(title="Sax 漢字")

    assert not is_restricted(Event, term)
    assert listed_ids(client.get(f"{EVENTS.path}?search={term}"), "events") == [event.pk]


def test_a_word_of_many_rows_is_searched_without_the_index(client, monkeypatch):
    events = EventFactory.create_batch(3, title="Saxophone")

    monkeypatch.setattr(search_index, "MAX_FOUND_ROWS", 3)
    assert is_restricted(Event, "saxophone")
    monkeypatch.setattr(search_index, "MAX_FOUND_ROWS", 2)
    # SQLite checks each row by the index.
    assert is_restricted(Event, "saxophone") == (connection.vendor == "sqlite")
    assert listed_ids(client.get(f"{EVENTS.path}?search=saxophone"), "events") == [event.pk for event in events]


def test_searches_work_without_the_index(client, monkeypatch):
    with connection.cursor() as cursor:
        kind = "TABLE" if connection.vendor == "sqlite" else "INDEX"
        for table in ("events_event", "venues_venue", "organizers_organizer"):
            cursor.execute(f'DROP {kind} "{table}_search"')
    monkeypatch.setattr(search_index, "_known", set())
    monkeypatch.setattr(search_index, "supports_index", lambda: False)
    install()
    event = EventFactory(title="Saxophone")
    EventFactory(title="Saxophone of another event", hide_from_listings=True)

    assert not is_restricted(Event, "saxophone")
    assert listed_ids(client.get(f"{EVENTS.path}?search=saxophone"), "events") == [event.pk]
    assert count_differences() == NO_DIFFERENCES
