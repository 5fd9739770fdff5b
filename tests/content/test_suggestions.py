"""The header `X-Did-You-Mean` of a search that found nothing."""

from datetime import UTC, datetime
from urllib.parse import unquote

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from calendar_site.content import suggestions, unused_words
from calendar_site.content.suggestions import count_changes
from calendar_site.derived import registry
from calendar_site.derived.installation import install
from calendar_site.derived.models import SearchWord
from events.tasks import forget_words_of_deleted_titles
from tests.factories import EventFactory, VenueFactory
from tests.support.api_client import API
from tests.support.resources import EVENTS, VENUES

pytestmark = pytest.mark.django_db


def suggestion(client, resource, query):
    response = client.get(resource.path, {"search": query, "per_page": 1})
    assert response.json()["total"] == 0
    return unquote(response.headers.get("X-Did-You-Mean", ""))


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("saxaphone", "saxophone"),
        ("saxophnoe", "saxophone"),
        ("Saxxophone", "saxophone"),
        ("axophonee", "saxophone"),
        ("nihgt", "night"),
        ("nigt saxophone", "night saxophone"),
        ("nigt saxaphone -loud", "night saxophone -loud"),
        ("ночъ", "ночь"),
        ("qwertyui", ""),
        ("nixxt", ""),
        ("nix", ""),
        ("saxophone trumpet", ""),
        ('"saxaphone night"', ""),
        ("saxophone -night", ""),
    ],
)
def test_misspelled_words_are_corrected(client, content, typed, meant):
    content.make('The "Saxophone" night, ночь')

    assert suggestion(client, content, typed) == meant


def test_a_search_that_finds_something_gets_no_suggestion(client, content):
    content.make("Saxophone")
    content.make("Saxaphone")

    assert "X-Did-You-Mean" not in client.get(content.list("search=saxaphone"))
    assert "X-Did-You-Mean" not in client.get(content.list("status=publish"))


def test_of_equally_similar_words_the_one_in_most_titles_is_suggested(client, content):
    content.make("Barn")
    content.make("Bird walk")
    content.make("Bird song")

    assert suggestion(client, content, "bard") == "bird"


@pytest.mark.parametrize(
    "fields",
    [
        {"status": "draft"},
        {"status": "pending"},
        {"status": "private"},
        {"status": "trash"},
        {"status": "future", "published_at": datetime(2090, 1, 1, tzinfo=UTC)},
        {"password": "secret"},
        {"hide_from_listings": True},
    ],
    ids=str,
)
def test_words_of_records_that_are_not_public_are_not_suggested(client, editor_api, fields):
    EventFactory(title="Saxophone", description="trumpet", **fields)
    EventFactory(title="Other", description="saxophone solo")

    assert suggestion(client, EVENTS, "saxaphone") == ""
    assert suggestion(editor_api, EVENTS, "saxaphone") == ""
    assert suggestion(client, EVENTS, "trumpett") == ""


@pytest.mark.parametrize(
    ("typed", "meant"), [("saxophone trumpett", "saxophone trumpet"), ("saxaphone trumpet", "saxophone trumpet")]
)
def test_a_public_word_is_right_however_many_drafts_have_it(client, typed, meant):
    VenueFactory.create_batch(101, title="Saxophone", status="draft")
    VenueFactory(title="Saxophone hall")
    VenueFactory(title="Saxophond")
    VenueFactory(title="Trumpet")

    assert suggestion(client, VENUES, typed) == meant


def test_a_word_in_very_many_records_is_not_corrected(client, monkeypatch):
    VenueFactory.create_batch(3, title="Saxophone", status="draft")
    VenueFactory(title="Saxophond")
    assert suggestion(client, VENUES, "saxophone") == "saxophond"

    monkeypatch.setattr(suggestions, "MAX_FOUND_ROWS", 2)
    assert suggestion(client, VENUES, "saxophone") == ""


def test_words_of_deleted_and_renamed_records_are_not_suggested(client, content):
    deleted, renamed = content.make("Saxophone"), content.make("Trumpet")
    type(deleted).objects.filter(pk=deleted.pk).delete()
    renamed.title = "Clarinet"
    renamed.save()

    assert [suggestion(client, content, typed) for typed in ("saxaphone", "trumpett", "clarinett")] == [
        "",
        "",
        "clarinet",
    ]


def test_each_list_suggests_its_own_words(client):
    VenueFactory(title="Saxophone")

    assert suggestion(client, EVENTS, "saxaphone") == ""


