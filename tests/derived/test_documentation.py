"""docs/architecture.md names all derived data, and its code works."""

import re

import pytest
from django.db import connection

from calendar_site.derived.registry import registered
from tests.factories import VenueFactory
from tests.support.api_client import listed_ids
from tests.support.programs import ROOT
from tests.support.resources import VENUES
from venues.models import Venue

_before, _title, CHAPTER = (ROOT / "docs/architecture.md").read_text(encoding="utf-8").partition("\n## Derived data\n")


def test_every_kind_of_derived_data_has_a_row():
    first_section, *_others = CHAPTER.partition("\n### ")
    names = [name for row in re.findall(r"^\| ([^|]+) \|", first_section, re.MULTILINE)[1:] for name in row.split(", ")]

    assert sorted(names) == sorted(data.name for data in registered())


@pytest.mark.django_db
def test_the_code_updates_search_texts_after_sql(client):
    renamed = VenueFactory(title="Old hall")
    VenueFactory(title="Other")
    with connection.cursor() as cursor:
        cursor.execute("UPDATE venues_venue SET title = 'Philharmonic' WHERE id = %s", [renamed.pk])
    (code,) = re.findall(r"```python not-run\n(.+?)```", CHAPTER, re.DOTALL)

    exec(code, {"Venue": Venue})  # noqa: S102

    assert listed_ids(client.get(f"{VENUES.path}?search=philharmonic"), "venues") == [renamed.pk]
