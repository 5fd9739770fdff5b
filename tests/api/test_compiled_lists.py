"""The filters of every list give the same rows by compiled queries as by ordinary querysets."""

from types import SimpleNamespace

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db.models import F
from django.db.models.functions import Length

from calendar_site.api.lists.filtersets import LinkedFilterSet
from calendar_site.core.compiled_queries.query_shapes import Shape, compile_shape
from calendar_site.core.compiled_queries.querysets import CompiledQuerySet, exists, fetch_columns, fetch_first
from events.filtersets import EventFilterSet
from events.listing.event_list import EventList
from events.models import Event
from organizers.models import Organizer
from taxonomy.filtersets import CategoryFilterSet, TagFilterSet
from taxonomy.models import Category, Tag
from tests.factories import (
    CategoryFactory,
    EventFactory,
    OrganizerFactory,
    SeriesFactory,
    TagFactory,
    TicketFactory,
    UserFactory,
    VenueFactory,
)
from venues.filtersets import VenueFilterSet
from venues.models import Venue

pytestmark = pytest.mark.django_db

PAGINATION = {"page", "per_page"}
# Two values of every parameter: the second one is answered by the query that was compiled for the first.
CONTENT = {
    "search": ["jazz", 'a_b 50% "jazz night" -rock'],
    "status": ["publish", "draft,future"],
    "modified_after": ["2020-01-01", "2040-01-01"],
    "modified_before": ["2020-01-01", "2040-01-01"],
    "timezone": ["America/Halifax", "Asia/Tokyo"],
    "orderby": ["date", "title", "modified"],
    "order": ["asc", "desc"],
}
LINKED = CONTENT | {"event": ["{event}", "{other}"], "has_events": ["1", "0"], "only_with_upcoming": ["1", "0"]}
TERMS = {
    "search": ["jazz", "rock"],
    "include": ["{first},{second}", "{second},{first}"],
    "exclude": ["{first}", "{second}"],
    "order": ["asc", "desc"],
    "orderby": ["count", "id", "slug", "include", "description"],
    "hide_empty": ["false", "true"],
    "post": ["{event}", "{other}"],
    "event": ["{event}", "{other}"],
    "slug": ["jazz", "rock"],
}
QUESTIONS = [
    (
        Event,
        EventFilterSet,
        CONTENT
        | {
            "start_date": ["2029-01-01", "2030-06-01 12:00:00"],
            "end_date": ["2031-01-01", "2030-06-03"],
            "starts_before": ["2030-06-02", "2030-12-31"],
            "starts_after": ["2029-01-01", "2030-06-01"],
            "ends_before": ["2030-06-02", "2031-01-01"],
            "ends_after": ["2030-05-01", "2030-06-01 23:00"],
            "strict_dates": ["1", "0"],
            "categories": ["jazz", "rock"],
            "tags": ["jazz", "rock"],
            "venue": ["{venue}", "{hall}"],
            "organizer": ["{organizer}", "{band}"],
            "featured": ["true", "false"],
            "sold_out": ["true", "false"],
            "free": ["true", "false"],
            "include": ["{event},{other}", "{other},{event}"],
            "post_parent": ["{event}", "{other}"],
            "ticketed": ["true", "false"],
            "geoloc": ["true", "false"],
            "geoloc_lat": ["44.6", "10"],
            "geoloc_lng": ["-63.5", "10"],
            "geoloc_radius": ["10", "20000"],
            "event_status": ["cancelled", "scheduled,postponed"],
            "attendance_mode": ["online", "mixed,in_person"],
            "accessibility": ["step_free", "hearing_loop,step_free"],
            "series": ["{series}", "{own_series}"],
        },
    ),
    (Venue, VenueFilterSet, LINKED | {"accessibility": ["step_free", "hearing_loop,quiet_hour"]}),
    (Organizer, LinkedFilterSet, LINKED),
    (Category, CategoryFilterSet, TERMS | {"parent": ["{first}", "{second}"]}),
    (Tag, TagFilterSet, TERMS),
]


@pytest.fixture
def linked_ids(author):
    """Records that the values find or do not find, and their ids by the names in the values."""
    jazz, rock = CategoryFactory(name="Jazz"), CategoryFactory(name="Rock")
    swing = CategoryFactory(name="Swing", parent=jazz)
    tags = TagFactory(name="Jazz"), TagFactory(name="Rock")
    venue = VenueFactory(title="Jazz club", geo_lat="44.65", geo_lng="-63.57")
    hall = VenueFactory(title="Hall a_b 50% jazz night", status="draft", author=author)
    organizer, band = (
        OrganizerFactory(title="Jazz people"),
        OrganizerFactory(title="Band a_b 50% jazz night", author=author),
    )
    event = EventFactory(
        title="Jazz night a_b at 50%",
        start="2030-06-01 18:00",
        end="2030-06-01 22:00",
        categories=[swing],
        tags=[tags[0]],
        venues=[venue],
        organizers=[organizer],
        featured=True,
    )
    TicketFactory(event=event)
    other = EventFactory(
        title="Rock",
        start="2030-06-02 18:00",
        end="2030-06-20 20:00",
        parent=event,
        categories=[rock],
        tags=[tags[1]],
        venues=[hall],
        organizers=[band],
    )
    EventFactory(title="Jazz draft", status="draft", author=author, start="2030-06-01 18:00", venues=[hall])
    EventFactory(title="Jazz of others", status="draft", start="2030-06-01 18:00", categories=[jazz])
    EventFactory(title="Secret", description="jazz", password="x", start="2030-06-01 18:00", venues=[venue])
    EventFactory(title="Jazz past", start="2020-06-01 18:00", organizers=[organizer])
    dates = {"start": "2030-06-01 10:00", "end": "2030-06-01 11:00"}
    series, own_series = SeriesFactory(**dates), SeriesFactory(**dates, author=author)
    return {"venue": venue.pk, "hall": hall.pk, "organizer": organizer.pk, "band": band.pk, "event": event.pk} | {
        "other": other.pk,
        "series": series.pk,
        "own_series": own_series.pk,
    }


