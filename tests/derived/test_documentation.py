"""docs/derived-data.md names all derived data."""

import re

from calendar_site.derived.registry import registered
from tests.support.programs import ROOT


def test_every_kind_of_derived_data_has_a_row():
    page = (ROOT / "docs/derived-data.md").read_text(encoding="utf-8")
    names = [name for row in re.findall(r"^\| ([^|]+) \|", page, re.MULTILINE)[1:] for name in row.split(", ")]

    assert sorted(names) == sorted(data.name for data in registered())
