"""Constraints of categories and tags in the database."""

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import F

from taxonomy.models import Category
from tests.factories import CategoryFactory, TagFactory

pytestmark = pytest.mark.django_db

CYCLE = "A category cannot be below itself."


@pytest.fixture
def line():
    """Three categories, each below the one before."""
    top = CategoryFactory(name="Top")
    middle = CategoryFactory(name="Middle", parent=top)
    return top, middle, CategoryFactory(name="Bottom", parent=middle)


def parents():
    return dict(Category.objects.order_by("pk").values_list("name", "parent__name"))


def execute(sql, *arguments):
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql, arguments)


@pytest.mark.parametrize("place", [0, 1, 2])
def test_cycle_is_refused_by_sql(line, place):
    before = parents()

    with pytest.raises(IntegrityError):
        execute("UPDATE taxonomy_category SET parent_id = %s WHERE id = %s", line[place].pk, line[0].pk)

    assert parents() == before


def test_cycle_is_refused_by_updates_of_many_rows(line):
    top, _middle, bottom = line
    before = parents()

    with pytest.raises(IntegrityError), transaction.atomic():
        Category.objects.filter(pk=top.pk).update(parent=bottom)
    with pytest.raises(IntegrityError), transaction.atomic():
        Category.objects.update(parent=F("pk"))
    top.parent = bottom
    with pytest.raises(IntegrityError, match=CYCLE), transaction.atomic():
        Category.objects.bulk_update([top], ["parent"])

    assert parents() == before


def test_category_that_is_made_below_itself_is_refused(line):
    top = line[0]
    columns = "name, name_key, slug, description, event_count, search_text"

    with pytest.raises(IntegrityError):
        execute(f"INSERT INTO taxonomy_category (id, parent_id, {columns}) SELECT 9999, 9999, 'x', 'x', 'x', '', 0, ''")
    execute(
        f"INSERT INTO taxonomy_category (id, parent_id, {columns}) SELECT 9999, %s, 'x', 'x', 'x', '', 0, ''", top.pk
    )

    assert Category.objects.get(pk=9999).parent == top


def test_moves_that_make_no_cycle_are_allowed(line):
    top, middle, bottom = line

    execute("UPDATE taxonomy_category SET parent_id = NULL WHERE id = %s", middle.pk)
    execute("UPDATE taxonomy_category SET parent_id = %s WHERE id = %s", bottom.pk, top.pk)
    execute("UPDATE taxonomy_category SET name = name")

    assert parents() == {"Top": "Bottom", "Middle": None, "Bottom": "Middle"}


@pytest.mark.parametrize("factory", [CategoryFactory, TagFactory])
def test_slug_is_unique(factory):
    first, second = factory(), factory()

    with pytest.raises(IntegrityError), transaction.atomic():
        type(second).objects.filter(pk=second.pk).update(slug=first.slug)