def values_of(name, value, model, ids):
    """Return the arguments with this value of a parameter, and with the parameters that it needs."""
    if model in (Category, Tag):
        first, second = model.objects.order_by("pk")[:2]
        ids = ids | {"first": first.pk, "second": second.pk}
    needed = {"geoloc_lat": {"geoloc_lng": "-63.5"}, "geoloc_lng": {"geoloc_lat": "44.6"}}
    needed["geoloc_radius"] = {"geoloc_lat": "44.6", "geoloc_lng": "-63.5"}
    return needed.get(name, {}) | {name: value.format(**ids)}


def rows_of(model, rows):
    """Return the rows as the view of the list begins with them."""
    return rows.with_published_counts() if model in (Category, Tag) else rows


def list_of(filterset):
    """The list that the parameters ask for, and all its rows."""
    if isinstance(filterset, EventFilterSet):
        events = EventList(filterset.list_query, filterset.queryset)
        return events, events.rows, events.rows
    return filterset, filterset.qs, filterset.counted_rows


def each_question(model, parameters, ids):
    """Yield arguments for every value of every parameter."""
    for name, values in parameters.items():
        for value in values:
            yield values_of(name, value, model, ids)


@pytest.mark.parametrize("role", [None, "author", "editor"])
@pytest.mark.parametrize(("model", "filterset_class", "parameters"), QUESTIONS)
def test_filters_find_the_same_rows_by_compiled_queries(model, filterset_class, parameters, role, author, linked_ids):
    users = {None: AnonymousUser(), "author": author, "editor": UserFactory(role="editor")}
    request = SimpleNamespace(user=users[role])
    found = set()

    for arguments in each_question(model, parameters, linked_ids):
        compiled = filterset_class(arguments, rows_of(model, CompiledQuerySet(model)), request=request)
        ordinary = filterset_class(arguments, rows_of(model, model.objects.all()), request=request)
        # Some statuses and records are only for editors.
        assert compiled.is_valid() == ordinary.is_valid(), arguments
        assert ordinary.is_valid() or role != "editor", arguments
        if ordinary.is_valid():
            records, rows, counted_rows = list_of(compiled)
            expected = list(list_of(ordinary)[1].values_list("pk", flat=True))
            assert [pk for (pk,) in fetch_columns(rows, ("pk",))] == expected, arguments
            assert records.count() == list_of(ordinary)[0].count() == len(expected)
            first = fetch_first(rows, ("pk",), 2, counted_rows)
            assert ([pk for (pk,) in first.rows], first.total) == (expected[:2], len(expected)), arguments
            found.add(tuple(expected))

    assert len(found) > 1


def is_compiled(rows):
    """Return whether the SQL of these rows is compiled once for all values."""
    return isinstance(rows, CompiledQuerySet) and compile_shape(Shape(rows), ("pk",), is_ordered=True) is not None


@pytest.mark.parametrize("role", ["author", "editor"])
@pytest.mark.parametrize(("model", "filterset_class", "parameters"), QUESTIONS)
def test_all_filters_are_compiled(model, filterset_class, parameters, role, linked_ids):
    request = SimpleNamespace(user=UserFactory(role=role))
    ordinary = set()

    for arguments in each_question(model, parameters, linked_ids):
        filterset = filterset_class(arguments, rows_of(model, CompiledQuerySet(model)), request=request)
        assert filterset.is_valid() or role != "editor"
        if filterset.is_valid() and not is_compiled(list_of(filterset)[1]):
            ordinary |= set(arguments)

    assert ordinary == set()


@pytest.mark.parametrize(("model", "filterset_class", "parameters"), QUESTIONS)
def test_every_filter_is_tested(model, filterset_class, parameters):
    assert set(parameters) == set(filterset_class.base_filters) - PAGINATION


def test_no_rows_remain_no_rows_with_more_conditions(django_assert_num_queries):
    event = EventFactory()
    none = CompiledQuerySet(Event).none()
    later = [
        none.filter(pk=event.pk),
        none.exclude(pk=0),
        none.order_by("title").values("pk"),
        none.annotate(number=F("pk")).filter(number=1),
        none.published().visible_to(AnonymousUser()),
    ]

    with django_assert_num_queries(0):
        for rows in later:
            assert (fetch_columns(rows, ("pk",)), rows.count(), rows.fetch_instances()) == ([], 0, [])
        assert fetch_columns(none.annotate(number=F("pk")), ("pk", "number")) == []
        assert list(none.annotate(number=Length("title")).filter(number=1).values("pk", "number")[:3]) == []
    events = CompiledQuerySet(Event)
    assert events.filter(pk__in=none.values("pk")).count() == events.filter(exists(none.filter(pk=1))).count() == 0
    assert events.exclude(pk__in=none.values("pk")).count() == events.filter(~exists(none.filter(pk=1))).count() == 1
