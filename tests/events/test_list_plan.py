"""The plans of lists of events: which rows are read, in which order, and how the total is found."""

from types import SimpleNamespace

import pytest
from django.contrib.auth.models import AnonymousUser

from calendar_site.api.lists.orders import Order
from calendar_site.api.lists.pagination import Page
from calendar_site.core.search.geo import Circle
from events.filtersets import EventFilterSet
from events.listing.conditions import CONDITIONS, Index
from events.listing.plan import Counting, CountPlan, RowsPlan, plan_page, plan_rows, plan_total
from events.listing.query import EventListQuery

CIRCLE = Circle(41.9, 12.5, 25)
FEW_EVENTS = Page(1, 10, 400)
# A page of a list that has a tenth of all events, or most of them.
SPARSE, DENSE = Page(1, 10, 1000), Page(1, 10, 9000)
PLACES = frozenset({"geoloc", "geoloc_lat"})


def query_of(orderby="start_date", direction="asc", **values):
    circle = CIRCLE if "geoloc_lat" in values and "include" not in values else None
    filters = dict.fromkeys(values)
    order = Order(orderby, direction, "start_date", "asc", EventFilterSet.order_columns)
    return EventListQuery(AnonymousUser(), values, order, circle=circle, filters=filters)


def figures_of(**changes):
    """A calendar with 10,000 events, where few venues are in the circle."""
    usual = {
        "is_sqlite": True,
        "newest_id": 10_000,
        "has_most_venues": False,
        "venue_ids": [1, 2],
        "has_many_events": False,
    }
    return SimpleNamespace(**usual | changes)


@pytest.mark.parametrize(
    ("values", "links"),
    [
        ({}, ""),
        ({"venue": [1]}, "venue"),
        ({"categories": [1], "venue": [2]}, "venue"),
        ({"tags": [1], "categories": [2]}, "tags"),
        ({"organizer": [1], "status": ["publish"], "ends_after": None}, "organizer"),
        ({"ticketed": True}, "ticketed"),
        ({"ticketed": False}, ""),
        ({"ticketed": True, "series": 1}, ""),
        ({"venue": [1], "featured": True, "event_status": ["cancelled"]}, "venue"),
        # Links do not have the column of the order.
        ({"venue": [1], "orderby": "title"}, ""),
        ({"venue": [1], "orderby": "end_date"}, "venue"),
        # Links cannot answer these.
        ({"venue": [1], "search": "jazz"}, ""),
        ({"venue": [1], "accessibility": ["step_free"]}, ""),
        ({"venue": [1], "sold_out": True}, ""),
        ({"venue": [1], "include": [1, 2]}, ""),
        # Pages need the distance.
        ({"venue": [1], "geoloc_lat": 41.9}, ""),
    ],
)
def test_rows_are_links_if_they_can_answer_every_parameter(values, links):
    query = query_of(**values)

    assert plan_rows(query) == RowsPlan(links=links)


IN_ORDER, BY_END = RowsPlan(found_by=Index.ORDER), RowsPlan(found_by=Index.END)


def looked_up(links):
    return RowsPlan(links=links, is_ordered=False, looks_up_events=True)


@pytest.mark.parametrize(
    ("order", "values", "page", "expected"),
    [
        (("start_date", "asc"), {}, DENSE, RowsPlan()),
        (("title", "asc"), {}, FEW_EVENTS, RowsPlan()),
        (("title", "asc"), {}, DENSE, IN_ORDER),
        (("title", "desc"), {}, DENSE, IN_ORDER),
        (("modified", "desc"), {}, DENSE, IN_ORDER),
        # The oldest changes are those of past events.
        (("modified", "asc"), {}, DENSE, RowsPlan()),
        # A later page is past the events that most lists have.
        (("title", "asc"), {}, Page(800, 10, 9000), RowsPlan(found_by=Index.ORDER)),
        (("title", "asc"), {}, Page(100, 10, 1000), RowsPlan()),
        (("end_date", "asc"), {}, SPARSE, BY_END),
        (("end_date", "desc"), {}, SPARSE, BY_END),
        (("end_date", "asc"), {}, FEW_EVENTS, RowsPlan()),
        # The index would begin with events that start too late.
        (("end_date", "desc"), {"starts_before": None}, DENSE, RowsPlan()),
        (("end_date", "asc"), {"starts_before": None}, DENSE, BY_END),
        (("end_date", "asc"), {"include": [1]}, DENSE, RowsPlan()),
        (("end_date", "asc"), {"venue": [1]}, DENSE, RowsPlan(links="venue")),
        # The links of several records would have to be merged.
        (("start_date", "asc"), {"venue": [1, 2]}, DENSE, RowsPlan()),
        (("start_date", "asc"), {"venue": [1, 2]}, FEW_EVENTS, RowsPlan(links="venue")),
        (("date", "desc"), {"venue": [1, 2]}, DENSE, RowsPlan(links="venue")),
        (("title", "asc"), {"venue": [1]}, FEW_EVENTS, looked_up("venue")),
        (("title", "asc"), {"venue": [1], "series": 1}, FEW_EVENTS, RowsPlan()),
        (("title", "asc"), {"venue": [1], "search": "x"}, FEW_EVENTS, RowsPlan()),
        (("start_date", "asc"), {"geoloc_lat": 41.9}, FEW_EVENTS, looked_up("geoloc_lat")),
        (("start_date", "asc"), {"geoloc_lat": 41.9}, DENSE, RowsPlan()),
        (("date", "desc"), {"geoloc_lat": 41.9}, DENSE, looked_up("geoloc_lat")),
        (("start_date", "asc"), {"geoloc_lat": 41.9, "venue": [1]}, FEW_EVENTS, looked_up("venue")),
        (("start_date", "asc"), {"geoloc_lat": 41.9, "tags": [1]}, FEW_EVENTS, looked_up("geoloc_lat")),
    ],
)
def test_pages_are_found_by_what_reads_the_fewest_rows(order, values, page, expected):
    assert plan_page(query_of(*order, **values), figures_of(), page) == expected


