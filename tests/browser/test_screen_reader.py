"""What a screen reader says of a month. After a change, read `month.txt` aloud before you accept it."""

from pathlib import Path

TRANSCRIPT = Path(__file__).parent / "screen_reader" / "month.txt"


def test_month_as_a_screen_reader_says_it(nobody):
    nobody.goto("/events/2042-06/")

    said = nobody.get_by_role("table").aria_snapshot()

    assert said.replace(nobody.url.partition("/events/")[0], "") == TRANSCRIPT.read_text(encoding="utf-8").rstrip("\n")
