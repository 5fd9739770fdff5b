"""The list of events: its filters, alone and combined, and query counts."""

import pytest
from django.utils.http import urlencode

from tests.factories import (
    CategoryFactory,
    CustomFieldFactory,
    EventFactory,
    ImageFactory,
    OrganizerFactory,
    TagFactory,
    TicketFactory,
    VenueFactory,
)
from tests.support.api_client import API, api_client_for, counted_ids, invalid_params, listed_ids

EVENTS = f"{API}/events"

pytestmark = pytest.mark.django_db


def event_ids(client, query):
    """Return the ids in the list."""
    return counted_ids(client.get(f"{EVENTS}?per_page=100&{query}"), "events")


# --- Venues and organizers

LINKS = [("venue", "venues", VenueFactory), ("organizer", "organizers", OrganizerFactory)]


@pytest.mark.parametrize(("name", "field", "factory"), LINKS)
@pytest.mark.parametrize(
    "query",
    [
        "{name}={one},{two}",
        "{name}={one}, {two}",
        "{name}[]={one}&{name}[]={two}",
        "{name}[0]={one}&{name}[1]={two}",
        "{name}={one}&{name}={two}",
        "{name}={one},{two},{one}",
        "{name}=,{one},,{two},",
    ],
)
def test_events_of_any_of_several_links(client, name, field, factory, query):
    one, two, other = factory(), factory(), factory()
    first, second = EventFactory(**{field: [one]}), EventFactory(**{field: [two]})
    both = EventFactory(**{field: [one, two]})
    EventFactory(**{field: [other]})
    EventFactory()

    # An event with two of them is there once.
    assert event_ids(client, query.format(name=name, one=one.pk, two=two.pk)) == [first.pk, second.pk, both.pk]


@pytest.mark.parametrize(("name", "field", "factory"), LINKS)
def test_item_in_brackets_is_one_link(client, name, field, factory):
    one, two = factory(), factory()
    EventFactory(**{field: [one, two]})

    params = invalid_params(client.get(f"{EVENTS}?{name}[]={one.pk},{two.pk}"))

    label = factory._meta.model._meta.verbose_name_plural.capitalize()
    assert params == {name: f"{label} not found: {one.pk},{two.pk}."}


@pytest.mark.parametrize(("name", "field", "factory"), LINKS)
def test_events_of_one_link(client, name, field, factory):
    one, other = factory(), factory()
    wanted = EventFactory(**{field: [other, one]})
    EventFactory(**{field: [other]})

    assert event_ids(client, f"{name}={one.pk}") == [wanted.pk]
    assert event_ids(client, f"{name}={factory().pk}") == []


@pytest.mark.parametrize(("name", "field", "factory"), LINKS)
@pytest.mark.parametrize(
    "value", ["", ",", "0", "-1", "1.5", "hall", "{known},hall", "{known},999999999", "null", "true"]
)
def test_unknown_links_are_rejected(client, name, field, factory, value):
    known = factory()
    EventFactory(**{field: [known]})

    assert set(invalid_params(client.get(f"{EVENTS}?{name}={value.format(known=known.pk)}"))) == {name}


@pytest.mark.parametrize(("name", "field", "factory"), LINKS)
def test_error_names_the_unknown_ids(client, name, field, factory):
    known = factory()

    assert invalid_params(client.get(f"{EVENTS}?{name}={known.pk},999999998,999999999")) == {
        name: f"{factory._meta.model._meta.verbose_name_plural.capitalize()} not found: 999999998, 999999999."
    }


@pytest.mark.parametrize(("name", "_field", "factory"), LINKS)
def test_links_of_the_list_keep_the_ids(client, name, _field, factory):
    one, two = factory(), factory()

    url = client.get(f"{EVENTS}?{name}[]={two.pk}&{name}[]={one.pk}").json()["rest_url"]

    assert f"{name}={two.pk}%2C{one.pk}&" in url


# --- Categories and tags

TERMS = [("categories", CategoryFactory), ("tags", TagFactory)]