def test_postgresql_chooses_the_index_of_an_order_itself():
    assert plan_page(query_of("title"), figures_of(is_sqlite=False), DENSE) == RowsPlan()
    assert plan_page(query_of("end_date"), figures_of(is_sqlite=False), DENSE) == BY_END


def counted(rows, counting=Counting.ROWS):
    return CountPlan(counting, rows)


def unordered(links="", without=frozenset()):
    return RowsPlan(links=links, is_ordered=False, without=frozenset(without))


def days(*minus):
    without = frozenset(name for _plan, name in minus)
    rows = unordered(without=without) if minus else RowsPlan()
    return CountPlan(Counting.DAYS, rows, minus=tuple(each for each, _name in minus))


def other_values(name, without):
    return CountPlan(Counting.OTHER_VALUES, unordered(without=without), parameter=name), name


TICKETS_APART = CountPlan(Counting.EVENTS_OF_LINKS, unordered("ticketed", {"ticketed"})), "ticketed"
ELSEWHERE = CountPlan(Counting.EVENTS_ELSEWHERE, unordered(without={"geoloc"}))


@pytest.mark.parametrize(
    ("values", "figures", "expected"),
    [
        ({}, {}, days()),
        ({"featured": True, "ends_after": None, "page": 2}, {}, days()),
        ({"event_status": ["scheduled"]}, {}, days(other_values("event_status", {"event_status"}))),
        ({"ticketed": False}, {}, days(TICKETS_APART)),
        (
            {"event_status": ["scheduled"], "attendance_mode": ["in_person"]},
            {},
            days(
                other_values("event_status", {"event_status", "attendance_mode"}),
                other_values("attendance_mode", {"attendance_mode"}),
            ),
        ),
        ({"event_status": ["cancelled"]}, {}, counted(RowsPlan())),
        ({"search": "jazz"}, {}, counted(RowsPlan())),
        ({"sold_out": True, "venue": [1]}, {}, counted(RowsPlan())),
        ({"venue": [1]}, {}, counted(RowsPlan(links="venue"))),
        ({"venue": [1, 2]}, {}, counted(unordered("venue"), Counting.EVENTS_OF_LINKS)),
        ({"ticketed": True}, {}, counted(RowsPlan(links="ticketed"))),
        ({"categories": [1]}, {}, counted(RowsPlan(links="categories"), Counting.DAYS_OF_TERM)),
        ({"tags": [1], "start_date": None}, {}, counted(RowsPlan(links="tags"), Counting.DAYS_OF_TERM)),
        # The tallies of terms do not know these.
        ({"tags": [1], "featured": True}, {}, counted(RowsPlan(links="tags"))),
        ({"tags": [1], "status": ["publish"]}, {}, counted(RowsPlan(links="tags"))),
        ({"geoloc": False}, {}, days((CountPlan(Counting.EVENTS_OF_LINKS, unordered("geoloc", {"geoloc"})), "geoloc"))),
        ({"geoloc": False}, {"has_most_venues": True}, ELSEWHERE),
        ({"geoloc": True}, {"has_most_venues": True}, days((ELSEWHERE, "geoloc"))),
        ({"geoloc": True}, {}, counted(RowsPlan())),
        ({"geoloc": True}, {"has_many_events": True}, counted(unordered("geoloc"), Counting.EVENTS_OF_LINKS)),
        ({"geoloc_lat": 41.9}, {}, counted(unordered("geoloc_lat"), Counting.EVENTS_OF_LINKS)),
        ({"geoloc_lat": 41.9}, {"venue_ids": [*range(501)]}, counted(unordered())),
        (
            {"geoloc_lat": 41.9},
            {"venue_ids": [*range(501)], "has_many_events": True},
            counted(unordered("geoloc_lat"), Counting.EVENTS_OF_LINKS),
        ),
        (
            {"geoloc_lat": 41.9},
            {"has_most_venues": True},
            days((CountPlan(Counting.EVENTS_ELSEWHERE, unordered(without={"geoloc_lat"})), "geoloc_lat")),
        ),
        ({"geoloc_lat": 41.9, "venue": [1]}, {}, counted(unordered("venue"))),
        ({"include": [1], "geoloc_lat": 41.9}, {}, counted(RowsPlan())),
    ],
)
def test_totals_come_from_what_counts_the_fewest_rows(values, figures, expected):
    assert plan_total(query_of(**values), figures_of(**figures)) == expected


def test_every_parameter_has_a_condition():
    """A parameter that is not in the table is answered by its own filter, which only has an effect on a column."""
    others = EventFilterSet.base_filters.keys() - CONDITIONS.keys()

    assert {name: EventFilterSet.base_filters[name].method for name in others} == dict.fromkeys(others)
    assert CONDITIONS.keys() <= EventFilterSet.base_filters.keys()
