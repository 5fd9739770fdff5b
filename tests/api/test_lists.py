"""All lists: the envelope, pages and links."""

from datetime import UTC, datetime
from urllib.parse import parse_qsl, urlsplit

import pytest

from tests.factories import CategoryFactory, EventFactory, OrganizerFactory, TagFactory, VenueFactory
from tests.support.api_client import API, invalid_params, link_header, listed_ids
from tests.support.resources import CATEGORIES, CONTENT, EVENTS, TAGS, TERMS

NOW = datetime(2027, 3, 10, 12, tzinfo=UTC)

pytestmark = pytest.mark.time_machine(NOW, tick=False)
WINDOW = {"start_date": "2027-03-09 00:00:00", "end_date": "2029-03-10 23:59:59"}
NO_NUMBERS = ["0", "-1", "1.5", "", "x", "1,2", "1e3", "0x10", "true", "null", "١", "9" * 30, "9223372036854775808"]


# What the header `Link` says of lists alone.
PAGES = ("next", "prev")


def address_and_query(url):
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}{parts.path}", dict(parse_qsl(parts.query))


def page_of(resource, **query):
    """A page of a list as a link names it, taken apart."""
    base = dict(parse_qsl(resource.arguments)) | (WINDOW if resource is EVENTS else {})
    return f"http://testserver{resource.path}", base | query


def page_links(response):
    """The pages that the `Link` header leads to, taken apart."""
    return {relation: address_and_query(url) for relation, url in link_header(response).items() if relation in PAGES}


def make_three(resource):
    """Three records in the order of their list, and their ids."""
    rows = [resource.make(f"Record {number}") for number in (1, 2, 3)]
    # What is linked is listed by publication, the newest first.
    return [row.pk for row in (rows if resource in (EVENTS, *TERMS) else reversed(rows))]


# --- The envelope


def test_empty_list_is_a_page_of_nothing(client, resource):
    response = client.get(resource.list())

    body = response.json()
    assert address_and_query(body.pop("rest_url")) == page_of(resource)
    assert body == {resource.collection: [], "total": 0, "total_pages": 0}
    assert response.status_code == 200
    assert response["X-TEC-Total"] == "0"
    assert response["X-TEC-TotalPages"] == "0"
    assert page_links(response) == {}
    assert response["Content-Type"] == "application/json; charset=utf-8"


def test_first_page(client, resource):
    first, second, _third = make_three(resource)

    response = client.get(resource.list("per_page=2"))

    body = response.json()
    following = page_of(resource, per_page="2", page="2")
    assert [record["id"] for record in body.pop(resource.collection)] == [first, second]
    assert address_and_query(body.pop("rest_url")) == page_of(resource, per_page="2")
    assert address_and_query(body.pop("next_rest_url")) == following
    assert body == {"total": 3, "total_pages": 2}
    assert (response["X-TEC-Total"], response["X-TEC-TotalPages"]) == ("3", "2")
    assert page_links(response) == {"next": following}


def test_page_in_the_middle(client, resource):
    _first, second, _third = make_three(resource)

    response = client.get(resource.list("per_page=1&page=2"))

    body = response.json()
    # The link to the first page names no number.
    following, previous = page_of(resource, per_page="1", page="3"), page_of(resource, per_page="1")
    assert [record["id"] for record in body.pop(resource.collection)] == [second]
    assert address_and_query(body.pop("rest_url")) == page_of(resource, per_page="1", page="2")
    assert address_and_query(body.pop("next_rest_url")) == following
    assert address_and_query(body.pop("previous_rest_url")) == previous
    assert body == {"total": 3, "total_pages": 3}
    assert page_links(response) == {"next": following, "prev": previous}


def test_last_page(client, resource):
    *_others, third = make_three(resource)

    response = client.get(resource.list("per_page=2&page=2"))

    body = response.json()
    previous = page_of(resource, per_page="2")
    assert [record["id"] for record in body.pop(resource.collection)] == [third]
    assert address_and_query(body.pop("rest_url")) == page_of(resource, per_page="2", page="2")
    assert address_and_query(body.pop("previous_rest_url")) == previous
    assert body == {"total": 3, "total_pages": 2}
    assert page_links(response) == {"prev": previous}


