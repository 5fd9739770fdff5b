"""Messages of validation errors: they name the value at fault and its place, in one response for all of a request."""

import pytest

from taxonomy.models import Category, Tag
from tests.factories import CategoryFactory, EventFactory, TagFactory, VenueFactory
from tests.support.api_client import API, invalid_params
from tests.support.api_writes import created_record, error_of, event_data, stored_rows, updated_record, without_json_ld

EVENTS = f"{API}/events"
VENUES = f"{API}/venues"

pytestmark = pytest.mark.django_db

terms = pytest.mark.parametrize(
    ("field", "factory", "model"), [("categories", CategoryFactory, Category), ("tags", TagFactory, Tag)]
)


def message_of(response):
    return response.json()["message"]


# --- Records within records


def test_faults_of_all_nested_records_are_reported_with_their_paths(editor_api):
    before = stored_rows()

    response = editor_api.post(
        EVENTS,
        event_data(
            website="x",
            tickets=[
                {"name": "Full", "price": "abc", "currency": "EUR"},
                {"name": "Child", "price": 5, "currency": "EUR"},
                {"name": "", "price": 5, "currency": "Euro", "url": "x"},
                5,
                {"price": 1, "currency": "EUR"},
            ],
            venue=[{"venue": "Hall"}, {"venue": "Barn", "geo_lat": 10}, {"venue": "Shed", "geo_lat": 100}],
            organizer=[{"organizer": "Club", "website": "x"}, 999_999, True, {"organizer": "Choir", "email": 5}],
        ),
    )

    params = invalid_params(response)
    empty, text = "Must not be empty.", "Must be a string."
    url = "Enter a URL that starts with http:// or https://."
    nested = {
        "venue[1].geo_lng": "Set both latitude and longitude, or neither.",
        "venue[2].geo_lat": "Must be between -90 and 90.",
        "organizer[0].website": url,
        "organizer[1]": "Organizers not found: 999999.",
        "organizer[2]": ("Must be the id of an existing record, or an object with the fields of a new one."),
        "organizer[3].email": text,
        "tickets[0].price": "Enter a number.",
        "tickets[2].name": empty,
        "tickets[2].currency": "Enter a three-letter currency code, such as EUR.",
        "tickets[2].url": url,
        "tickets[3]": "Must be an object with the fields of the ticket.",
        "tickets[4].name": "This field is required.",
    }
    assert {path: message for path, message in params.items() if path in nested} == nested
    assert set(params) - set(nested) == {"website", "venue", "organizer", "tickets"}
    assert all(f"{path}: {message}" in params[path.split("[")[0]] for path, message in nested.items())
    assert message_of(response) == "Invalid parameter(s): website, venue, organizer, tickets"
    assert response.json()["data"]["details"] == {
        path: {"code": "rest_invalid_param", "message": message, "data": None} for path, message in params.items()
    }
    assert stored_rows() == before


@pytest.mark.parametrize(("value", "missing"), [("geo_lat", "geo_lng"), ("geo_lng", "geo_lat")])
def test_missing_coordinate_of_a_new_venue_is_named_within_the_venue(editor_api, value, missing):
    response = editor_api.post(EVENTS, event_data(venue={"venue": "Q", value: 10}))

    message = "Set both latitude and longitude, or neither."
    assert invalid_params(response) == {"venue": f"venue.{missing}: {message}", f"venue.{missing}": message}


def test_dates_of_a_ticket_in_the_wrong_order_are_reported_with_its_position(editor_api):
    good = {"name": "Full", "price": 5, "currency": "EUR"}
    dates = {"available_from": "2030-05-02 10:00", "available_until": "2030-05-01 10:00"}

    in_list = editor_api.post(EVENTS, event_data(title="", tickets=[good, good | dates]))
    alone = editor_api.post(EVENTS, event_data(tickets=good | dates))

    message = "“Available until” cannot be before “Available from”."
    assert invalid_params(in_list) == {
        "title": "Must not be empty.",
        "tickets": f"tickets[1]: {message}",
        "tickets[1]": message,
    }
    assert invalid_params(alone) == {"tickets": message}


def test_items_of_a_form_have_positions_too(editor_api):
    response = editor_api.post(
        EVENTS,
        "title=A&start_date=2030-05-04&end_date=2030-05-04&organizer[0][organizer]=Club&organizer[1][website]=x",
        content_type="application/x-www-form-urlencoded",
    )

    assert [*invalid_params(response)] == ["organizer", "organizer[1].organizer", "organizer[1].website"]


