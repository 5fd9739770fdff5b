"""The OpenAPI document: it is valid, and agrees with the contract and the service."""

from datetime import UTC, datetime

import pytest
from django.conf import settings
from openapi_spec_validator import OpenAPIV31SpecValidator

from calendar_site.api.description import openapi
from events.schemas import EXAMPLES
from tests.support.api_client import API, api_client_for
from tests.support.contract import (
    ACCEPTED_IN_FIELDS,
    ACCEPTED_IN_LISTS,
    ADDED_TO_FIELDS,
    ADDED_TO_LISTS,
    COLLECTIONS,
    CONTENT,
    FIELDS,
    FIXED_DEFAULTS,
    LISTS,
    OPERATION_IDS,
    REQUIRED,
    ROUTES,
    Promise,
)

NOW = datetime(2027, 3, 10, 12, tzinfo=UTC)

# Their properties need no words of their own.
UNDESCRIBED = {"ImageSize", "Error", "Ticket", "DateDetails", "Route", "Endpoint", "CustomField"}

pytestmark = [pytest.mark.django_db, pytest.mark.time_machine(NOW, tick=False)]


def parameters(documented, operation, place):
    """name -> schema, of those that stand in one place."""
    found = [documented.resolved(parameter) for parameter in operation.get("parameters", [])]
    return {argument["name"]: argument for argument in found if argument["in"] == place}


def body(documented, operation, media_type="application/json"):
    return documented.resolved(operation["requestBody"]["content"][media_type]["schema"])


def without_description(schema):
    return {name: part for name, part in schema.items() if name != "description"}


def promise(schema):
    """What the schema promises; that it takes null is beside the contract's type."""
    types = (
        [name for name in schema.get("type", []) if name != "null"] if isinstance(schema.get("type"), list) else None
    )
    return Promise.of(schema | ({"type": types[0]} if types else {}))


# --- It is a document


def test_document_is_valid(document):
    OpenAPIV31SpecValidator(document).validate()


def test_document_names_the_service(document):
    assert document["openapi"] == "3.1.0"
    assert document["info"]["title"] == settings.SITE_NAME
    assert document["info"]["version"] == "v1"
    assert "application passwords" in document["info"]["description"]
    assert document["info"]["license"] == {"name": "MIT License", "identifier": "MIT"}
    assert document["info"]["contact"] == {"name": settings.SITE_NAME, "url": "http://testserver/"}
    assert document["servers"] == [{"url": f"http://testserver{API}"}]


def test_document_covers_every_route_with_its_methods(document):
    written = {
        path.removeprefix(API).replace(r"(?P<id>\d+)", "{id}").replace("(?P<slug>[^/]+)", "{slug}") or "/": methods
        for path, methods in ROUTES.items()
    }

    assert {path: [method.upper() for method in item] for path, item in document["paths"].items()} == written


def test_records_are_components(document):
    assert set(document["components"]["schemas"]) >= {
        "Event", "Venue", "Organizer", "Term", "Image", "ImageSize", "CostDetails", "DateDetails", "Ticket", "Error",
        "EventList", "VenueList", "OrganizerList", "CategoryList", "TagList", "Status", "RecordReference",
    }  # fmt: skip


def test_operation_ids_are_stable(document):
    operations = {
        f"{method.upper()} {path}": operation["operationId"]
        for path, item in document["paths"].items()
        for method, operation in item.items()
    }

    assert operations == OPERATION_IDS
    assert len(set(OPERATION_IDS.values())) == len(OPERATION_IDS)


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_operations_have_their_own_summary(client, language):
    document = client.get(f"/{language}{API}/doc").json()
    operations = [operation for item in document["paths"].values() for operation in item.values()]

    assert len({operation["summary"] for operation in operations}) == len(operations)
    assert all(operation["description"] for operation in operations)


def test_summaries_name_the_resource_and_the_method(document):
    summaries = {
        operation["operationId"]: operation["summary"]
        for path, item in document["paths"].items()
        for operation in item.values()
        if path.startswith("/venues")
    }

    assert summaries == {
        "listVenues": "List venues",
        "createVenue": "Create a venue",
        "getVenue": "Get a venue",
        "updateVenue": "Update a venue",
        "updateVenueWithPost": "Update a venue (POST)",
        "updateVenueWithPut": "Update a venue (PUT)",
        "deleteVenue": "Delete a venue",
        "getVenueBySlug": "Get a venue (by slug)",
        "updateVenueBySlug": "Update a venue (by slug)",
        "updateVenueBySlugWithPost": "Update a venue (by slug) (POST)",
        "updateVenueBySlugWithPut": "Update a venue (by slug) (PUT)",
        "deleteVenueBySlug": "Delete a venue (by slug)",
    }