@pytest.mark.parametrize(("name", "factory"), TERMS)
@pytest.mark.parametrize(
    "query",
    [
        "{name}={one.pk},{two.pk}",
        "{name}={one.slug},{two.slug}",
        "{name}={one.slug}, {two.pk}",
        "{name}[]={one.pk}&{name}[]={two.slug}",
        "{name}={one.pk}&{name}={two.pk}",
        "{name}={one.pk},{one.slug},{two.slug}",
    ],
)
def test_events_with_any_of_several_terms(client, name, factory, query):
    one, two, other = (factory(name=word) for word in ("Jazz music", "Blues", "Rock"))
    first, second = EventFactory(**{name: [one]}), EventFactory(**{name: [two]})
    both = EventFactory(**{name: [one, two]})
    EventFactory(**{name: [other]})
    EventFactory()

    assert event_ids(client, query.format(name=name, one=one, two=two)) == [first.pk, second.pk, both.pk]


@pytest.mark.parametrize(("name", "factory"), TERMS)
@pytest.mark.parametrize(
    "value", ["Public Homepage", "public-homepage", "[public-homepage", "PUBLIC HOMEPAGE!", "Start"]
)
def test_terms_are_found_by_slug_name_or_cleaned_text(client, name, factory, value):
    wanted = EventFactory(**{name: [factory(name="Start", slug="public-homepage"), factory(name="Other")]})
    EventFactory(**{name: [factory(name="Home")]})

    assert event_ids(client, urlencode({name: value})) == [wanted.pk]


@pytest.mark.parametrize(("name", "factory"), TERMS)
def test_number_is_an_id_if_there_is_one_else_a_name(client, name, factory):
    """A number never names two terms (D27)."""
    by_id = factory(name="Jazz")
    by_name = factory(name=str(by_id.pk))
    of_id = EventFactory(**{name: [by_id]})
    EventFactory(**{name: [by_name]})

    assert event_ids(client, f"{name}={by_id.pk}") == [of_id.pk]
    assert event_ids(client, f"{name}={by_name.slug}") == [of_id.pk]
    other = factory(name=str(by_name.pk + 1000))
    of_other = EventFactory(**{name: [other]})
    assert event_ids(client, f"{name}={by_name.pk + 1000}") == [of_other.pk]


@pytest.mark.parametrize(("name", "factory"), TERMS)
def test_slug_of_another_script_finds_its_term(client, name, factory):
    wanted = EventFactory(**{name: [factory(name="音楽")]})
    EventFactory()

    assert event_ids(client, f"{name}=音楽") == [wanted.pk]


def test_category_includes_the_events_of_its_subcategories(client):
    music = CategoryFactory(name="Music")
    jazz = CategoryFactory(name="Jazz", parent=music)
    bebop = CategoryFactory(name="Bebop", parent=jazz)
    events = [EventFactory(categories=[category]) for category in (music, jazz, bebop)]
    EventFactory(categories=[CategoryFactory(name="Sports")])

    assert event_ids(client, "categories=music") == [event.pk for event in events]
    assert event_ids(client, f"categories={jazz.pk}") == [event.pk for event in events[1:]]
    assert event_ids(client, "categories=bebop") == [events[2].pk]
    assert event_ids(client, "categories=bebop,music") == [event.pk for event in events]


def test_category_and_tag_together_are_both(client):
    category, tag = CategoryFactory(), TagFactory()
    both = EventFactory(categories=[category], tags=[tag])
    EventFactory(categories=[category])
    EventFactory(tags=[tag])

    assert event_ids(client, f"categories={category.pk}&tags={tag.pk}") == [both.pk]


# --- Marks


@pytest.mark.parametrize("value", ["true", "1", "TRUE"])
def test_featured_events(client, value):
    featured = EventFactory(featured=True)
    EventFactory()

    assert event_ids(client, f"featured={value}") == [featured.pk]


@pytest.mark.parametrize("value", ["false", "0", "False"])
def test_events_that_are_not_featured(client, value):
    EventFactory(featured=True)
    other = EventFactory()

    assert event_ids(client, f"featured={value}") == [other.pk]


def test_events_with_and_without_tickets(client):
    ticketed, free = EventFactory(), EventFactory()
    TicketFactory.create_batch(2, event=ticketed)

    assert event_ids(client, "ticketed=true") == [ticketed.pk]
    assert event_ids(client, "ticketed=false") == [free.pk]
    assert event_ids(client, "") == [ticketed.pk, free.pk]


