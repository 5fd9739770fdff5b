"""The namespace index and OPTIONS: every route, and every argument with the type of the contract."""

from datetime import UTC, datetime

import pytest

from tests.factories import CustomFieldFactory, EventFactory
from tests.support.api_client import API, api_client_for, link_header
from tests.support.contract import (
    ADDED_TO_FIELDS,
    ADDED_TO_LISTS,
    ADDED_TO_UPDATES,
    COLLECTIONS,
    CONTENT,
    FIELDS,
    ID,
    ITEM,
    LISTS,
    NOTHING,
    REQUIRED,
    ROUTES,
    SLUG,
    Promise,
)

NOW = datetime(2027, 3, 10, 12, tzinfo=UTC)

pytestmark = [pytest.mark.django_db, pytest.mark.time_machine(NOW, tick=False)]


@pytest.fixture
def routes(client):
    return client.get(API).json()["routes"]


def arguments(route, method):
    """What a method of a route takes."""
    (endpoint,) = [endpoint for endpoint in route["endpoints"] if method in endpoint["methods"]]
    return endpoint["args"]


def promises(args):
    return {name: Promise.of(described) for name, described in args.items()}


def without(names, args):
    assert set(names) <= set(args)
    return {name: described for name, described in args.items() if name not in names}


# --- Routes


def test_index_names_every_route_with_its_methods(client, routes):
    body = client.get(API).json()

    assert set(body) == {"namespace", "version", "routes", "_links"}
    assert body["namespace"] == "cal/events/v1"
    assert body["_links"] == {"self": [{"href": f"http://testserver{API}"}]}
    assert {path: route["methods"] for path, route in routes.items()} == ROUTES
    assert {route["namespace"] for route in routes.values()} == {"cal/events/v1"}


def test_routes_without_a_placeholder_link_to_themselves(client, routes):
    for path, route in routes.items():
        if "(" in path:
            assert "_links" not in route
        else:
            assert route["_links"] == {"self": [{"href": f"http://testserver{path}"}]}
            status = 401 if path == f"{API}/me" else 200
            assert client.get(path).status_code == (status if "GET" in route["methods"] else 404)


def test_every_method_of_a_route_is_in_one_endpoint(routes):
    for route in routes.values():
        assert sorted(method for endpoint in route["endpoints"] for method in endpoint["methods"]) == sorted(
            route["methods"]
        )


def test_every_argument_has_a_description_and_says_whether_it_is_required(routes):
    for route in routes.values():
        for endpoint in route["endpoints"]:
            for name, described in endpoint["args"].items():
                assert described["description"].strip(), name
                assert isinstance(described["required"], bool)


def test_index_is_the_same_for_everybody(client, routes, editor):
    assert api_client_for(editor).get(API).json()["routes"] == routes


def test_fields_cut_the_index(client):
    index = client.get(f"{API}?_fields=namespace,routes.{API}/tags.methods").json()

    # A dot in the name of a route would divide it: this one has none.
    assert index == {"namespace": "cal/events/v1", "routes": {f"{API}/tags": {"methods": ["GET", "POST"]}}}


@pytest.mark.parametrize("query", ["", "?namespace=cal/events/v1", "?context=edit", "?context=", "?context=anything"])
def test_index_of_its_own_namespace(client, query):
    assert client.get(f"{API}{query}").json() == client.get(API).json()


@pytest.mark.parametrize("namespace", ["", "wp/v2", "cal/events/v2", "CAL/events/v1"])
def test_index_of_another_namespace_is_not_found(client, namespace):
    response = client.get(f"{API}?namespace={namespace}")

    assert (response.status_code, response.json()["code"]) == (404, "rest_invalid_namespace")


# --- Arguments


