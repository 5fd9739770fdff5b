"""Text made comparable."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calendar_site.content.text import fold, name_key, words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Café", "CAFE"),
        ("Cafe\u0301", "café"),
        ("Straße", "STRASSE"),
        ("Łódź", "lodz"),
        ("Æther", "aether"),
        ("İstanbul", "istanbul"),
        ("ΛΟΓΟΣ", "λόγος"),
        ("ﬁlm", "FILM"),
        ("ｆｕｌｌ", "full"),
        ("Ёлка", "ЕЛКА"),
    ],
)
def test_texts_that_read_alike_are_alike(one, other):
    assert fold(one) == fold(other)


@pytest.mark.parametrize(("one", "other"), [("a", "b"), ("o", "0"), ("が", "か"), ("C", "C++")])
def test_texts_that_read_differently_are_apart(one, other):
    assert fold(one) != fold(other)


@given(st.text(max_size=80))
def test_folding_twice_changes_nothing(text):
    assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize(
    ("query", "expected"),
    [("Jazz  jazz JÁZZ blues", ["jazz", "blues"]), ("", []), (" \t\n", []), ("´", []), ("ac/dc", ["ac/dc"])],
)
def test_words_of_a_search_are_each_once(query, expected):
    assert words(query) == expected


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("Town  Hall", " town hall", True),
        ("STRASSE", "straße", True),
        ("Café", "Cafe", False),
        ("Hall", "Hall 2", False),
    ],
)
def test_names_are_the_same_but_for_capitals_and_blanks(one, other, is_same):
    assert (name_key(one) == name_key(other)) is is_same
