"""The buttons that save a form: which ones a user has, and the status that each sets."""

import re
from html import unescape

import pytest

from tests.factories import UserFactory
from tests.support.admin import browser_for, form_data, form_errors, post_form
from tests.support.content_kinds import EVENT, VENUE

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

SUBMIT_ROW = re.compile(r'id="submit-row".*', re.S)
BUTTON = re.compile(r'<button type="submit"\s+form="[^"]*"\s+name="([^"]*)".*?>(.*?)</button>', re.S)
ERROR_LINK = re.compile(r'<li><a href="#([^"]*)">(.*?)</a></li>')
MORE = {"_continue": "Save and continue editing", "_addanother": "Save and add another"}


def buttons(response):
    (row,) = SUBMIT_ROW.findall(response.content.decode())
    return {name: " ".join(label.split()) for name, label in BUTTON.findall(row)}


@pytest.mark.parametrize(
    ("role", "expected"),
    [
        ("editor", {"_publish": "Publish", "_draft": "Save draft", **MORE}),
        ("author", {"_publish": "Publish", "_draft": "Save draft", **MORE}),
        ("contributor", {"_submit": "Submit for review", "_draft": "Save draft", **MORE}),
    ],
)
def test_buttons_of_a_new_record(kind, role, expected):
    browser = browser_for(UserFactory(username="staff", role=role))

    assert buttons(browser.get(f"{kind.list}add/")) == expected


@pytest.mark.parametrize(
    ("role", "status", "expected"),
    [
        ("editor", "draft", ["_publish", "_draft"]),
        ("editor", "pending", ["_publish", "_save"]),
        ("editor", "publish", ["_save", "_draft"]),
        ("editor", "future", ["_save", "_draft"]),
        ("editor", "private", ["_save", "_draft"]),
        ("editor", "trash", ["_save"]),
        ("contributor", "draft", ["_submit", "_draft"]),
        ("contributor", "pending", ["_save", "_draft"]),
        # Contributors may not change what is published.
        ("contributor", "publish", []),
    ],
)
def test_buttons_depend_on_the_status(role, status, expected):
    user = UserFactory(username="staff", role=role)
    event = EVENT.of_every_status(user)[status]

    shown = buttons(browser_for(user).get(EVENT.page(event)))

    assert [name for name in shown if name not in MORE] == expected


@pytest.mark.parametrize(
    ("button", "chosen", "saved"),
    [
        ("_publish", "draft", "publish"),
        ("_publish", "publish", "publish"),
        ("_publish", "private", "private"),
        ("_draft", "publish", "draft"),
        ("_submit", "publish", "pending"),
        ("_save", "private", "private"),
        ("_addanother", "publish", "publish"),
    ],
)
def test_button_sets_the_status(kind, author_browser, button, chosen, saved):
    response = author_browser.post(f"{kind.list}add/", {**kind.new_form(status=chosen), button: "1"})

    assert response.status_code == 302
    assert [row.status for row in kind.factory._meta.model.objects.all()] == [saved]


@pytest.mark.parametrize(("button", "saved"), [("_submit", "pending"), ("_draft", "draft")])
def test_contributor_saves_and_submits(kind, contributor_browser, button, saved):
    contributor_browser.post(f"{kind.list}add/", {**kind.new_form(status="draft"), button: "1"})

    assert [row.status for row in kind.factory._meta.model.objects.all()] == [saved]


@pytest.mark.parametrize(
    ("button", "chosen"), [("_publish", "draft"), ("_draft", "private"), ("_submit", "draft"), ("_save", "pending")]
)
def test_form_with_errors_shows_the_chosen_status(kind, editor_browser, button, chosen):
    row = kind.factory(title="Mine", status="draft")

    response = editor_browser.post(kind.page(row), kind.saved_form(row, title="", status=chosen, **{button: "1"}))

    assert form_data(response)["status"] == [chosen]
    row.refresh_from_db()
    assert row.status == "draft"


def test_refused_submission_stays_a_draft(kind, contributor, contributor_browser):
    row = kind.factory(title="Mine", status="draft", author=contributor)
    path = kind.page(row)

    refused = contributor_browser.post(path, kind.saved_form(row, title="", _submit="1"))
    post_form(contributor_browser, path, form_data(refused), title="Mine again", _continue="1")

    row.refresh_from_db()
    assert (row.title, row.status) == ("Mine again", "draft")


def test_service_error_keeps_the_chosen_status(editor_browser):
    row = VENUE.factory(title="Hall", status="draft")

    response = editor_browser.post(VENUE.page(row), VENUE.saved_form(row, geo_lat="10", _publish="1"))

    assert list(form_errors(response)) == ["geo_lng"]
    assert form_data(response)["status"] == ["draft"]


def test_contributor_cannot_publish_with_a_forged_button(kind, contributor_browser):
    response = contributor_browser.post(f"{kind.list}add/", {**kind.new_form(status="draft"), "_publish": "1"})

    assert form_errors(response) == {"status": ["Select a valid choice. publish is not one of the available choices."]}
    assert kind.factory._meta.model.objects.count() == 0


def test_contributor_has_no_field_for_the_status(kind, contributor, contributor_browser):
    row = kind.factory(title="Mine", status="pending", author=contributor)

    pages = [contributor_browser.get(path).content.decode() for path in (f"{kind.list}add/", kind.page(row))]

    assert ['<select name="status"' in page for page in pages] == [False, False]
    assert ["Pending review" in page for page in pages] == [False, True]


# --- Errors --------------------------------------------------------------------------------------


def error_links(response):
    return [(html_id, unescape(text)) for html_id, text in ERROR_LINK.findall(response.content.decode())]


def test_errors_are_listed_with_links(editor_browser):
    tickets = {"tickets-TOTAL_FORMS": "1", "tickets-INITIAL_FORMS": "0", "tickets-0-name": "x" * 1000}

    response = editor_browser.post(
        f"{EVENT.list}add/", {**EVENT.new_form(title="", start="x"), "status": "publish", **tickets, "_publish": "1"}
    )

    assert error_links(response) == [
        ("id_title", "Title: This field is required."),
        ("id_start", "Starts: Not a valid date. Use a format such as 2027-03-10, 10 March 2027 or tomorrow 9am."),
        ("id_tickets-0-name", "Name: Ensure this value has at most 200 characters (it has 1000)."),
        ("id_tickets-0-price", "Price: This field is required."),
        ("id_tickets-0-currency", "Currency: This field is required."),
        ("id_tickets-0-position", "Position in the list: This field is required."),
    ]


def test_errors_of_services_are_listed(editor_browser):
    response = editor_browser.post(f"{VENUE.list}add/", {**VENUE.new_form(geo_lat="10"), "_publish": "1"})

    assert [html_id for html_id, _text in error_links(response)] == ["id_geo_lng"]


def test_form_without_errors_lists_none(editor_browser):
    assert error_links(editor_browser.get(f"{EVENT.list}add/")) == []
