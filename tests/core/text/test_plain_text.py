"""Normalizing text for comparison."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calendar_site.core.text.plain_text import name_key, normalize_for_search


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
        ("Stadt\u00adteil\u00adfest", "stadtteilfest"),
        ("zero\u200bwidth\u2060joined", "zerowidthjoined"),
        ("می\u200cخواهم", "میخواهم"),
        ("مَدْرَسَة", "مدرسه"),
        ("مـــوسيقى", "موسيقي"),
        ("أحمد", "احمد"),
        ("کتاب", "كتاب"),
        ("ﻣﻮﺳﻴﻘﻰ", "موسيقى"),
        ("שָׁלוֹם", "שלום"),
        ("한글", "한글"),
        ("Tiê\u0301ng Viê\u0323t", "tieng viet"),
        ("☀\ufe0f sun", "☀ sun"),
    ],
)
def test_texts_that_differ_in_case_or_accents_are_equal(one, other):
    assert normalize_for_search(one) == normalize_for_search(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a", "b"),
        ("o", "0"),
        ("が", "か"),
        ("C", "C++"),
        ("कि", "की"),
        ("क", "कि"),
        ("นำ", "นา"),
        ("דב", "דג"),
        ("سلام", "سلم"),
    ],
)
def test_texts_with_other_letters_differ(one, other):
    assert normalize_for_search(one) != normalize_for_search(other)


@given(st.text(max_size=80))
def test_normalizing_twice_changes_nothing(text):
    assert normalize_for_search(normalize_for_search(text)) == normalize_for_search(text)


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("Town  Hall", " town hall", True),
        ("STRASSE", "straße", True),
        ("Café", "Cafe", False),
        ("Caf\u00e9", "Cafe\u0301", True),
        ("Stadt\u00adfest", "Stadtfest", True),
        ("\u200bStadtfest\ufeff", "stadtfest", True),
        ("שָׁלוֹם", "שלום", True),
        ("مَدْرَسَة", "مدرسة", True),
        ("مدرسة", "مدرسه", False),
        ("कि", "की", False),
        ("Hall", "Hall 2", False),
    ],
)
def test_name_key_ignores_case_and_blanks(one, other, is_same):
    assert (name_key(one) == name_key(other)) is is_same