@pytest.mark.parametrize("value", ["", "2", "yes", "on", "null", "maybe"])
def test_invalid_booleans_are_rejected(client, value):
    assert set(invalid_params(client.get(f"{EVENTS}?featured={value}&ticketed={value}"))) == {"featured", "ticketed"}


def test_parts_of_an_event(client):
    festival = EventFactory()
    parts = [EventFactory(parent=festival) for _ in range(2)]
    EventFactory(parent=parts[0])

    assert event_ids(client, f"post_parent={festival.pk}") == [part.pk for part in parts]
    assert event_ids(client, f"post_parent={parts[1].pk}") == []


@pytest.mark.parametrize("value", ["", "0", "-1", "word", "999999999", "1,2"])
def test_parts_of_no_event_are_refused(client, value):
    EventFactory()

    assert set(invalid_params(client.get(f"{EVENTS}?post_parent={value}"))) == {"post_parent"}


# --- By id


@pytest.mark.parametrize(
    "query", ["include={0},{1}", "include[]={0}&include[]={1}", "include={1}&include={0}", "include= {1} , {0}"]
)
def test_events_by_their_ids(client, query):
    wanted = [EventFactory(), EventFactory(start="2001-01-01 10:00")]
    EventFactory()

    assert event_ids(client, query.format(*(event.pk for event in wanted))) == [event.pk for event in wanted]


def test_ids_pass_over_dates_and_unknown_ones(client):
    past = EventFactory(start="2001-01-01 10:00")
    EventFactory()

    assert event_ids(client, f"include={past.pk},999999999&start_date=2027-01-01&starts_after=2027-01-01") == [past.pk]
    assert event_ids(client, "include=999999999") == []


def test_ids_leave_the_other_filters(client):
    tag = TagFactory()
    first, second = EventFactory(tags=[tag], title="Jazz"), EventFactory(tags=[tag])
    EventFactory(title="Jazz")
    listed = f"include={first.pk},{second.pk}"

    assert event_ids(client, f"{listed}&search=jazz") == [first.pk]
    assert event_ids(client, f"include={first.pk}&tags={tag.pk}") == [first.pk]
    assert event_ids(client, f"{listed}&featured=true") == []


def test_ids_are_paged(client):
    wanted = [EventFactory() for _ in range(3)]

    response = client.get(f"{EVENTS}?per_page=2&page=2&include={','.join(str(event.pk) for event in wanted)}")

    assert listed_ids(response, "events") == [wanted[2].pk]
    assert response["X-TEC-Total"] == "3"


@pytest.mark.parametrize("value", ["", "0", "-1", "1,x", "1.5", "open-air", "9223372036854775808"])
def test_invalid_ids_are_rejected(client, value):
    assert set(invalid_params(client.get(f"{EVENTS}?include={value}"))) == {"include"}


# --- Together


def test_filters_together_narrow_the_list(client):
    venue, organizer, category, tag = VenueFactory(), OrganizerFactory(), CategoryFactory(), TagFactory()
    everything = {
        "venues": [venue],
        "organizers": [organizer],
        "categories": [category],
        "tags": [tag],
        "featured": True,
        "title": "Jazz",
        "start": "2027-05-01 10:00",
    }
    wanted = EventFactory(**everything)
    for lacking in ("venues", "organizers", "categories", "tags"):
        EventFactory(**everything | {lacking: []})
    for other in ({"featured": False}, {"title": "Rock"}, {"start": "2027-05-02 10:00"}, {"status": "draft"}):
        EventFactory(**everything | other)
    query = (
        f"venue={venue.pk}&organizer={organizer.pk}&categories={category.slug}&tags={tag.slug}&featured=1&search=jazz"
        "&start_date=2027-05-01&end_date=2027-05-01&status=publish&ticketed=false"
    )

    assert event_ids(client, query) == [wanted.pk]


def test_response_reports_every_validation_error(client):
    query = (
        "page=0&per_page=x&start_date=soon&end_date=&starts_before=0&starts_after=x&ends_before=x&ends_after=x"
        "&strict_dates=x&search=&categories=none&tags=none&venue=x&organizer=999999999&featured=x&status=draft"
        "&include=x&post_parent=x&ticketed=x"
    )

    response = client.get(f"{EVENTS}?{query}&unknown=1")

    names = {part.partition("=")[0] for part in query.split("&")}
    params = invalid_params(response)
    assert set(params) == names
    assert all(params.values())
    assert set(response.json()["data"]["details"]) == names


