"""Declaring custom fields in the admin: only administrators may, and no record loses values without a warning."""

import json
from pathlib import Path

import pytest

from calendar_site.accounts.services import create_user
from calendar_site.custom_fields import services
from calendar_site.custom_fields.models import CustomField
from events.models import Event
from tests.factories import CustomFieldFactory, EventFactory, OrganizerFactory, VenueFactory
from tests.support.admin import browser_for, form_data, form_errors, messages_in, run_action, submit_form
from tests.support.api_client import API, JSONClient, api_client_for, listed_ids
from tests.support.records import reloaded
from venues.models import Venue

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

LIST = "/admin/custom_fields/customfield/"
ADD = f"{LIST}add/"
SEATS = {"label": "Seats", "name": "seats", "resource": "event", "kind": "number", "choices": "", "position": "3"}
LEVEL = {**SEATS, "label": "Level", "name": "level", "kind": "choice", "choices": "beginner\nadvanced"}


def field_path(field, name="change"):
    return f"{LIST}{field.pk}/{name}/"


def stored_fields():
    return list(CustomField.objects.order_by("pk").values())


# --- Declaring -----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", CustomField.Kind.values)
@pytest.mark.parametrize("resource", CustomField.Resource.values)
def test_a_field_is_declared(administrator_browser, resource, kind):
    fields = {**SEATS, "resource": resource, "kind": kind, "choices": "one\ntwo" if kind == "choice" else ""}

    response = submit_form(administrator_browser, ADD, **fields)

    assert response["Location"] == LIST
    (declared,) = stored_fields()
    assert declared == {**fields, "position": 3, "id": declared["id"]}


@pytest.mark.usefixtures("unrendered_pages")
@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"name": "Seats"}, {"name": ["Use lowercase letters, digits and underscores. Start with a letter."]}),
        ({"name": "known"}, {"name": ["A field with this name already exists."]}),
        ({"name": "featured"}, {"name": ["This name is reserved for a built-in field. Choose another name."]}),
        ({"name": "", "label": ""}, {"name": ["This field is required."], "label": ["This field is required."]}),
        ({"label": "<b></b>"}, {"label": ["This field cannot be blank."]}),
        ({"kind": "choice"}, {"choices": ["Enter at least one choice."]}),
        ({"kind": "choice", "choices": " \n<b></b>\n"}, {"choices": ["Enter at least one choice."]}),
        ({"kind": "choice", "choices": "x" * 201}, {"choices": ["A choice can have at most 200 characters."]}),
        ({"choices": "one"}, {"choices": ["Only fields of type “Single choice” can have choices."]}),
        ({"resource": "tag"}, {"resource": ["Select a valid choice. tag is not one of the available choices."]}),
        ({"position": "-1"}, {"position": ["Ensure this value is greater than or equal to 0."]}),
    ],
)
def test_what_is_wrong_with_a_declaration_is_said_beside_it(administrator_browser, changes, wrong):
    CustomFieldFactory(resource="event", name="known")

    response = administrator_browser.post(ADD, {**SEATS, **changes})

    assert form_errors(response) == wrong
    assert CustomField.objects.count() == 1


@pytest.mark.usefixtures("unrendered_pages")
@pytest.mark.parametrize("resource", CustomField.Resource.values)
def test_no_field_has_the_name_of_what_records_answer_anyway(administrator_browser, resource):
    answer = json.loads((Path(__file__).parents[1] / f"contract/{resource}.json").read_text())

    free = [
        name
        for name in answer
        if not form_errors(administrator_browser.post(ADD, {**SEATS, "resource": resource, "name": name})).get("name")
    ]

    assert free == []
    assert administrator_browser.post(ADD, {**SEATS, "resource": resource})["Location"] == LIST


def test_the_same_name_may_be_declared_for_another_kind_of_record(administrator_browser):
    CustomFieldFactory(resource="venue", name="seats")

    assert submit_form(administrator_browser, ADD, **SEATS)["Location"] == LIST


def test_what_values_hang_on_stays_as_it_was_declared(administrator_browser):
    field = CustomFieldFactory(name="seats", label="Seats", kind="number")

    page_of_it = administrator_browser.get(field_path(field)).content.decode()
    response = administrator_browser.post(
        field_path(field), {**SEATS, "label": "Places", "name": "places", "resource": "venue", "kind": "text"}
    )

    assert '<input type="text" name="name"' not in page_of_it
    assert response["Location"] == LIST
    assert stored_fields() == [
        {
            "id": field.pk,
            "resource": "event",
            "name": "seats",
            "label": "Places",
            "kind": "number",
            "choices": "",
            "position": 3,
        }
    ]