def test_index_describes_its_own_arguments(routes):
    assert promises(arguments(routes[API], "GET")) == {
        "namespace": Promise("string", "cal/events/v1"),
        "context": Promise("string", "view"),
    }
    assert arguments(routes[f"{API}/doc"], "GET") == {}


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_lists_take_what_the_contract_says(routes, collection):
    args = arguments(routes[f"{API}/{collection}"], "GET")

    assert promises(without(ADDED_TO_LISTS.get(collection, ()), args)) == LISTS[collection]
    assert not any(described["required"] for described in args.values())


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_creates_take_what_the_contract_says(routes, collection):
    args = arguments(routes[f"{API}/{collection}"], "POST")

    assert promises(without(ADDED_TO_FIELDS.get(collection, ()), args)) == FIELDS[collection]
    assert {name for name, described in args.items() if described["required"]} == REQUIRED[collection]


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_updates_take_the_same_and_leave_alone_what_is_not_sent(routes, collection):
    types = {name: promise.type for name, promise in FIELDS[collection].items()}

    for method in ("POST", "PUT", "PATCH"):
        args = arguments(routes[f"{API}/{collection}/{ID}"], method)

        assert args["id"]["required"]
        added = ADDED_TO_FIELDS.get(collection, set()) | ADDED_TO_UPDATES.get(collection, set())
        own = promises(without({"id", *added}, args))
        assert {name: promise.type for name, promise in own.items()} == types
        # A default would say that leaving a field out sets it.
        assert {promise.default for promise in own.values()} == {NOTHING}
        assert [name for name, described in args.items() if described["required"]] == ["id"]


@pytest.mark.parametrize("collection", CONTENT)
def test_routes_by_slug_take_the_same_as_those_by_id(routes, collection):
    for method in ITEM:
        by_id = arguments(routes[f"{API}/{collection}/{ID}"], method)
        by_slug = arguments(routes[f"{API}/{collection}/by-slug/{SLUG}"], method)

        assert without({"id"}, by_id).keys() | {"slug"} == by_slug.keys()
        # An event may get another slug: then the argument is that, and the address says which event is meant.
        gets_slug = collection == "events" and method in ("POST", "PUT", "PATCH")
        assert by_slug["slug"]["required"] is not gets_slug


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_reads_and_deletes_take_the_address_and_the_password_of_an_event(routes, method):
    assert promises(arguments(routes[f"{API}/events/{ID}"], method)) == {
        "id": Promise("integer"),
        "password": Promise("string"),
    }
    assert promises(arguments(routes[f"{API}/venues/by-slug/{SLUG}"], method)) == {"slug": Promise("string")}
    assert promises(arguments(routes[f"{API}/tags/{ID}"], method)) == {"id": Promise("integer")}


def test_choices_are_named(routes):
    categories = arguments(routes[f"{API}/categories"], "GET")

    assert categories["order"]["enum"] == ["asc", "desc"]
    assert categories["orderby"]["enum"] == ["id", "name", "slug", "count", "description", "include"]
    for collection in CONTENT:
        assert arguments(routes[f"{API}/{collection}"], "POST")["status"]["enum"] == [
            "publish", "future", "draft", "pending", "private", "trash",
        ]  # fmt: skip


def test_tickets_are_described_by_their_own_fields(routes):
    tickets = arguments(routes[f"{API}/events"], "POST")["tickets"]

    assert tickets["type"] == "array"
    assert set(tickets["items"]["properties"]) == {
        "name", "price", "currency", "url", "available_from", "available_until", "sold_out",
    }  # fmt: skip
    assert tickets["items"]["required"] == ["name", "price", "currency"]


def test_default_size_of_lists_is_described_as_it_is_set(client, settings):
    settings.PER_PAGE_DEFAULT = 20

    assert client.options(f"{API}/events").json()["endpoints"][0]["args"]["per_page"]["default"] == 20


def test_default_size_above_the_limit_is_described_as_the_limit(client, settings):
    settings.PER_PAGE_DEFAULT = 200
    client.get(API)

    for limit in (100, 50):
        settings.PER_PAGE_LIMIT = limit
        args = arguments(client.get(API).json()["routes"][f"{API}/events"], "GET")

        assert args["per_page"]["default"] == limit


