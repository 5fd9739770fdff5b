"""Custom fields in the API: clients write and read values of fields that maintainers have declared."""

import pytest
from django.core.exceptions import ValidationError

from calendar_site.custom_fields.models import CustomField
from calendar_site.custom_fields.services import delete_custom_field
from events.models import Event
from tests.factories import EventFactory, OrganizerFactory, VenueFactory
from tests.support.api_client import API, invalid_arguments, invalid_params, listed_ids

pytestmark = pytest.mark.django_db

EVENT = {"title": "Concert", "start_date": "2030-07-04 18:00", "end_date": "2030-07-04 20:00"}
KINDS = [
    ("dress", "Dress", "text", ""),
    ("seats", "Seats", "number", ""),
    ("indoors", "Indoors", "boolean", ""),
    ("doors", "Doors", "date", ""),
    ("stream", "Stream", "url", ""),
    ("level", "Level", "choice", "beginner\nadvanced"),
]


def declare(resource, name, label="Label", kind="text", choices="", position=0):
    field = CustomField(resource=resource, name=name, label=label, kind=kind, choices=choices, position=position)
    field.full_clean()
    field.save()
    return field


@pytest.fixture
def fields():
    return [declare("event", *kind, position=9 - number) for number, kind in enumerate(KINDS)]


VALUES = {
    "dress": "black <tie>",
    "seats": 12.5,
    "indoors": False,
    "doors": "2030-07-04",
    "stream": "https://stream.example.org/",
    "level": "advanced",
}


def test_values_are_answered_with_their_labels_in_the_order_of_the_fields(author_api, client, fields):
    event = author_api.post(f"{API}/events", {**EVENT, "custom_fields": VALUES}).json()

    expected = {
        "level": {"label": "Level", "value": "advanced"},
        "stream": {"label": "Stream", "value": "https://stream.example.org/"},
        "doors": {"label": "Doors", "value": "2030-07-04"},
        "indoors": {"label": "Indoors", "value": False},
        "seats": {"label": "Seats", "value": 12.5},
        "dress": {"label": "Dress", "value": "black <tie>"},
    }
    assert event["custom_fields"] == expected
    assert list(event["custom_fields"]) == list(expected)
    assert client.get(f"{API}/events/{event['id']}").json()["custom_fields"] == expected


def test_answer_sent_back_changes_nothing(editor_api, fields):
    event = EventFactory(custom_values={"seats": 5, "indoors": True})
    record = editor_api.get(f"{API}/events/{event.pk}").json()

    assert editor_api.put(f"{API}/events/{event.pk}", record).json()["custom_fields"] == record["custom_fields"]


@pytest.mark.parametrize(
    ("value", "left"),
    [
        ({"title": "New"}, {"seats": 5, "dress": "black"}),
        ({"custom_fields": {"seats": "7"}}, {"seats": 7, "dress": "black"}),
        ({"custom_fields": {"seats": None}}, {"dress": "black"}),
        ({"custom_fields": {"seats": "", "dress": ""}}, []),
        ({"custom_fields": {"dress": " <b> </b>\n"}}, {"seats": 5}),
        ({"custom_fields": {}}, {"seats": 5, "dress": "black"}),
        ({"custom_fields": []}, []),
        ({"custom_fields": ""}, []),
        ({"custom_fields": None}, []),
    ],
)
def test_values_that_are_not_named_stay_and_empty_ones_go(editor_api, fields, value, left):
    event = EventFactory(custom_values={"seats": 5, "dress": "black"})

    answered = editor_api.patch(f"{API}/events/{event.pk}", value).json()["custom_fields"]

    assert (answered and {name: held["value"] for name, held in answered.items()}) == left


def test_values_come_in_a_form(author_api, fields):
    response = author_api.post(
        f"{API}/events",
        "title=A&start_date=2030-07-04&end_date=2030-07-04&custom_fields[seats]=5&custom_fields[indoors]=yes",
        content_type="application/x-www-form-urlencoded",
    )

    assert {name: held["value"] for name, held in response.json()["custom_fields"].items()} == {
        "indoors": True,
        "seats": 5,
    }


@pytest.mark.parametrize(
    "value",
    [
        "seats",
        5,
        ["seats"],
        {"unknown": 1},
        {"seats": "many"},
        {"seats": True},
        {"seats": 1e16},
        {"seats": "NaN"},
        {"indoors": "perhaps"},
        {"doors": "tomorrow"},
        {"doors": "2030-02-30"},
        {"stream": "javascript:alert(1)"},
        {"level": "expert"},
        {"dress": ["black"]},
        {"dress": "x" * 5001},
        {"dress": {"label": "Dress"}},
    ],
)
def test_bad_values_are_refused_and_nothing_is_saved(author_api, fields, value):
    response = author_api.post(f"{API}/events", {**EVENT, "custom_fields": value})

    assert response.status_code == 400
    assert invalid_arguments(response) == ["custom_fields"]
    assert not Event.objects.exists()


