"""Custom fields on the forms of events, venues and organizers."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from calendar_site.custom_fields.models import CustomField
from tests.factories import CustomFieldFactory, EventFactory
from tests.support.admin import browser_for, form_data, form_errors, post_form, submit_form
from tests.support.api_client import API, JSONClient, api_client_for
from tests.support.content_kinds import CONTENT_KINDS
from tests.support.records import reloaded

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]


CONTROLS = {
    "text": "text",
    "number": "number",
    "boolean": "select",
    "date": "date",
    "url": "text",
    "choice": "select",
}
WRITTEN = {
    "text": "black tie",
    "number": "12.5",
    "boolean": "false",
    "date": "2030-07-04",
    "url": "https://stream.example.org/",
    "choice": "advanced",
}
HELD = {**WRITTEN, "number": 12.5, "boolean": False}


@pytest.fixture
def declared(kind):
    """A field of each type, in another order than that of their making, named by the type."""
    return [
        CustomFieldFactory(
            resource=kind.name,
            name=f"a_{name}",
            label=f"A {name} < & more",
            kind=name,
            choices="beginner\nadvanced" if name == "choice" else "",
            position=9 - place,
        )
        for place, name in enumerate(CONTROLS)
    ][::-1]


def prefixed(values):
    return {f"a_{name}": value for name, value in values.items()}


def as_fields(values):
    return {f"custom_a_{name}": value for name, value in values.items()}


def fieldsets_of(response):
    """The names of the fields under each heading of the form."""
    return {str(title): fieldset["fields"] for title, fieldset in response.context["adminform"].fieldsets}


# --- What the form asks --------------------------------------------------------------------------


def test_form_has_no_section_without_custom_fields(kind, editor):
    for other in CONTENT_KINDS:
        if other != kind:
            CustomFieldFactory(resource=other.name, name="lift")
    row = kind.factory(custom_values={"lift": "left over"})

    response = browser_for(editor).get(kind.page(row))

    assert "Custom fields" not in fieldsets_of(response)
    assert [name for name in form_data(response) if "custom" in name] == []


def test_form_has_an_input_for_each_type_of_custom_field(kind, editor, declared):
    response = browser_for(editor).get(f"{kind.list}add/")

    form = response.context["adminform"].form
    shown = [form[name] for name in fieldsets_of(response)["Custom fields"]]
    controls = {bound.name: getattr(bound.field.widget, "input_type", "") for bound in shown}
    assert controls == as_fields({name: CONTROLS[name] for name in reversed(CONTROLS)})
    assert [bound.label for bound in shown] == [field.label for field in declared]
    page = response.content.decode()
    assert "A text &lt; &amp; more" in page
    assert "A number such as 12 or 12.5." in page
    assert [value for value, _label in form["custom_a_choice"].field.widget.choices] == ["", "beginner", "advanced"]
    assert [str(label) for _value, label in form["custom_a_boolean"].field.widget.choices] == ["Not set", "Yes", "No"]


# --- Filling in ----------------------------------------------------------------------------------


def test_form_and_api_read_and_write_the_same_values(kind, author, declared):
    made_here, made_there = kind.factory(author=author), kind.factory(author=author)

    response = submit_form(browser_for(author), kind.page(made_here), **as_fields(WRITTEN))
    path = f"{API}/{kind}s/{made_there.pk}"
    api_client_for(author).patch(path, {"custom_fields": prefixed(WRITTEN)})

    assert response["Location"] == kind.list
    assert reloaded(made_here).custom_values == reloaded(made_there).custom_values == prefixed(HELD)
    answer = JSONClient().get(f"{API}/{kind}s/{made_here.pk}").json()["custom_fields"]
    assert answer == JSONClient().get(path).json()["custom_fields"]
    assert {name: field["value"] for name, field in answer.items()} == prefixed(HELD)
    shown = form_data(browser_for(author).get(kind.page(made_there)))
    assert {name: shown[name] for name in as_fields(WRITTEN)} == as_fields(
        {name: [value] for name, value in WRITTEN.items()}
    )


def test_a_new_record_is_made_with_its_facts(kind, author, declared):
    fields = kind.new_form(status="publish", **as_fields({"number": "7", "text": " "}))

    browser_for(author).post(f"{kind.list}add/", fields)

    assert kind.factory._meta.model.objects.get().custom_values == {"a_number": 7}


def test_what_is_cleared_is_held_no_more(kind, editor, declared):
    row = kind.factory(custom_values={**prefixed(HELD), "of_old": "kept"})

    submit_form(browser_for(editor), kind.page(row), **as_fields(dict.fromkeys(CONTROLS, "")))

    assert reloaded(row).custom_values == {"of_old": "kept"}


def test_a_form_that_is_sent_as_it_is_changes_nothing(kind, editor, declared):
    row = kind.factory(custom_values=prefixed(HELD))
    client = browser_for(editor)

    shown = form_data(client.get(kind.page(row)))
    bare = {name: value for name, value in shown.items() if "initial-" not in name}
    responses = [client.post(kind.page(row), fields) for fields in (shown, bare)]

    assert [response["Location"] for response in responses] == [kind.list] * 2
    assert reloaded(row).custom_values == prefixed(HELD)


WRONG = {
    "text": ("x" * 5001, "Must have at most 5000 characters."),
    "number": ("many", "Must be a number. Use digits and a decimal point, such as 12.50."),
    "boolean": ("perhaps", "Must be a boolean: true or false."),
    "date": ("2030-02-30", "Not a valid date. Use a format such as 2027-03-10."),
    "url": ("javascript:alert(1)", "Enter a URL that starts with http:// or https://."),
    "choice": ("expert", "Not a valid choice. Use one of these: beginner, advanced."),
}


def test_what_is_wrong_is_said_beside_its_field_as_programs_hear_it(kind, editor, declared):
    row = kind.factory(title="Old", custom_values={"a_number": 1})
    argument = {name: value for name, (value, _fault) in WRONG.items()}

    response = submit_form(browser_for(editor), kind.page(row), title="New", **as_fields(argument))
    refused = api_client_for(editor).patch(f"{API}/{kind}s/{row.pk}", {"custom_fields": prefixed(argument)}).json()

    assert form_errors(response) == as_fields({name: [fault] for name, (_value, fault) in WRONG.items()})
    messages = {f"custom_fields.a_{name}": fault for name, (_value, fault) in WRONG.items()}
    whole = " ".join(f"{path}: {fault}" for path, fault in messages.items())
    assert refused["data"]["params"] == {"custom_fields": whole, **messages}
    # All that was typed is still there.
    shown = form_data(response)
    assert {name: shown[name] for name in (*as_fields(argument), "title")} == {
        **as_fields({name: [value] for name, value in argument.items() if name not in ("boolean", "choice")}),
        # What no browser offers cannot be chosen again.
        **as_fields({"boolean": [""], "choice": [""]}),
        "title": ["New"],
    }
    assert (reloaded(row).title, reloaded(row).custom_values) == ("Old", {"a_number": 1})


def test_removed_choice_is_kept_until_it_is_changed(kind, editor):
    CustomFieldFactory(resource=kind.name, name="level", kind="choice", choices="advanced\nexpert")
    row, other = kind.factory(custom_values={"level": "beginner"}), kind.factory(custom_values={"level": "expert"})
    client = browser_for(editor)

    page = client.get(kind.page(row))
    choices, shown = page.context["adminform"].form["custom_level"].field.widget.choices, form_data(page)
    kept = post_form(client, kind.page(row), shown, title="changed")
    refused = post_form(client, kind.page(other), kind.saved_form(other), custom_level="beginner")

    assert [(value, str(label)) for value, label in choices] == [
        ("", "Not set"),
        ("advanced", "advanced"),
        ("expert", "expert"),
        ("beginner", "beginner (no longer offered)"),
    ]
    assert (kept["Location"], reloaded(row).title, reloaded(row).custom_values) == (
        kind.list,
        "changed",
        {"level": "beginner"},
    )
    assert form_errors(refused) == {"custom_level": ["Not a valid choice. Use one of these: advanced, expert."]}
    post_form(client, kind.page(row), shown, custom_level="expert")
    assert reloaded(row).custom_values == {"level": "expert"}


# --- Two at once ---------------------------------------------------------------------------------


def test_a_page_that_has_grown_old_takes_no_fact_back(kind, editor, declared):
    row = kind.factory(custom_values=prefixed({"number": 1, "text": "old"}))
    client = browser_for(editor)
    old_page = form_data(client.get(kind.page(row)))

    post_form(client, kind.page(row), old_page, **as_fields({"number": "2", "date": "2030-01-01"}))
    CustomFieldFactory(resource=kind.name, name="newer")
    api_client_for(editor).patch(f"{API}/{kind}s/{row.pk}", {"custom_fields": {"newer": "also kept"}})
    response = client.post(kind.page(row), {**old_page, **as_fields({"text": "new"})})

    assert response["Location"] == kind.list
    assert reloaded(row).custom_values == {
        **prefixed({"number": 2, "text": "new", "date": "2030-01-01"}),
        "newer": "also kept",
    }


def test_conflicting_changes_of_a_value_are_reported(kind, editor, declared):
    row = kind.factory(custom_values=prefixed({"boolean": True, "number": 1}))
    client = browser_for(editor)
    old_page = form_data(client.get(kind.page(row)))

    post_form(client, kind.page(row), old_page, **as_fields({"boolean": "false", "number": "2"}))
    asked = client.post(kind.page(row), {**old_page, **as_fields({"boolean": "", "number": "3"})})

    text = "Someone else has changed this to: {}. Save again to replace it with your value."
    assert form_errors(asked) == as_fields({"boolean": [text.format("No")], "number": [text.format("2")]})
    assert reloaded(row).custom_values == prefixed({"boolean": False, "number": 2})
    client.post(kind.page(row), form_data(asked))
    assert reloaded(row).custom_values == {"a_number": 3}


def test_a_field_that_is_dropped_meanwhile_takes_its_value_alone(kind, editor, declared):
    row = kind.factory(custom_values=prefixed({"number": 1}))
    client = browser_for(editor)
    old_page = form_data(client.get(kind.page(row)))

    CustomField.objects.get(name="a_text").delete()
    response = client.post(kind.page(row), {**old_page, **as_fields({"text": "lost", "number": "2"})})

    assert response["Location"] == kind.list
    assert reloaded(row).custom_values == {"a_number": 2}


# --- Who may only look ---------------------------------------------------------------------------


def test_whoever_may_only_look_sees_what_is_held(kind, author, declared):
    row = kind.factory(custom_values={**prefixed({**HELD, "text": "black & white"}), "of_old": "gone"})
    empty = kind.factory()
    client = browser_for(author)

    response = client.get(kind.page(row))
    forged = client.post(kind.page(row), as_fields({"number": "99"}))

    page = response.content.decode()
    for text in ("black &amp; white", "12.5", "No", "Thursday 4 July 2030", "advanced", "A date &lt; &amp; more"):
        assert text in page
    assert '<a href="https://stream.example.org/" class="text-link" rel="nofollow noopener">' in page
    assert "gone" not in page
    assert 'name="custom_' not in page
    assert "Custom fields" not in fieldsets_of(client.get(kind.page(empty)))
    assert (forged.status_code, reloaded(row).custom_values["a_number"]) == (403, 12.5)


def test_values_of_a_protected_event_require_change_permission(author, editor):
    CustomFieldFactory(resource="event", name="note", label="Note")
    event = EventFactory(custom_values={"note": "Behind the curtain"}, password="sesame")
    path = f"/admin/events/event/{event.pk}/change/"

    pages = [browser_for(user).get(path).content.decode() for user in (author, editor)]

    assert ["Behind the curtain" in page for page in pages] == [False, True]
    assert ["Custom fields" in page for page in pages] == [False, True]


# --- Queries -------------------------------------------------------------------------------------


def queries_of(client, path):
    with CaptureQueriesContext(connection) as queries:
        assert client.get(path).status_code == 200
    return len(queries)


def test_pages_cost_the_same_queries_however_many_fields_are_declared(kind, editor, author):
    row = kind.factory()
    pages = [
        (client, path)
        for client in (browser_for(editor), browser_for(author))
        for path in (kind.list, kind.page(row), f"{kind.list}add/")
    ]
    for page in pages[1:3]:
        # The first look at a form remembers its content type.
        queries_of(*page)
    before = [queries_of(*page) for page in pages]

    names = [f"field_{number}" for number in range(5)]
    for name in names:
        CustomFieldFactory(resource=kind.name, name=name)
    type(row).objects.update(custom_values=dict.fromkeys(names, "x"))

    assert [queries_of(*page) for page in pages] == before