def test_links_lead_through_the_whole_list(client, resource):
    expected = make_three(resource)

    response, found = client.get(resource.list("per_page=1")), []
    while True:
        found += listed_ids(response, resource.collection)
        if "next_rest_url" not in response.json():
            break
        response = client.get(response.json()["next_rest_url"])

    assert found == expected
    assert listed_ids(client.get(response.json()["previous_rest_url"]), resource.collection) == [expected[1]]


def test_links_keep_what_was_asked_for(client, resource):
    for number in (1, 2):
        resource.make(f"Jazz, Blues & Rock #{number}")

    response = client.get(resource.list("per_page=1&search=jazz%2C+blues+%26+%23&_fields=next_rest_url,total"))

    body = response.json()
    expected = page_of(resource, per_page="1", search="jazz, blues & #", _fields="next_rest_url,total", page="2")
    assert address_and_query(body["next_rest_url"]) == expected
    assert client.get(body["next_rest_url"]).json() == {"total": 2}


def test_unknown_arguments_are_named_and_not_linked(client, resource):
    make_three(resource)

    response = client.get(resource.list("per_page=2&serach=jazz&utm%20x=1&foo[bar]=2&l%C3%A4ng=de"))

    assert response["X-Ignored-Fields"] == "serach, utm%20x, foo, l%C3%A4ng"
    assert address_and_query(response.json()["rest_url"]) == page_of(resource, per_page="2")


def test_known_arguments_are_not_named(client, resource):
    assert "X-Ignored-Fields" not in client.get(resource.list("page=1&per_page=1&search=x&_fields=total&_method=GET"))


# --- Pages that are not there


def test_page_beyond_the_last_is_not_found(client, content):
    make_three(content)

    for path in (content.list("per_page=2&page=3"), content.list("page=9223372036854775807")):
        response = client.get(path)

        body = response.json()
        assert (body["code"], body["data"]) == (f"{content.kind}-archive-page-not-found", {"status": 404})
        assert response.status_code == 404
        assert "X-TEC-Total" not in response
        assert "X-TEC-TotalPages" not in response


def test_second_page_of_nothing_is_not_found(client, content):
    assert client.get(content.list("page=2")).json()["code"] == f"{content.kind}-archive-page-not-found"


@pytest.mark.parametrize("page", [3, 4, 2**62, 2**63 - 1])
def test_lists_of_terms_run_out_into_empty_pages(client, terms, page):
    make_three(terms)

    response = client.get(terms.list(f"per_page=2&page={page}"))

    body = response.json()
    assert (body[terms.collection], body["total"], body["total_pages"]) == ([], 3, 2)
    assert "next_rest_url" not in body
    # Only the page behind the last has a neighbour.
    assert ("previous_rest_url" in body) is (page == 3)
    assert response.status_code == 200


# --- Sizes


def test_default_size_is_nine(client, resource):
    for number in range(10):
        resource.make(f"Record {number}")

    body = client.get(resource.list()).json()

    assert (len(body[resource.collection]), body["total"], body["total_pages"]) == (9, 10, 2)


def test_default_size_is_a_setting(client, resource, settings):
    settings.PER_PAGE_DEFAULT = 2
    make_three(resource)

    body = client.get(resource.list()).json()

    assert (len(body[resource.collection]), body["total_pages"]) == (2, 2)
    assert address_and_query(body["next_rest_url"]) == page_of(resource, page="2")


def test_size_is_clamped_to_the_limit(client, resource, settings):
    settings.PER_PAGE_LIMIT = 2
    make_three(resource)

    body = client.get(resource.list("per_page=3")).json()

    assert (len(body[resource.collection]), body["total_pages"]) == (2, 2)
    assert address_and_query(body["rest_url"]) == page_of(resource, per_page="2")
    assert address_and_query(body["next_rest_url"]) == page_of(resource, per_page="2", page="2")