def test_two_who_change_a_declaration_at_once_lose_nothing(administrator_browser):
    field = CustomFieldFactory(label="Seats", position=1)
    old_page = form_data(administrator_browser.get(field_path(field)))

    submit_form(administrator_browser, field_path(field), label="Places")
    merged = administrator_browser.post(field_path(field), {**old_page, "position": "2"})
    asked = administrator_browser.post(field_path(field), {**old_page, "label": "Chairs"})

    assert merged["Location"] == LIST
    assert (reloaded(field).label, reloaded(field).position) == ("Places", 2)
    assert form_errors(asked) == {
        "label": ["Someone else has changed this to: Places. Save again to replace it with your value."]
    }


# --- Who may -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("role", "looks"), [("editor", True), ("author", False), ("contributor", False), ("subscriber", False)]
)
def test_nobody_below_an_administrator_declares(role, looks):
    user = create_user("staff", role)
    user.is_staff = True
    user.save()
    field = CustomFieldFactory(kind="choice", choices="one")
    client, before = browser_for(user), stored_fields()

    seen = [client.get(path).status_code for path in (LIST, field_path(field), ADD, field_path(field, "delete"))]
    forged = [
        client.post(ADD, SEATS).status_code,
        client.post(field_path(field), {**SEATS, "choices": "two"}).status_code,
        client.post(field_path(field, "delete"), {"post": "yes"}).status_code,
    ]
    run_action(client, LIST, "delete_selected", [field], post="yes")

    assert seen == [200 if looks else 403] * 2 + [403, 403]
    assert forged == [403, 403, 403]
    assert stored_fields() == before


# --- List ----------------------------------------------------------------------------------------


def test_the_list_goes_by_resource_and_position_and_counts_what_is_held(administrator_browser):
    for resource, name, position in (
        ("venue", "lift", 0), ("event", "later", 2), ("event", "first", 1), ("event", "alike", 2)
    ):  # fmt: skip
        CustomFieldFactory(resource=resource, name=name, position=position, kind="boolean")
    EventFactory(custom_values={"later": False, "first": True})
    EventFactory(custom_values={"later": True, "lift": True}, status="trash")
    VenueFactory()

    fields = administrator_browser.get(LIST).context["cl"].result_list

    assert [(field.resource, field.name, field.value_count) for field in fields] == [
        ("event", "first", 1),
        ("event", "later", 2),
        ("event", "alike", 0),
        ("venue", "lift", 0),
    ]


@pytest.mark.parametrize("count", [1, 3])
def test_list_of_custom_fields_query_count(administrator_browser, django_assert_num_queries, count):
    for number in range(count):
        for resource, factory in (("event", EventFactory), ("venue", VenueFactory), ("organizer", OrganizerFactory)):
            CustomFieldFactory(resource=resource, name=f"seats_{number}")
            factory(custom_values={f"seats_{number}": 5})

    # session, user, permissions, count, page, and for each resource what its records hold
    with django_assert_num_queries(9):
        response = administrator_browser.get(LIST)

    assert [field.value_count for field in response.context["cl"].result_list] == [1] * count * 3


# --- Choices -------------------------------------------------------------------------------------


def test_each_choice_is_there_once_and_as_it_can_be_chosen(administrator_browser, editor_api):
    choices = "beginner\r\n\r\n <b>advanced</b> \r\nbeginner\r\na < b"

    submit_form(administrator_browser, ADD, **{**LEVEL, "choices": choices})

    field = CustomField.objects.get()
    event = EventFactory()
    assert (field.choices, field.options) == ("beginner\nadvanced\na < b", ["beginner", "advanced", "a < b"])
    for choice in field.options:
        response = editor_api.patch(f"{API}/events/{event.pk}", {"custom_fields": {"level": choice}})
        assert response.json()["custom_fields"]["level"]["value"] == choice


def test_choices_of_old_declarations_are_cleaned_as_they_are_read():
    field = CustomFieldFactory(kind="choice", choices="<b>one</b>\none\n\ntwo ")

    assert field.options == ["one", "two"]