def test_the_header_is_percent_encoded_and_exposed(client):
    EventFactory(title="Ночь jazz")

    response = client.get(f"{API}/events?search=ночъ+jazz", headers={"Origin": "https://else.example.org"})

    assert response["X-Did-You-Mean"] == "%D0%BD%D0%BE%D1%87%D1%8C jazz"
    assert "X-Did-You-Mean" in response["Access-Control-Expose-Headers"]


def test_words_are_rebuilt_and_checked(content):
    content.make("Saxophone \\ \"quoted\" 'n' [x] {y} \u00e9t\u00e9s")
    words = {data.name: data for data in registry.registered()}[f"words of {content.kind}s"]

    def stored():
        rows = SearchWord.objects.filter(kind=content.kind).order_by("variant", "word")
        return list(rows.values_list("variant", "word"))

    kept = stored()
    assert {word for _variant, word in kept} == {"saxophone", "quoted", "etes"}
    assert ("saxophoe", "saxophone") in kept
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM derived_searchword WHERE word = 'quoted'")
    assert words.count_differences() == 1
    install()
    assert (words.count_differences(), stored()) == (0, kept)


@given(st.text("abc", max_size=6), st.text("abc", max_size=6))
def test_changes_are_counted_in_both_directions(word, other):
    assert count_changes(word, other) == count_changes(other, word)
    assert (count_changes(word, other) == 0) == (word == other)
    assert count_changes(word, other) <= max(len(word), len(other))


def test_a_search_for_many_words_costs_two_queries_for_each_at_most(client, django_assert_num_queries):
    EventFactory(title="Saxophone")
    words = ["saxaphone", *(f"xy{number}" for number in range(10, 48))]

    # The index, similar words of each, the index for the first one that is wrong and cannot be corrected.
    with django_assert_num_queries(1 + len(words) + 1):
        response = client.get(f"{API}/events", {"search": " ".join(words)})

    assert (response.json()["total"], "X-Did-You-Mean" in response) == (0, False)


def test_a_search_without_result_costs_few_queries(client, django_assert_num_queries):
    EventFactory.create_batch(3, title="Saxophone")

    # The index, similar words, the index for the word, the index and the titles for one of them.
    with django_assert_num_queries(5):
        client.get(f"{API}/events?search=saxaphone")


@pytest.mark.parametrize("has_draft", [False, True])
def test_words_of_hidden_titles_do_not_change_a_suggestion(client, has_draft):
    """The most similar words are compared. A hidden one among them must not take the place of a visible one."""
    for title in ("yxomnaq", "yxomnar", "yxomnas", "yxomnat", "yxomnat again"):
        EventFactory(title=title)
    if has_draft:
        for status in ("draft", "private", "trash", "pending"):
            EventFactory(title=f"zyxomma zyxomn{status[0]}", status=status)
        EventFactory(title="zyxomm", password="secret")
        EventFactory(title="zyxomn", hide_from_listings=True)

    response = client.get(f"{API}/events?search=zyxomna")

    assert response["X-Did-You-Mean"] == "yxomnat"


def test_words_of_deleted_titles_are_deleted_daily(client, content):
    content.make("Saxophone night")
    gone = content.make("Trombone night")
    type(gone).objects.filter(pk=gone.pk).delete()
    kind = gone._meta.model_name

    forget_words_of_deleted_titles.call()

    words = SearchWord.objects.filter(kind=kind)
    assert set(words.values_list("word", flat=True)) == {"saxophone", "night"}
    assert set(words.filter(word="night").values_list("variant", flat=True)) == {
        "night",
        "ight",
        "nght",
        "niht",
        "nigt",
        "nigh",
    }
    assert suggestion(client, content, "saxaphone") == "saxophone"


def test_words_that_are_used_again_meanwhile_stay(content, monkeypatch):
    def find_unused_before_a_write(kind, table):
        unused = find_unused(kind, table)
        if kind == gone._meta.model_name:
            content.make("Trombone again")
        return unused

    find_unused = unused_words.find_unused_words
    gone = content.make("Trombone night")
    type(gone).objects.filter(pk=gone.pk).delete()
    monkeypatch.setattr(unused_words, "find_unused_words", find_unused_before_a_write)

    unused_words.delete_unused_words()

    assert set(SearchWord.objects.values_list("word", flat=True)) == {"trombone", "again"}