def test_operations_have_headings(document):
    operations = [operation for item in document["paths"].values() for operation in item.values()]

    headings = {tag["name"]: tag["description"] for tag in document["tags"]}
    assert set(headings) == {"api", "series", *COLLECTIONS}
    assert all(headings.values())
    assert {name for operation in operations for name in operation["tags"]} == set(headings)


def test_everything_that_can_be_described_is(document, documented):
    for _method, _path, operation in documented.operations.values():
        for parameter in map(documented.resolved, operation["parameters"]):
            assert parameter["description"], parameter
        for answer in map(documented.resolved, operation["responses"].values()):
            assert answer["description"]
    for name, schema in document["components"]["schemas"].items():
        for key, described in schema.get("properties", {}).items():
            description = described.get("description") or documented.resolved(described).get("description")
            assert description or name in UNDESCRIBED, (name, key)


# --- It says what the contract says


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_lists_take_the_parameters_of_the_contract(document, documented, collection):
    argument = parameters(documented, document["paths"][f"/{collection}"]["get"], "query")

    assert set(argument) == {*LISTS[collection], *ADDED_TO_LISTS.get(collection, ()), "_fields"}
    assert not any(parameter.get("required") for parameter in argument.values())


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_lists_take_the_types_of_the_contract_unless_more_is_accepted(document, documented, collection):
    argument = parameters(documented, document["paths"][f"/{collection}"]["get"], "query")
    more = ACCEPTED_IN_LISTS.get(collection, {})

    for name, promised in LISTS[collection].items():
        schema = documented.with_targets(argument[name]["schema"])
        if name in more:
            assert schema == more[name], name
        else:
            assert Promise.of(schema) == promised, name


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_creates_take_the_types_of_the_contract_unless_more_is_accepted(document, documented, collection):
    creating = document["paths"][f"/{collection}"]["post"]
    more = ACCEPTED_IN_FIELDS.get(collection, {})

    for media_type in ("application/json", "application/x-www-form-urlencoded"):
        schema = body(documented, creating, media_type)
        assert set(schema["properties"]) == {*FIELDS[collection], *ADDED_TO_FIELDS.get(collection, ())}
        for name, promised in FIELDS[collection].items():
            described = documented.with_targets(without_description(schema["properties"][name]))
            if name in more:
                assert described == more[name], name
            else:
                assert promise(described).type == promised.type, name
        assert set(schema["required"]) == REQUIRED[collection]
    assert creating["requestBody"]["required"] is True


def test_only_query_parameters_have_defaults_and_none_changes_with_the_day(document, documented, time_machine, client):
    for _method, _path, operation in documented.operations.values():
        for name, parameter in parameters(documented, operation, "query").items():
            assert parameter["schema"].get("default") in (None, *FIXED_DEFAULTS.get(name, ())), name
    for schema in document["components"]["schemas"].values():
        assert not any("default" in described for described in schema.get("properties", {}).values())

    time_machine.move_to(datetime(2028, 5, 1, tzinfo=UTC), tick=False)
    assert client.get(f"{API}/doc").json() == document


def test_moving_defaults_are_described(document, documented):
    argument = parameters(documented, document["paths"]["/events"]["get"], "query")

    assert "Defaults to yesterday" in argument["start_date"]["description"]
    assert "Defaults to 24 months from today" in argument["end_date"]["description"]
    assert {name: argument[name]["schema"] for name in ("start_date", "end_date")} == {
        "start_date": {"type": "string"},
        "end_date": {"type": "string"},
    }


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_updates_take_the_same_fields_and_require_none(document, documented, collection):
    created = body(documented, document["paths"][f"/{collection}"]["post"])
    items = [f"/{collection}/{{id}}", *([f"/{collection}/by-slug/{{slug}}"] if collection in CONTENT else [])]

    for item in items:
        for method in ("post", "put", "patch"):
            operation = document["paths"][item][method]
            schema = body(documented, operation)
            # The credential of a protected event.
            assert set(schema["properties"]) - {"password"} == set(created["properties"])
            assert "required" not in schema
            assert operation["requestBody"]["required"] is False


def test_addresses_have_their_parts(document, documented):
    for path, item in document["paths"].items():
        for operation in item.values():
            in_path = parameters(documented, operation, "path")
            assert set(in_path) == {name for name in ("id", "slug") if f"{{{name}}}" in path}
            assert all(parameter["required"] for parameter in in_path.values())
    for method, operation in document["paths"]["/events/{id}"].items():
        has_password = "password" in parameters(documented, operation, "query")
        assert has_password is (method in ("get", "delete"))


def test_files_may_be_sent_where_there_are_images(document, documented):
    for collection in COLLECTIONS:
        content = document["paths"][f"/{collection}"]["post"]["requestBody"]["content"]
        assert ("multipart/form-data" in content) is (collection in CONTENT)
    image = body(documented, document["paths"]["/venues"]["post"], "multipart/form-data")["properties"]["image"]
    assert (image["type"], image["format"]) == ("string", "binary")


