"""The history pages of a record: who sees them, and what they show."""

import pytest

from calendar_site.accounts.models import User
from calendar_site.accounts.services import create_user
from calendar_site.content.services import save_content
from calendar_site.media.library import save_image
from events.services import save_event
from tests.factories import (
    OPERATOR,
    CategoryFactory,
    CustomFieldFactory,
    EventFactory,
    ImageFactory,
    TagFactory,
    UserFactory,
    VenueFactory,
)
from tests.support.admin import browser_for, submit_form
from tests.support.content_kinds import EVENT, ORGANIZER, VENUE
from tests.support.history import last_revision
from tests.support.history_pages import differences_in, history_path

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

EVENTS = "/admin/events/event/"


def listed_revisions(response):
    """The states that a page lists: what was done, by whom, and to which fields."""
    assert response.status_code == 200, response
    return [(entry.kind, entry.user, entry.channel, entry.fields, entry.note) for entry in response.context["entries"]]


def test_a_history_lists_the_states_of_its_record(kind, editor):
    row, _other = kind.factory(title="Old", status="draft"), kind.factory()
    client = browser_for(editor)
    submit_form(client, kind.page(row), title="New")

    response = client.get(history_path(row))

    title = "Title" if kind.factory is EventFactory else "Name"
    assert listed_revisions(response) == [
        ("changed", "editor", "Admin", [title], ""),
        ("created", "", "Command line", [], ""),
    ]
    assert "History: New" in response.content.decode()


def test_a_form_leads_to_the_history_of_its_record(kind, editor, author):
    row = kind.factory()

    assert history_path(row) in browser_for(editor).get(kind.page(row)).content.decode()
    assert history_path(row) not in browser_for(author).get(kind.page(row)).content.decode()


def test_a_state_is_compared_with_the_one_before(editor):
    event = EventFactory(title="Old", time_zone="Europe/Rome", start="2030-05-04 18:00")
    for title in ("New", "Newest"):
        save_event(event, changes={"title": title}, user=editor)
    newest, new, old = type(event).history.filter(id=event.pk)
    client, path = browser_for(editor), history_path(event, "compare/")

    assert differences_in(client.get(path, {"state": new.pk})) == [("title", "Title", "Old", "New")]
    # In whichever order they are chosen.
    for one, other in ((old, newest), (newest, old)):
        response = client.get(path, {"state": one.pk, "with": other.pk})
        assert differences_in(response) == [("title", "Title", "Old", "Newest")]
    page = response.content.decode()
    assert ("<del>Old</del>" in page, "<ins>Newest</ins>" in page) == (True, True)
    assert differences_in(client.get(path, {"state": new.pk, "with": new.pk})) == []


def test_the_first_state_is_compared_with_nothing(editor):
    venue = VenueFactory(title="Hall", city="Rome")

    response = browser_for(editor).get(history_path(venue, "compare/"), {"state": last_revision(venue).pk})

    assert ("city", "City", "", "Rome") in differences_in(response)
    assert "The record did not exist yet." in response.content.decode()


@pytest.mark.parametrize("state", ["", "x", "999", "1" * 40, "-1"])
def test_a_state_that_is_none_of_the_record_is_not_found(editor, state):
    event, other = EventFactory(), EventFactory()
    client = browser_for(editor)

    for wrong in (state, last_revision(other).pk):
        assert client.get(history_path(event, "compare/"), {"state": wrong}).status_code == 404
        assert (
            client.get(
                history_path(event, "compare/"), {"state": last_revision(event).pk, "with": wrong or "0"}
            ).status_code
            == 404
        )
    assert client.get(history_path(event, f"{last_revision(other).pk}/")).status_code == 404


def test_what_was_written_is_shown_as_text(editor):
    event = EventFactory(title="Old")
    save_event(event, changes={"title": "1 < 2", "description": "<p>a &lt;b&gt; c</p>"}, user=editor)

    page = browser_for(editor).get(history_path(event, "compare/"), {"state": last_revision(event).pk}).content.decode()

    assert ("1 &lt; 2" in page, "a &lt;b&gt; c" in page) == (True, True)


# What the admin answers for the record, to each role: its history is for who may change it, and for nobody else.
RIGHTS = {
    ("editor", "own"): {"publish": 200, "draft": 200, "trash": 200},
    ("editor", "other"): {"publish": 200, "draft": 200, "trash": 200},
    ("author", "own"): {"publish": 200, "draft": 200, "trash": 200},
    ("author", "other"): {"publish": 403, "draft": 302, "trash": 302},
    ("contributor", "own"): {"publish": 403, "draft": 200, "trash": 200},
    ("contributor", "other"): {"publish": 403, "draft": 302, "trash": 302},
    ("subscriber", "own"): {"publish": 302, "draft": 302, "trash": 302},
    ("nobody", "other"): {"publish": 302, "draft": 302, "trash": 302},
}


# Every case for events; for the others, which have the same pages, one of each outcome.
RIGHTS_CASES = [(EVENT, *case) for case in RIGHTS] + [
    (kind, *case)
    for kind in (VENUE, ORGANIZER)
    for case in (("author", "own"), ("author", "other"), ("contributor", "own"), ("nobody", "other"))
]