# --- References to categories and tags


@terms
def test_terms_can_be_objects_with_a_name_or_a_slug(editor_api, field, factory, model):
    music, folk = factory(name="Music", slug="sound"), factory(name="Folk", slug="roots")
    factory(name="Roots", slug="other")

    value = [{"name": "MUSIC"}, {"slug": "roots"}, {"name": "New Wave"}, {"name": "Rap", "slug": "hip-hop"}]
    event = created_record(editor_api.post(EVENTS, event_data(**{field: value})))
    again = updated_record(editor_api.post(f"{EVENTS}/{event['id']}", {field: {"id": "", "slug": "hip-hop"}}))

    assert [(term["name"], term["slug"]) for term in event[field]] == [
        ("Folk", folk.slug),
        ("Music", music.slug),
        ("New Wave", "new-wave"),
        ("Rap", "hip-hop"),
    ]
    assert [term["name"] for term in again[field]] == ["Rap"]
    assert model.objects.count() == 5


@terms
def test_faults_of_terms_have_positions(editor_api, field, factory, model):
    before = stored_rows()

    response = editor_api.post(EVENTS, event_data(**{field: ["Jazz", None, [1], {}, {"slug": "none"}, {"name": 5}]}))

    reference = "Must be an id, a name, or an object with an id, slug or name."
    params = invalid_params(response)
    del params[field]
    assert params == {
        f"{field}[1]": reference,
        f"{field}[2]": reference,
        f"{field}[3]": reference,
        f"{field}[4]": f"{field.capitalize()} not found: none.",
        f"{field}[5].name": "Must be a string.",
    }
    assert stored_rows() == before


@terms
@pytest.mark.parametrize("spelling", [int, str, lambda number: [str(number)]])
def test_number_is_an_id_else_a_slug_or_name(editor_api, field, factory, model, spelling):
    by_id = factory(name="By id")
    factory(name=str(by_id.pk), slug="not-meant")
    by_name = factory(name="2027", slug="year")
    by_slug = factory(name="Next year", slug="2028")

    def linked(number):
        event = created_record(editor_api.post(EVENTS, event_data(**{field: spelling(number)})))
        return [term["id"] for term in event[field]]

    assert [linked(number) for number in (by_id.pk, 2027, 2028, 999_999)] == [
        [by_id.pk],
        [by_name.pk],
        [by_slug.pk],
        [],
    ]
    assert model.objects.count() == 4


@pytest.mark.parametrize("field", ["venue", "organizer"])
@pytest.mark.parametrize("item", [None, [1], {}, False], ids=repr)
def test_empty_item_in_a_list_is_refused(editor_api, field, item):
    response = editor_api.post(EVENTS, event_data(**{field: [item]}))

    assert [*invalid_params(response)] == [field, f"{field}[0]"]


# --- Single values


@pytest.mark.parametrize("value", [True, ["a"], {}, {"id": "x"}, {"id": True}, 1.5], ids=repr)
def test_message_for_an_image_names_all_accepted_values(editor_api, value):
    response = editor_api.post(EVENTS, event_data(image=value))

    message = "Must be the id or the URL of an image, an image file, or false for no image."
    assert invalid_params(response) == {"image": message}


@pytest.mark.parametrize("name", ["page", "per_page", "include", "post_parent"])
@pytest.mark.parametrize("number", ["99999999999999999999", "9" * 5000])
def test_number_that_is_too_large_is_called_so(client, name, number):
    response = client.get(EVENTS, {name: number})

    assert invalid_params(response) == {name: "Must be at most 9223372036854775807."}


@pytest.mark.parametrize(
    ("path", "name", "records"),
    [
        ("events", "categories", "Categories"),
        ("events", "tags", "Tags"),
        ("events", "venue", "Venues"),
        ("events", "organizer", "Organizers"),
        ("events", "post_parent", "Events"),
        ("venues", "event", "Events"),
        ("categories", "event", "Events"),
        ("categories", "include", "Categories"),
        ("tags", "exclude", "Tags"),
    ],
)
def test_message_names_the_type_of_unknown_records(client, path, name, records):
    response = client.get(f"{API}/{path}", {name: "999999"})

    assert invalid_params(response) == {name: f"{records} not found: 999999."}