@pytest.mark.parametrize("path", ["", "/doc", "/tags"])
def test_unknown_parameters_are_named(client, path):
    known = {"_fields": "x", "namespace": API[1:], "context": "view"} if path == "" else {"_fields": "x"}

    assert client.get(f"{API}{path}", query_params=known | {"foo": "1"})["X-Ignored-Fields"] == "foo"
    assert "X-Ignored-Fields" not in client.get(f"{API}{path}", query_params=known)


def test_default_window_is_that_of_the_list(client, settings):
    # It is the eleventh there already.
    settings.SITE_TIME_ZONE = "Pacific/Kiritimati"

    args = client.options(f"{API}/events").json()["endpoints"][0]["args"]

    used = client.get(f"{API}/events").json()["rest_url"]
    assert args["start_date"]["default"] == "2027-03-10 00:00:00"
    assert args["end_date"]["default"] == "2029-03-11 23:59:59"
    assert used.endswith("?start_date=2027-03-10+00%3A00%3A00&end_date=2029-03-11+23%3A59%3A59")


# --- OPTIONS


def test_options_answer_the_part_of_the_index_about_the_route(client, routes, django_assert_num_queries):
    CustomFieldFactory()
    event = EventFactory(title="Open air")
    addresses = {
        API: API,
        f"{API}/doc": f"{API}/doc",
        f"{API}/me": f"{API}/me",
        **{f"{API}/{name}": f"{API}/{name}" for name in COLLECTIONS},
        f"{API}/events/{event.pk}": f"{API}/events/{ID}",
        # The address is asked about, not the record.
        **{f"{API}/{name}/0": f"{API}/{name}/{ID}" for name in COLLECTIONS},
        **{f"{API}/{name}/by-slug/none": f"{API}/{name}/by-slug/{SLUG}" for name in CONTENT},
        f"{API}/series": f"{API}/series",
        f"{API}/series/preview": f"{API}/series/preview",
        f"{API}/series/0": f"{API}/series/{ID}",
    }
    assert set(addresses.values()) == set(routes)

    for path, pattern in addresses.items():
        with django_assert_num_queries(0):
            response = client.options(path)

        assert response.status_code == 200
        assert response.json() == {key: value for key, value in routes[pattern].items() if key != "_links"}


# --- Discovery


@pytest.mark.parametrize("path", ["", "/doc", "/events", "/events?page=x", "/events/0", "/nowhere", "/tags/1?x=1"])
def test_every_answer_leads_to_the_index_and_the_description(client, path):
    root = f"http://testserver{API}"

    for response in (client.get(f"{API}{path}"), client.post(f"{API}{path}"), client.options(f"{API}{path}")):
        assert link_header(response) == {"index": root, "service-desc": f"{root}/doc"}


def test_what_is_refused_before_any_view_leads_there_too(client, settings):
    settings.UPLOAD_LIMIT, settings.ALLOWED_HOSTS = 10, ["testserver"]

    refused = client.post(f"{API}/events", {"title": "more than ten bytes"}, content_type="application/json")
    strange = client.get(f"{API}/events", headers={"Host": "evil.example.org"})

    assert refused.status_code == 413
    assert set(link_header(refused)) == {"index", "service-desc"}
    # A host that is not ours is not repeated.
    assert (strange.status_code, link_header(strange)) == (400, {})


def test_way_in_stands_beside_the_pages_of_a_list(client):
    EventFactory.create_batch(3)

    response = client.get(f"{API}/events?per_page=1&page=2")

    assert list(link_header(response)) == ["next", "prev", "index", "service-desc"]


def test_public_address_stands_in_the_index(client, settings):
    settings.PUBLIC_URL = "https://calendar.example.org/whats-on"

    response = client.get(API)

    root = f"https://calendar.example.org/whats-on{API}"
    assert response.json()["_links"] == {"self": [{"href": root}]}
    assert response.json()["routes"][f"{API}/tags"]["_links"] == {"self": [{"href": f"{root}/tags"}]}
    assert link_header(response) == {"index": root, "service-desc": f"{root}/doc"}