def test_records_keep_a_choice_that_is_taken_away(administrator_browser, editor_api, client):
    field = CustomFieldFactory(name="level", label="Level", kind="choice", choices="beginner\nadvanced")
    held = [EventFactory(custom_values={"level": "beginner"}), EventFactory(custom_values={"level": "beginner"})]
    EventFactory(custom_values={"level": "advanced"})

    response = submit_form(administrator_browser, field_path(field), choices="advanced\nexpert")

    assert messages_in(response)[0] == (
        "2 records use choices that are no longer offered. They keep these choices until someone edits the field."
    )
    path = f"{API}/events/{held[0].pk}"
    record = client.get(path).json()
    assert record["custom_fields"] == {"level": {"label": "Level", "value": "beginner"}}
    # What is answered is taken back (D14), but nobody else gets it.
    assert editor_api.put(path, record).json()["custom_fields"] == record["custom_fields"]
    other = EventFactory(custom_values={"level": "advanced"})
    refused = editor_api.patch(f"{API}/events/{other.pk}", {"custom_fields": {"level": "beginner"}})
    assert refused.status_code == 400
    editor_api.patch(path, {"custom_fields": {"level": "expert"}})
    gone = editor_api.patch(path, {"custom_fields": {"level": "beginner"}})
    assert gone.status_code == 400


def test_nothing_is_said_of_choices_that_nobody_holds(administrator_browser):
    # A name that databases' queries know, too.
    field = CustomFieldFactory(name="contains", kind="choice", choices="beginner\nadvanced")
    EventFactory(custom_values={"contains": "advanced"})
    EventFactory(custom_values={"other": "beginner"})

    response = submit_form(administrator_browser, field_path(field), choices="advanced")

    assert [text for text in messages_in(response) if "hold" in text] == []


# --- Deleting ------------------------------------------------------------------------------------


@pytest.fixture
def lift():
    return CustomFieldFactory(resource="venue", name="lift", label="Lift", kind="text")


@pytest.fixture
def venues():
    return [VenueFactory(custom_values={"lift": "Wide", "other": "kept"}) for _ in range(3)]


def test_deleting_asks_first_and_says_what_is_lost(administrator_browser, lift, venues):
    unused = CustomFieldFactory(name="seats", label="Seats")
    lift_is_lost = "Lift, for venues (3 records will lose their values)"
    nothing_is_lost = "Seats, for events (0 records will lose their values)"

    one = administrator_browser.get(field_path(lift, "delete"))
    several = run_action(administrator_browser, LIST, "delete_selected", [lift, unused])

    assert one.context["deleted_objects"] == [lift_is_lost]
    assert lift_is_lost in one.content.decode()
    assert several.context["deletable_objects"] == [[nothing_is_lost, lift_is_lost]]
    assert (CustomField.objects.count(), [reloaded(venue).custom_values for venue in venues]) == (
        2,
        [{"lift": "Wide", "other": "kept"}] * 3,
    )


@pytest.mark.parametrize("deleted_by", ["page", "action"])
def test_deleting_takes_what_is_held_along(administrator_browser, lift, venues, monkeypatch, deleted_by):
    # More than are held in memory at once.
    monkeypatch.setattr(services, "BATCH_SIZE", 2)
    untouched = VenueFactory(custom_values={"other": "kept"})
    before = list(Venue.objects.order_by("pk").values_list("modified_at", flat=True))

    if deleted_by == "page":
        administrator_browser.post(field_path(lift, "delete"), {"post": "yes"})
    else:
        run_action(administrator_browser, LIST, "delete_selected", [lift], post="yes")

    assert not CustomField.objects.exists()
    assert [reloaded(venue).custom_values for venue in (*venues, untouched)] == [{"other": "kept"}] * 4
    assert list(Venue.objects.order_by("pk").values_list("modified_at", flat=True)) == before
    assert listed_ids(JSONClient().get(f"{API}/venues", {"search": "wide"}), "venues") == []
    assert len(listed_ids(JSONClient().get(f"{API}/venues", {"search": "kept"}), "venues")) == 4


def test_deleting_leaves_what_else_an_event_holds(administrator_browser):
    seats, _level = CustomFieldFactory(name="seats"), CustomFieldFactory(name="level")
    events = [EventFactory(custom_values=values) for values in ({"seats": 5, "level": "é"}, {"seats": 6}, {"level": 1})]
    before = list(Event.objects.order_by("pk").values_list("modified_at", flat=True))

    administrator_browser.post(field_path(seats, "delete"), {"post": "yes"})

    assert [reloaded(event).custom_values for event in events] == [{"level": "é"}, {}, {"level": 1}]
    assert list(Event.objects.order_by("pk").values_list("modified_at", flat=True)) == before


def test_a_name_that_is_declared_anew_finds_nothing_of_old(administrator_browser, administrator, lift, venues):
    administrator_browser.post(field_path(lift, "delete"), {"post": "yes"})
    submit_form(administrator_browser, ADD, **{**SEATS, "name": "lift", "resource": "venue"})

    record = api_client_for(administrator).get(f"{API}/venues/{venues[0].pk}").json()

    assert record["custom_fields"] == []