def test_limit_of_sizes_is_a_hundred(client, resource):
    for asked, used in ((100, "100"), (101, "100"), (2**63 - 1, "100")):
        body = client.get(resource.list(f"per_page={asked}")).json()

        assert address_and_query(body["rest_url"]) == page_of(resource, per_page=used)


@pytest.mark.parametrize("value", NO_NUMBERS)
def test_wrong_pages_and_sizes_are_refused(client, resource, value):
    make_three(resource)

    assert set(invalid_params(client.get(resource.list(f"page={value}&per_page={value}")))) == {"page", "per_page"}


@pytest.mark.parametrize("value", ["2", "02", "%202%20"])
def test_numbers_are_read_as_people_write_them(client, resource, value):
    make_three(resource)

    body = client.get(resource.list(f"per_page={value}")).json()

    assert len(body[resource.collection]) == 2


# --- Arguments


def test_last_of_a_repeated_argument_counts(client, resource):
    make_three(resource)

    body = client.get(resource.list("per_page=x&per_page=3&per_page=1")).json()

    assert len(body[resource.collection]) == 1
    assert address_and_query(body["rest_url"]) == page_of(resource, per_page="1")


@pytest.mark.parametrize("key", ["page[]", "page[0]", "page[a]", "page[a][b]"])
def test_list_or_object_is_no_number(client, resource, key):
    assert set(invalid_params(client.get(resource.list(f"{key}=1")))) == {"page"}


def test_refusal_says_what_is_wrong_with_each_argument(client, resource):
    response = client.get(resource.list("page=0&per_page=x&search="))

    params = {
        "page": "Must be at least 1.",
        "per_page": "Must be a whole number, such as 12.",
        "search": "Must not be empty.",
    }
    assert response.json() == {
        "code": "rest_invalid_param",
        "message": "Invalid parameter(s): page, per_page, search",
        "data": {
            "status": 400,
            "params": params,
            "details": {
                name: {"code": "rest_invalid_param", "message": message, "data": None}
                for name, message in params.items()
            },
        },
    }
    assert response.status_code == 400
    assert "X-TEC-Total" not in response


@pytest.mark.parametrize("value", ["", "x" * 501, "a%00b"])
def test_wrong_search_is_refused(client, resource, value):
    response = client.get(resource.list(f"search={value}"))

    assert response.status_code == 400


def test_search_finds_no_more_than_it_shows(client, resource):
    make_three(resource)

    response = client.get(resource.list("search=nowhere"))

    assert response.json()[resource.collection] == []
    assert (response["X-TEC-Total"], response["X-TEC-TotalPages"]) == ("0", "0")


def test_zero_is_a_search_like_any_other(client, resource):
    row = resource.make("Zero: 0")
    resource.make("One: 1")

    assert listed_ids(client.get(resource.list("search=0")), resource.collection) == [row.pk]


def test_body_of_a_read_is_not_read(client, resource):
    make_three(resource)

    response = client.generic("GET", resource.list(), '{"per_page": 1, "page": 0}', "application/json")

    assert len(response.json()[resource.collection]) == 3


# --- Queries


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize(
    ("listed", "queries"),
    [
        (CONTENT[1], 1),  # rows with their total
        (CONTENT[2], 1),
        (CATEGORIES, 2),  # and the scheduled events that have come
        (TAGS, 2),
    ],
    ids=str,
)
def test_list_costs_the_same_for_few_and_many(client, db, django_assert_num_queries, listed, queries, count):
    for number in range(count):
        listed.make(f"Record {number}")

    with django_assert_num_queries(queries):
        response = client.get(listed.list())

    assert response["X-TEC-Total"] == str(count)


@pytest.mark.parametrize("count", [1, 3])
def test_totals_alone_load_no_records(client, resource, django_assert_num_queries, count):
    for number in range(count):
        resource.make(f"Record {number}")

    with django_assert_num_queries(2 if resource in TERMS else 1):
        response = client.get(resource.list("_fields=total"))

    assert response.json() == {"total": count}


