"""Methods of querysets that lists use call only what `CompiledQuerySet` records, so that their SQL is compiled once."""

import ast
import inspect

import pytest
from django.db.models import QuerySet

from calendar_site.content.linked_querysets import LinkedQuerySet
from calendar_site.content.querysets import ContentQuerySet
from calendar_site.core.compiled_queries.list_rows import ListRows
from calendar_site.core.compiled_queries.querysets import CompiledQuerySet
from calendar_site.core.search.querysets import SearchQuerySet
from events.index_querysets import IndexedLinkQuerySet, IndexedVenueQuerySet, LinkedActivityQuerySet
from events.models import Event
from events.querysets import EventQuerySet, SeriesQuerySet
from events.scheduled_querysets import ScheduledQuerySet
from organizers.querysets import OrganizerQuerySet
from taxonomy.querysets import TermQuerySet
from venues.querysets import VenueQuerySet

QUERYSETS = [
    SearchQuerySet, ContentQuerySet, LinkedQuerySet, ScheduledQuerySet, EventQuerySet, SeriesQuerySet,
    IndexedLinkQuerySet, IndexedVenueQuerySet, LinkedActivityQuerySet, VenueQuerySet, OrganizerQuerySet, TermQuerySet,
]  # fmt: skip
RECORDED = {name for name in vars(ListRows) if not name.startswith("_")} | {"all"}
DJANGO = {name for name in vars(QuerySet) if not name.startswith("_")} - RECORDED


def unrecorded_calls(tree):
    """The methods of Django's querysets that methods which return `Self` call on their rows, by method."""
    found = {}
    for method in ast.walk(tree):
        if isinstance(method, ast.FunctionDef) and method.returns and ast.unparse(method.returns) == "Self":
            calls = [node.func for node in ast.walk(method) if isinstance(node, ast.Call)]
            names = {call.attr for call in calls if isinstance(call, ast.Attribute) and root_of(call) == "self"}
            if names & DJANGO:
                found[method.name] = names & DJANGO
    return found


def root_of(node):
    while isinstance(node, ast.Attribute | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return getattr(node, "id", "")


@pytest.mark.parametrize("queryset", QUERYSETS)
def test_methods_that_return_rows_are_recorded(queryset):
    assert unrecorded_calls(ast.parse(inspect.getsource(queryset))) == {}


def test_unrecorded_call_is_found():
    tree = ast.parse("""
class Rows:
    def distinct_ones(self) -> Self:
        return self.filter(pk=1).distinct()

    def number(self) -> int:
        return self.count()
""")

    assert unrecorded_calls(tree) == {"distinct_ones": {"distinct"}}


def test_compiled_and_ordinary_rows_have_the_protocol():
    for rows in (CompiledQuerySet(Event), Event.objects.all()):
        assert [name for name in RECORDED if not hasattr(rows, name)] == []