def test_fields_that_can_be_emptied_take_null(document):
    fields = document["components"]["schemas"]["EventChanges"]["properties"]

    assert fields["description"]["type"] == ["string", "null"]
    assert {"type": "null"} in fields["categories"]["anyOf"]
    assert fields["title"]["type"] == "string"
    assert fields["status"]["$ref"] == "#/components/schemas/Status"
    # Unless it is said, everything of a new organizer is null.
    status = document["components"]["schemas"]["NewOrganizer"]["properties"]["status"]
    assert status["anyOf"] == [{"$ref": "#/components/schemas/Status"}, {"type": "null"}]


def test_arrays_have_items(document):
    assert document["components"]["schemas"]["Event"]["properties"]["custom_fields"]["anyOf"] == [
        {"$ref": "#/components/schemas/CustomFields"},
        {"type": "array", "items": {"type": "string"}, "maxItems": 0},
    ]
    assert [
        schema for schema in schemas_in(document) if "array" in schema.get("type", ()) and "items" not in schema
    ] == []


def schemas_in(part):
    """Every object of the document."""
    if isinstance(part, dict):
        yield part
        part = list(part.values())
    for inner in part if isinstance(part, list) else ():
        yield from schemas_in(inner)


def test_operations_name_the_authentication_that_they_need(document):
    schemes = document["components"]["securitySchemes"]
    assert {name: (scheme["type"], scheme.get("scheme") or scheme["in"]) for name, scheme in schemes.items()} == {
        "basic": ("http", "basic"),
        "bearer": ("http", "bearer"),
        "session": ("apiKey", "cookie"),
        "csrf": ("apiKey", "header"),
    }
    writing = [{"basic": []}, {"bearer": []}, {"session": [], "csrf": []}]
    # Authenticated users find more records.
    reading = [{}, {"basic": []}, {"bearer": []}, {"session": []}]
    # The same for everybody.
    public = {"getIndex", "getDocument", "getCategory", "getTag"}
    for item in document["paths"].values():
        for method, operation in item.items():
            is_reading = method == "get"
            expected = [] if operation["operationId"] in public else reading if is_reading else writing
            if operation["operationId"] == "getMe":
                expected = reading[1:]
            assert operation["security"] == expected, operation["operationId"]


def examples_in(document, documented):
    """Name, schema and value of each example of a request or a response."""
    for operation_id, (_method, _path, operation) in documented.operations.items():
        parts = [operation.get("requestBody"), *operation["responses"].values()]
        for part in map(documented.resolved, filter(None, parts)):
            for content in part.get("content", {}).values():
                for name, example in content.get("examples", {}).items():
                    yield f"{operation_id} {name}", content["schema"], documented.resolved(example)["value"]


def test_examples_are_valid(document, documented):
    examples = list(examples_in(document, documented))

    # A request, and a response or an error, of many operations.
    assert len(examples) > 300
    for name, schema, value in examples:
        assert documented.schema_faults(schema, value) == [], name
    first = next(schema for name, schema, _value in examples if name == "createEvent new-event")
    assert documented.schema_faults(first, {"title": 1}) != []


def test_examples_are_the_real_ones(document):
    examples = document["components"]["examples"]

    assert examples["event"]["value"] == EXAMPLES["event"]
    assert examples["new-event"]["value"] == EXAMPLES["new-event"]
    for collection, kind in (("events", "event"), ("tags", "tag")):
        creating = document["paths"][f"/{collection}"]["post"]
        assert creating["requestBody"]["content"]["application/json"]["examples"] == {
            f"new-{kind}": {"$ref": f"#/components/examples/new-{kind}"}
        }
        answer = creating["responses"]["201"]["content"]["application/json"]["examples"]
        assert answer == {f"written-{kind}": {"$ref": f"#/components/examples/written-{kind}"}}


# --- How it is answered


def test_document_is_the_same_for_everybody(document, editor):
    assert api_client_for(editor).get(f"{API}/doc").json() == document


def test_fields_cut_the_document(client):
    assert client.get(f"{API}/doc?_fields=openapi,info.version").json() == {
        "openapi": "3.1.0",
        "info": {"version": "v1"},
    }


def test_document_has_the_address_that_was_asked_for(client, settings):
    settings.ALLOWED_HOSTS = ["*"]

    for host in ("one.example.org", "two.example.org:8000"):
        assert client.get(f"{API}/doc", headers={"Host": host}).json()["servers"] == [{"url": f"http://{host}{API}"}]
    assert client.get(f"/fr{API}/doc").json()["servers"] == [{"url": f"http://testserver/fr{API}"}]


def test_document_is_made_once_for_a_language(client, django_assert_num_queries):
    openapi.build_document.cache_clear()

    for _ in range(3):
        with django_assert_num_queries(0):
            client.get(f"{API}/doc")
    client.get(f"/de{API}/doc")

    assert openapi.build_document.cache_info().misses == 2
