"""The OpenAPI document: it is valid, says what the contract says, and what it says is true."""

from datetime import UTC, datetime

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from calendar_site.api.description import openapi
from events.schemas import EXAMPLES
from tests.support.api_client import API, api_client_for
from tests.support.contract import COLLECTIONS, CONTENT, FIELDS, LISTS, REQUIRED, ROUTES, Promise

NOW = datetime(2027, 3, 10, 12, tzinfo=UTC)

pytestmark = [pytest.mark.django_db, pytest.mark.time_machine(NOW, tick=False)]


def parameters(documented, operation, place):
    """name -> schema, of those that stand in one place."""
    found = [documented.resolved(parameter) for parameter in operation.get("parameters", [])]
    return {given["name"]: given for given in found if given["in"] == place}


def body(documented, operation, media_type="application/json"):
    return documented.resolved(operation["requestBody"]["content"][media_type]["schema"])


def promise(schema):
    """What the schema promises; that it takes null is beside the contract's type."""
    types = (
        [name for name in schema.get("type", []) if name != "null"] if isinstance(schema.get("type"), list) else None
    )
    return Promise.of(schema | ({"type": types[0]} if types else {}))


# --- It is a document


def test_document_is_valid(document):
    OpenAPIV31SpecValidator(document).validate()


def test_document_names_the_service(document, settings):
    assert document["openapi"] == "3.1.0"
    assert document["info"]["title"] == settings.SITE_NAME
    assert document["info"]["version"] == "v1"
    assert "application passwords" in document["info"]["description"]
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
        "Events", "Venues", "Organizers", "Categories", "Tags",
    }  # fmt: skip


def test_operations_have_names_words_and_headings(document):
    operations = [operation for item in document["paths"].values() for operation in item.values()]

    assert len({operation["operationId"] for operation in operations}) == len(operations)
    assert all(operation["summary"] for operation in operations)
    headings = {tag["name"]: tag["description"] for tag in document["tags"]}
    assert set(headings) == {"api", *COLLECTIONS}
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
            assert description or name in ("ImageSize", "Error", "Ticket", "DateDetails", "Route", "Endpoint"), (
                name,
                key,
            )


# --- It says what the contract says


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_lists_take_what_the_contract_says(document, documented, collection):
    given = parameters(documented, document["paths"][f"/{collection}"]["get"], "query")

    described_types = {name: promise(parameter["schema"]) for name, parameter in given.items()}
    expected = dict(LISTS[collection])
    for name in {"start_date", "end_date"} & set(expected):
        # JSON Schema knows no date-time with a blank in it: a document could not be valid with this default.
        expected[name] = Promise("string", expected[name].default)
    assert {name: described_types[name] for name in expected} == expected
    assert not any(parameter.get("required") for parameter in given.values())
    assert "_fields" in given


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_creates_take_what_the_contract_says(document, documented, collection):
    creating = document["paths"][f"/{collection}"]["post"]

    for media_type in ("application/json", "application/x-www-form-urlencoded"):
        schema = body(documented, creating, media_type)
        described_types = {name: promise(described) for name, described in schema["properties"].items()}
        expected = dict(FIELDS[collection])
        if collection == "organizers":
            # What is required has no default here: a document could not be valid with it.
            expected["organizer"] = Promise("string")
        assert {name: described_types[name] for name in expected} == expected
        assert set(schema["required"]) == REQUIRED[collection]
    assert creating["requestBody"]["required"] is True


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_updates_take_the_same_fields_and_require_none(document, documented, collection):
    created = body(documented, document["paths"][f"/{collection}"]["post"])
    items = [f"/{collection}/{{id}}", *([f"/{collection}/by-slug/{{slug}}"] if collection in CONTENT else [])]

    for item in items:
        for method in ("post", "put", "patch"):
            operation = document["paths"][item][method]
            schema = body(documented, operation)
            assert set(schema["properties"]) == set(created["properties"])
            assert "required" not in schema
            assert not any("default" in described for described in schema["properties"].values())
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
    assert fields["categories"]["type"] == ["array", "null"]
    assert fields["title"]["type"] == "string"
    assert fields["status"]["type"] == "string"
    # Unless it is said, everything of a new organizer is null.
    status = document["components"]["schemas"]["NewOrganizer"]["properties"]["status"]
    assert status["type"] == ["string", "null"]
    assert status["enum"][-1] is None


def test_reading_needs_no_account_and_writing_one(document):
    schemes = document["components"]["securitySchemes"]
    assert {name: (scheme["type"], scheme.get("scheme") or scheme["in"]) for name, scheme in schemes.items()} == {
        "basic": ("http", "basic"),
        "bearer": ("http", "bearer"),
        "session": ("apiKey", "cookie"),
        "csrf": ("apiKey", "header"),
    }
    reading = [{}, {"basic": []}, {"bearer": []}, {"session": []}]
    writing = [{"basic": []}, {"bearer": []}, {"session": [], "csrf": []}]
    for item in document["paths"].values():
        for method, operation in item.items():
            assert operation["security"] == (reading if method == "get" else writing)


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


def test_document_is_made_once_for_a_day_and_a_language(client, time_machine, django_assert_num_queries):
    openapi.build_document.cache_clear()

    for _ in range(3):
        with django_assert_num_queries(0):
            client.get(f"{API}/doc")
    client.get(f"/de{API}/doc")

    assert openapi.build_document.cache_info().misses == 2
    time_machine.move_to(datetime(2027, 3, 11, tzinfo=UTC), tick=False)
    given = client.get(f"{API}/doc").json()["paths"]["/events"]["get"]["parameters"]
    assert {item["name"]: item["schema"]["default"] for item in given if item.get("name") == "start_date"} == {
        "start_date": "2027-03-10 00:00:00"
    }