def test_slash_at_the_end_changes_nothing(client, resource):
    make_three(resource)

    with_slash = client.get(resource.list().replace(resource.path, f"{resource.path}/"))

    assert with_slash.status_code == 200
    assert with_slash.content == client.get(resource.list()).content


def test_lists_are_below_the_namespace(resource):
    assert resource.path == f"{API}/{resource.collection}"


# --- Decisions after the third reading -----------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize("collection", ["events", "venues", "organizers", "categories", "tags"])
@pytest.mark.parametrize("search", [" ", "!!!", "  ,+ ", '""', "-", "…"])
def test_search_without_a_word_filters_nothing(editor_api, collection, search):
    """D36."""
    EventFactory(
        venues=[VenueFactory()], organizers=[OrganizerFactory()], categories=[CategoryFactory()], tags=[TagFactory()]
    )

    response = editor_api.get(f"{API}/{collection}", {"search": search})

    assert (response.status_code, response.json()["total"]) == (200, 1)
    assert editor_api.get(f"{API}/{collection}?search=").status_code == 400
    assert editor_api.get(f"{API}/{collection}?search=🎉").json()["total"] == 0


@pytest.mark.django_db
def test_both_bounds_of_a_date_apply(client):
    """D38."""
    starts = [f"2027-06-{day:02} 10:00" for day in (1, 5, 10, 15)]
    events = [EventFactory(start=start, end=f"{start[:10]} 12:00") for start in starts]

    def found(**query):
        rows = client.get(f"{API}/events", query).json()["events"]
        return [[event.pk for event in events].index(row["id"]) for row in rows]

    assert found(starts_after="2027-06-01", start_date="2027-06-10") == [2, 3]
    assert found(starts_after="2027-06-10", start_date="2027-06-01") == [3]
    assert found(ends_before="2027-06-10", end_date="2027-06-05") == [0, 1]
    assert found(ends_before="2027-06-05", end_date="2027-06-10") == [0, 1]


@pytest.mark.django_db
def test_item_in_brackets_is_one_value(client):
    """D39."""
    rock, folk = (EventFactory(categories=[CategoryFactory(name=name)]) for name in ("Rock, Pop & Soul", "Folk"))
    EventFactory(categories=[CategoryFactory(name="Rock")])

    def found(query):
        return sorted(row["id"] for row in client.get(f"{API}/events?{query}").json()["events"])

    name = "Rock%2C%20Pop%20%26%20Soul"
    assert found(f"categories[]={name}") == found(f"categories[x]={name}") == [rock.pk]
    assert found(f"categories[a]={name}&categories[b]=folk") == found(f"categories[]={name}&categories[]=folk")
    assert found(f"categories[a]={name}&categories[b]=folk") == [rock.pk, folk.pk]
    assert found(f"include[first]={rock.pk}&include[second]={folk.pk}") == [rock.pk, folk.pk]
    assert client.get(f"{API}/events?tags[]=").status_code == 400


@pytest.mark.django_db
def test_pages_of_a_list_by_a_name_with_a_comma_are_linked(client):
    category = CategoryFactory(name="Rock, Pop")
    EventFactory.create_batch(3, categories=[category])

    first = client.get(f"{API}/events", {"categories[]": "Rock, Pop", "per_page": 2}).json()
    second = client.get(first["next_rest_url"]).json()

    assert [len(first["events"]), len(second["events"]), first["total"]] == [2, 1, 3]


@pytest.mark.django_db
def test_running_events_are_upcoming(client, time_machine):
    """D37."""
    time_machine.move_to("2027-06-05 12:00Z", tick=False)
    running, past = (VenueFactory(title=title) for title in ("Running", "Past"))
    EventFactory(start="2027-06-01 10:00", end="2027-06-30 18:00", venues=[running])
    EventFactory(start="2027-06-01 10:00", end="2027-06-05 11:00", venues=[past])

    venues = client.get(f"{API}/venues?only_with_upcoming=true").json()["venues"]

    assert [venue["venue"] for venue in venues] == ["Running"]
