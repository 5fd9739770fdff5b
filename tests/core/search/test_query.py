"""The grammar of search queries."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calendar_site.core.search.query import SearchQuery
from calendar_site.core.text.plain_text import normalize_for_search


@pytest.mark.parametrize(
    ("text", "required", "excluded"),
    [
        ("Jazz  jazz JÁZZ blues", ["jazz", "blues"], []),
        ("jazz,blues+soul", ["jazz", "blues", "soul"], []),
        ("ac/dc open-air", ["ac/dc", "open-air"], []),
        ('"Open   Air" jazz', ["open air", "jazz"], []),
        ("“Open Air” «deux mots»", ["open air", "deux mots"], []),
        ('jazz "open air', ["jazz", "open air"], []),
        ('rock"n"roll', ["rock", "n", "roll"], []),
        ("jazz -blues", ["jazz"], ["blues"]),
        ("jazz –blues", ["jazz"], ["blues"]),
        ('-"open air" jazz', ["jazz"], ["open air"]),
        ("-blues", [], ["blues"]),
        ("jazz - blues", ["jazz", "blues"], []),
        ("jazz -- blues — soul", ["jazz", "blues", "soul"], []),
        ("O’Reilly’s", ["o'reilly's"], []),
        ("", [], []),
        (' \t\n , + - "" -"', [], []),
    ],
)
def test_words_phrases_and_exclusions(text, required, excluded):
    assert SearchQuery.parse(text) == (tuple(required), tuple(excluded))


@given(st.text(max_size=200))
def test_every_letter_of_a_text_is_in_a_term(text):
    query = SearchQuery.parse(text)
    terms = [*query.required, *query.excluded]

    assert all(term and term == term.strip() for term in terms)
    assert {char for char in normalize_for_search(text) if char.isalnum()} <= {char for term in terms for char in term}
