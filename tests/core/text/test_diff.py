"""Comparing two texts, and HTML as the lines that are compared."""

import pytest

from calendar_site.core.text.diff import MAX_WORDS, html_to_compared_lines, side_by_side


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("", ""),
        ("<p>a\nb</p>\n<p>c &lt; d<br>e</p>", "a b\nc < d\ne"),
        (
            '<p>See <a title="t" href="https://example.org/?a=1&amp;b">this</a></p>',
            "See this <https://example.org/?a=1&b>",
        ),
        ('<p><img alt="x" src="/media/a.jpg"></p>', "</media/a.jpg>"),
        ("<ol><li>one</li><li><em>two</em></li></ol>", "• one\n• *two*"),
    ],
)
def test_html_to_compared_lines(markup, text):
    assert html_to_compared_lines(markup) == text


def test_side_by_side_splits_texts_into_pieces():
    before, after = side_by_side("Doors open at seven, all day", "Doors open late at eight, all day")

    assert [tuple(piece) for piece in before] == [("Doors open at ", False), ("seven", True), (", all day", False)]
    assert [tuple(piece) for piece in after] == [
        ("Doors open ", False),
        ("late", True),
        (" at ", False),
        ("eight", True),
        (", all day", False),
    ]
    assert side_by_side("Hall\nOld hall", "Old house\nHall", by_words=False) == (
        [("Hall\n", False), ("Old hall", True)],
        [("Old house", True), ("\nHall", False)],
    )
    assert side_by_side("Tea", "Green Tea") == ([("Tea", False)], [("Green", True), (" Tea", False)])
    assert side_by_side("One two", "One\ntwo") == ([("One ", False), ("two", True)], [("One\n", False), ("two", True)])
    assert side_by_side("", "New") == ([], [("New", True)])


def test_long_runs_of_blanks_collapse_quickly():
    assert html_to_compared_lines(f"<p>a{' ' * 10**6}b{'&nbsp;' * 10**5}c{'<br>' * 10**5}d</p>") == "a b c\nd"


@pytest.mark.parametrize(("count", "is_compared"), [(MAX_WORDS - 3, True), (MAX_WORDS - 2, False)])
def test_side_by_side_compares_words_up_to_the_limit(count, is_compared):
    before, after = (" ".join(f"{letter}{number}" for number in range(count)) for letter in "ab")

    left, right = side_by_side(f"x {before} same y", f"z {after} same v")

    assert [piece.is_changed for piece in left] == [piece.is_changed for piece in right]
    assert [piece.is_changed for piece in left] == ([True, False, True] if is_compared else [True])
    assert "".join(piece.text for piece in left) == f"x {before} same y"


def test_long_texts_are_compared_quickly():
    before = "same " + " ".join(f"a{n}" for n in range(20_000)) + " end"
    after = "same " + " ".join(f"b{n}" for n in range(20_000)) + " end"

    left, right = side_by_side(before, after)

    assert [piece.is_changed for piece in left] == [piece.is_changed for piece in right] == [False, True, False]