def test_response_reports_only_the_invalid_parameter(client):
    EventFactory()

    assert set(invalid_params(client.get(f"{EVENTS}?page=1&search=event&venue=x&featured=true"))) == {"venue"}


# --- Queries


def everything_linked():
    """An event with all that an answer shows beside its own row."""
    CustomFieldFactory()
    event = EventFactory(
        image=ImageFactory(),
        custom_values={"field": "value"},
        venues=VenueFactory.create_batch(2),
        organizers=OrganizerFactory.create_batch(2),
        categories=CategoryFactory.create_batch(2),
        tags=TagFactory.create_batch(2),
    )
    TicketFactory.create_batch(2, event=event)
    return event


# Count, ids of the page, renderings, the state of linked records, venues, organizers, categories, tags, images, custom
# fields. Outside of a test, a process has copies of the last six.
LIST = 10


@pytest.mark.parametrize("count", [1, 3])
def test_list_costs_the_same_for_few_and_many(client, django_assert_num_queries, count):
    for _ in range(count):
        everything_linked()

    with django_assert_num_queries(LIST):
        response = client.get(EVENTS)

    assert response["X-TEC-Total"] == str(count)


@pytest.mark.parametrize("count", [1, 3])
def test_filtered_list_costs_the_same_for_few_and_many(client, django_assert_num_queries, count):
    events = [everything_linked() for _ in range(count)]

    def asked(name):
        return ",".join(str(row.pk) for event in events for row in getattr(event, name).all())

    query = (
        f"venue={asked('venues')}&organizer={asked('organizers')}&categories={asked('categories')}"
        f"&tags={asked('tags')}&search=event&ends_after=now&ticketed=true&featured=false&status=publish"
    )

    # One to know each kind of link, the long events that still run, and the index of the search text.
    with django_assert_num_queries(LIST + 4 + 1 + 1):
        response = client.get(f"{EVENTS}?{query}")

    assert response["X-TEC-Total"] == str(count)


@pytest.mark.parametrize("count", [1, 3])
def test_list_of_an_editor_costs_the_same_for_few_and_many(editor, django_assert_num_queries, count):
    client = api_client_for(editor)
    client.get(EVENTS)  # the use of the password is noted once a minute
    for _ in range(count):
        everything_linked()

    # The account, and its permissions.
    with django_assert_num_queries(LIST + 1 + 1):
        response = client.get(EVENTS)

    assert response["X-TEC-Total"] == str(count)


@pytest.mark.parametrize("count", [1, 3])
def test_single_read_costs_the_same_for_few_and_many_links(client, django_assert_num_queries, count):
    CustomFieldFactory.create_batch(count)
    event = EventFactory(
        image=ImageFactory(),
        custom_values={"field": "value"},
        venues=VenueFactory.create_batch(count),
        organizers=OrganizerFactory.create_batch(count),
        categories=CategoryFactory.create_batch(count),
        tags=TagFactory.create_batch(count),
    )
    TicketFactory.create_batch(count, event=event)

    with django_assert_num_queries(LIST - 1):
        client.get(f"{EVENTS}/{event.pk}")
    with django_assert_num_queries(LIST - 1):
        client.get(f"{EVENTS}/by-slug/{event.slug}")


def test_empty_list_loads_no_links(client, django_assert_num_queries):
    EventFactory(status="draft")

    with django_assert_num_queries(1):  # count
        client.get(EVENTS)


# --- Behind a password


def test_editors_find_events_by_what_their_password_hides(client, editor_api):
    venue, organizer, category, tag = VenueFactory(), OrganizerFactory(), CategoryFactory(), TagFactory()
    event = EventFactory(
        password="sesame",
        venues=[venue],
        organizers=[organizer],
        categories=[category],
        tags=[tag],
        featured=True,
        description="A supper",
    )
    TicketFactory(event=event)

    for query in (
        f"venue={venue.pk}",
        f"organizer={organizer.pk}",
        f"categories={category.pk}",
        f"tags={tag.pk}",
        "featured=true",
        "ticketed=true",
        "search=supper",
    ):
        assert event_ids(editor_api, query) == [event.pk]
        assert event_ids(client, query) == []