# --- The body and its type


def test_position_of_an_error_in_json_is_given(editor_api):
    response = editor_api.post(EVENTS, '{\n  "title": "A",\n}')

    assert error_of(response) == (400, "rest_invalid_json")
    assert message_of(response) == (
        "The request body is not valid JSON. Line 2, column 15: trailing comma is not allowed."
    )


@pytest.mark.parametrize(
    ("content_type", "body", "hint"),
    [
        (
            "text/plain",
            '{"venue": "Hall"}',
            "The body was ignored, because its Content-Type is text/plain. For JSON, send Content-Type: "
            "application/json.",
        ),
        (
            "application/x-www-form-urlencoded",
            ' {"venue": "Hall"}',
            "The body was ignored, because its Content-Type is application/x-www-form-urlencoded. For JSON, send "
            "Content-Type: application/json.",
        ),
        (
            "",
            '{"venue": "Hall"}',
            "The body was ignored, because it has no Content-Type. For JSON, send Content-Type: application/json.",
        ),
        ("application/json", '["Hall"]', "The JSON body was ignored, because it is not an object."),
    ],
)
def test_missing_fields_of_an_ignored_body_are_explained(editor_api, content_type, body, hint):
    response = editor_api.post(VENUES, body, content_type=content_type)

    assert error_of(response) == (400, "rest_missing_callback_param")
    assert response.json()["data"] == {"status": 400, "params": ["venue"]}
    assert message_of(response) == f"Missing parameter(s): venue. {hint}"


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("application/json", '{"city": "Lima"}'),
        ("application/json", ""),
        ("application/vnd.api+json", '{"city": "Lima"}'),
        ("text/plain", ""),
        ("application/x-www-form-urlencoded", "city=Lima"),
    ],
)
def test_missing_fields_of_a_body_that_was_read_are_not_explained(editor_api, content_type, body):
    response = editor_api.post(VENUES, body, content_type=content_type)

    assert message_of(response) == "Missing parameter(s): venue"


def test_malformed_form_is_called_so(editor_api):
    response = editor_api.post(VENUES, "x", content_type="multipart/form-data")

    assert error_of(response) == (400, "rest_invalid_body")
    assert message_of(response) == (
        "The body is not valid multipart/form-data. Check the boundary in the header Content-Type."
    )


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"venue": "a\0b"}, "venue"),
        ({"venue": {"city": "a\0b"}}, "venue.city"),
        ({"tags": ["a", "\0"]}, "tags[1]"),
        ({"tickets": [{"na\0me": 1}]}, "tickets[0].na␀me"),
    ],
)
def test_null_characters_are_reported_with_their_place(editor_api, body, path):
    response = editor_api.post(EVENTS, event_data(**body))

    assert error_of(response) == (400, "rest_invalid_body")
    assert message_of(response) == f"{path}: Must not contain NUL characters."
    assert response.json()["data"] == {"status": 400, "params": {path: "Must not contain NUL characters."}}


@pytest.mark.parametrize("client_name", ["client", "editor_api"])
def test_thousands_of_null_characters_are_reported_shortly(request, client_name, db):
    """Checked before permissions, so strangers can send them."""
    body = {"x" * 100_000: ["\0"] * 50_000}

    response = request.getfixturevalue(client_name).post(VENUES, body, content_type="application/json")

    assert error_of(response)[0] == 400
    assert len(response.content) < 20_000


def test_null_character_in_the_query_is_reported_with_its_parameter(client):
    response = client.get(f"{EVENTS}?search=%00")

    assert message_of(response) == "search: Must not contain NUL characters."


def test_data_that_is_nested_too_deep_is_called_so(editor_api):
    data = []
    for _level in range(40):
        data = [data]

    response = editor_api.post(EVENTS, {"tags": data})

    assert error_of(response) == (400, "rest_invalid_body")
    assert message_of(response) == "The data is nested more than 32 levels deep."


def test_answer_with_a_venue_sent_back_has_no_faults(editor_api):
    event = EventFactory(venues=[VenueFactory(geo_lat=1.5, geo_lng=2.5)], categories=[CategoryFactory()])
    record = editor_api.get(f"{EVENTS}/{event.pk}").json()

    updated = updated_record(editor_api.put(f"{EVENTS}/{event.pk}", record))
    assert updated["venue"] == without_json_ld(record["venue"])