@pytest.mark.usefixtures("unrendered_pages")
@pytest.mark.parametrize(("kind", "role", "whose"), RIGHTS_CASES, ids=str)
def test_a_history_is_for_who_may_change_the_record(kind, role, whose, request):
    user = None if role == "nobody" else request.getfixturevalue(role)
    client = browser_for(user)
    found = {}
    for status in ("publish", "draft", "trash"):
        row = kind.factory(status=status, author=user if whose == "own" else UserFactory())
        pages = [
            client.get(history_path(row)),
            client.get(history_path(row, "compare/"), {"state": last_revision(row).pk}),
            client.get(history_path(row, f"{last_revision(row).pk}/")),
            client.post(history_path(row, f"{last_revision(row).pk}/"), {"newest": last_revision(row).pk}),
        ]
        codes = {page.status_code for page in pages[:3]}
        assert len(codes) == 1
        found[status] = codes.pop()
        if found[status] != 200:
            assert pages[3].status_code == found[status]

    assert found == RIGHTS[role, whose]


def test_histories_of_other_records_are_for_who_may_change_them(editor, author, contributor, administrator):
    image, tag, category, field = ImageFactory(author=author), TagFactory(), CategoryFactory(), CustomFieldFactory()
    save_image(image, changes={"alt": "A hall"}, user=author)
    rows = {"image": image, "tag": tag, "category": category, "field": field, "account": editor}
    group = editor.groups.get()

    def codes(user):
        client = browser_for(user)
        return {name: client.get(history_path(row)).status_code for name, row in {**rows, "group": group}.items()}

    assert codes(administrator) == {**dict.fromkeys(rows, 200), "group": 200}
    assert codes(editor) == {"image": 200, "tag": 200, "category": 200, "field": 403, "account": 403, "group": 403}
    assert codes(author) == {"image": 200, "tag": 403, "category": 200, "field": 403, "account": 403, "group": 403}
    assert codes(contributor) == {"image": 403, "tag": 403, "category": 403, "field": 403, "account": 403, "group": 403}


def test_accounts_show_their_roles_and_cannot_be_restored(administrator):
    editor = create_user("editor", "editor")
    client = browser_for(administrator)
    submit_form(client, f"/admin/accounts/user/{editor.pk}/change/", first_name="Eva")

    response = client.get(history_path(editor, "compare/"), {"state": last_revision(editor).pk})

    assert differences_in(response) == [("first_name", "First name", "", "Eva")]
    assert "Restore this revision" not in response.content.decode()
    state = last_revision(editor).pk
    for send in (client.get, client.post):
        assert send(history_path(editor, f"{state}/"), {"newest": state}).status_code == 403


def test_the_first_state_of_an_account_tells_its_role(administrator):
    editor = create_user("editor", "editor")
    response = browser_for(administrator).get(history_path(editor, "compare/"), {"state": last_revision(editor).pk})

    assert ("groups", "Roles", "", "Editor") in differences_in(response)
    assert "password" not in [difference[0] for difference in differences_in(response)]


def test_application_passwords_have_no_history(administrator):
    client = browser_for(administrator)

    assert client.get("/admin/accounts/applicationpassword/1/history/").status_code == 403


def test_a_deleted_record_is_told_to_who_could_have_changed_it(kind, editor, author):
    mine, other = kind.factory(title="Mine", status="trash", author=author), kind.factory(status="trash")
    for row in (mine, other):
        browser_for(editor).post(kind.page(row, "delete"), {"post": "yes"})

    assert [entry[0] for entry in listed_revisions(browser_for(editor).get(history_path(mine)))] == [
        "deleted permanently",
        "created",
    ]
    assert browser_for(author).get(history_path(mine)).status_code == 200
    assert browser_for(author).get(history_path(other)).status_code == 302
    assert browser_for(editor).get(f"{kind.list}999/history/").status_code == 302


def test_a_record_without_a_history_says_so(editor):
    image = ImageFactory()

    response = browser_for(editor).get(history_path(image))

    assert listed_revisions(response) == []
    assert "No changes recorded yet." in response.content.decode()


def test_a_long_history_has_pages(editor):
    venue = VenueFactory(title="0")
    for number in range(1, 60):
        save_content(venue, changes={"title": str(number)}, user=editor)
    client = browser_for(editor)

    first, second, wrong = (client.get(history_path(venue), {"p": page}) for page in ("1", "2", "x"))

    assert [len(listed_revisions(response)) for response in (first, second, wrong)] == [50, 10, 50]


@pytest.mark.parametrize("count", [1, 3, 30])
def test_history_query_count(editor, count, django_assert_num_queries):
    venue = VenueFactory(title="0")
    for number in range(1, count):
        save_content(
            venue, changes={"title": str(number)}, user=User(pk=number, username=str(number)) if number else OPERATOR
        )
    client = browser_for(editor)

    with django_assert_num_queries(6):  # session, user, two for rights, the record, its states, how many
        response = client.get(history_path(venue))

    assert len(listed_revisions(response)) == count