def test_all_faults_are_named(author_api, fields):
    response = author_api.post(f"{API}/events", {**EVENT, "custom_fields": {"seats": "x", "level": "y", "z": 1}})

    messages = {
        "custom_fields.seats": "Must be a number. Use digits and a decimal point, such as 12.50.",
        "custom_fields.level": "Not a valid choice. Use one of these: beginner, advanced.",
        "custom_fields.z": "There is no custom field with this name.",
    }
    whole = " ".join(f"{path}: {message}" for path, message in messages.items())
    assert invalid_params(response) == {"custom_fields": whole, **messages}


def test_errors_of_many_unknown_names_are_limited(author_api, fields):
    response = author_api.post(
        f"{API}/events", {**EVENT, "custom_fields": {f"name{number}": 1 for number in range(10_000)}}
    )

    message = "There is no custom field with this name."
    messages = {f"custom_fields.name{number}": message for number in range(100)}
    whole = " ".join(f"{path}: {message}" for path in messages)
    assert invalid_params(response) == {"custom_fields": whole, **messages}


def test_long_unknown_names_are_reported_in_part(author_api, fields):
    response = author_api.post(f"{API}/events", {**EVENT, "custom_fields": {"x" * 10_000: 1}})

    name, message = f"custom_fields.{'x' * 100}", "There is no custom field with this name."
    assert invalid_params(response) == {"custom_fields": f"{name}: {message}", name: message}


@pytest.mark.parametrize(
    ("collection", "factory", "kind"),
    [("venues", VenueFactory, "venue"), ("organizers", OrganizerFactory, "organizer")],
)
def test_search_finds_in_the_fields_of_venues_and_organizers(client, editor_api, collection, factory, kind):
    declare(kind, "note")
    found, _other = factory(), factory()
    editor_api.patch(f"{API}/{collection}/{found.pk}", {"custom_fields": {"note": "Wheelchair Ünlock"}})

    assert listed_ids(client.get(f"{API}/{collection}", {"search": "unlock"}), collection) == [found.pk]
    assert listed_ids(client.get(f"{API}/{collection}", {"search": "lift"}), collection) == []


def test_fields_of_another_resource_are_unknown(author_api, fields):
    assert author_api.post(f"{API}/venues", {"venue": "Hall", "custom_fields": {"seats": 5}}).status_code == 400


def test_field_of_a_venue_that_comes_with_its_event_is_the_venues(editor_api, fields):
    declare("venue", "lift", kind="boolean")

    response = editor_api.post(f"{API}/events", {**EVENT, "venue": {"venue": "Hall", "custom_fields": {"lift": True}}})

    assert response.json()["venue"]["custom_fields"] == {"lift": {"label": "Label", "value": True}}


def test_field_that_is_dropped_takes_its_values_along(client, editor_api):
    field, other = declare("venue", "note"), declare("venue", "other")
    venue = VenueFactory(custom_values={"note": "Wheelchair", "other": "kept"})
    untouched = VenueFactory()
    before = venue.modified_at

    assert delete_custom_field(field, user=None) == 1

    venue.refresh_from_db()
    assert (venue.custom_values, venue.modified_at) == ({"other": "kept"}, before)
    assert listed_ids(client.get(f"{API}/venues", {"search": "wheelchair"}), "venues") == []
    assert untouched.custom_values == {}
    assert list(CustomField.objects.all()) == [other]


@pytest.mark.parametrize(
    "declared",
    [
        {"name": "Seats"},
        {"name": "seats here"},
        {"name": "1seat"},
        {"name": ""},
        {"kind": "choice"},
        {"kind": "colour"},
        {"label": ""},
        {"resource": "tag"},
    ],
)
def test_bad_declaration_is_refused(declared):
    with pytest.raises(ValidationError):
        declare(**{"resource": "event", "name": "seats", **declared})


@pytest.mark.parametrize("count", [1, 3])
def test_custom_fields_of_a_list_cost_one_query(client, fields, django_assert_num_queries, count):
    declare("venue", "note")
    for _number in range(count):
        EventFactory(custom_values={"seats": 5}, venues=[VenueFactory(custom_values={"note": "x"})])

    with django_assert_num_queries(7):
        events = client.get(f"{API}/events").json()["events"]

    assert [event["venue"]["custom_fields"]["note"]["value"] for event in events] == ["x"] * count


@pytest.mark.parametrize(
    ("asked", "queries"),
    [
        ("events?_fields=events.title", 3),
        # The version of linked records as well, and those without a copy.
        ("events?_fields=events.custom_fields", 5),
        ("events?_fields=events.venue.city", 6),
        ("events?_fields=events.venue.custom_fields", 6),
        ("venues?_fields=venues.city", 1),
        ("venues?_fields=venues.custom_fields", 2),
    ],
)
def test_declarations_are_read_where_the_answer_has_them(client, fields, django_assert_num_queries, asked, queries):
    declare("venue", "note")
    EventFactory(custom_values={"seats": 5}, venues=[VenueFactory(custom_values={"note": "x"})])

    with django_assert_num_queries(queries):
        client.get(f"{API}/{asked}")
