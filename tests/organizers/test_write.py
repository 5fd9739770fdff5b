"""Creating, updating and deleting organizers."""

from datetime import UTC, datetime

import pytest

from organizers.models import Organizer
from tests.factories import EventFactory, OrganizerFactory, UserFactory
from tests.support.api_client import API, invalid_params
from tests.support.api_writes import changed_values, created_record, error_of, read_record, stored_rows, updated_record

ORGANIZERS = f"{API}/organizers"
NOW = datetime(2030, 1, 15, 12, 30, 45, tzinfo=UTC)

pytestmark = pytest.mark.time_machine(NOW, tick=False)
NOT_TEXT = "Must be a string."
EMPTY = "Must not be empty."
FULL = {
    "organizer": "River Club",
    "description": "<p>Since 1901.</p>",
    "phone": "+1 555 0101",
    "website": "https://club.example.org/",
    "email": "club@example.org",
}


@pytest.fixture
def full_organizer(editor):
    fields = {**FULL, "title": FULL["organizer"]}
    del fields["organizer"]
    return OrganizerFactory(author=editor, **fields)


def test_organizer_with_only_a_name(editor_api, editor):
    response = editor_api.post(ORGANIZERS, {"organizer": "Þór & Sons"})

    organizer = created_record(response)
    pk, now = organizer["id"], "2030-01-15 12:30:45"
    expected = {
        "id": pk,
        "author": editor.pk,
        "status": "publish",
        "date": now,
        "date_utc": now,
        "modified": now,
        "modified_utc": now,
        "url": "http://testserver/organizer/thor-sons/",
        "organizer": "Þór & Sons",
        "slug": "thor-sons",
        "description": "",
        "excerpt": "",
        "image": False,
        "phone": "",
        "website": "",
        "email": "",
        "global_id": f"testserver?type=organizer&id={pk}",
        "global_id_lineage": [f"testserver?type=organizer&id={pk}"],
    }
    assert {name: organizer[name] for name in expected} == expected
    assert "X-Ignored-Fields" not in response
    assert organizer == read_record(editor_api, ORGANIZERS, pk)


def test_organizer_with_everything(editor_api, author):
    value = {**FULL, "author": author.pk, "status": "draft", "date": "2030-01-01 09:00:00"}

    organizer = created_record(editor_api.post(ORGANIZERS, value))

    assert {name: organizer[name] for name in value} == value
    assert organizer == read_record(editor_api, ORGANIZERS, organizer["id"])


@pytest.mark.parametrize("name", [None, "", "  ", "<b></b>", 5, True, ["Club"]], ids=repr)
def test_name_is_needed(editor_api, name):
    before = stored_rows()

    response = editor_api.post(ORGANIZERS, {"organizer": name, "phone": 5})

    assert stored_rows() == before
    if name is None:
        assert error_of(response) == (400, "rest_missing_callback_param")
        assert response.json()["data"]["params"] == ["organizer"]
    elif name == "  ":
        assert error_of(response) == (400, "could-not-create-organizer")
    else:
        assert invalid_params(response) == {
            "organizer": EMPTY if isinstance(name, str) else NOT_TEXT,
            "phone": NOT_TEXT,
        }


WRONG = {
    **{name: [(5, NOT_TEXT), (True, NOT_TEXT), (["text"], NOT_TEXT)] for name in ("phone", "email", "description")},
    "organizer": [("", EMPTY), ("<i></i>", EMPTY), (5, NOT_TEXT), ("x" * 501, "Must have at most 500 characters.")],
    "email": [("x" * 321, "Must have at most 320 characters.")],
    "website": [("club", "Enter a URL that starts with http:// or https://."), (True, NOT_TEXT)],
    "author": [("x", "Must be a whole number, such as 12."), (999_999, "There is no account with this id.")],
    "status": [("any", "Not a valid status. Use one of these: publish, future, draft, pending, private, trash.")],
    "date": [("soon", "Not a valid date. Use a format such as 2027-03-10, 10 March 2027 or tomorrow 9am.")],
    "date_utc": [(True, NOT_TEXT)],
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_value_is_refused_and_nothing_is_changed(editor_api, full_organizer, name):
    before = stored_rows()

    for value, message in WRONG[name]:
        assert invalid_params(editor_api.post(ORGANIZERS, {"organizer": "New", name: value})) == {name: message}
        assert invalid_params(editor_api.put(f"{ORGANIZERS}/{full_organizer.pk}", {"phone": "1", name: value})) == {
            name: message
        }
    assert stored_rows() == before


@pytest.mark.parametrize("email", ["not an address", "a@b", " club@example.org ", "Club <b>x</b>"])
def test_form_of_an_email_address_is_not_checked(editor_api, full_organizer, email):
    answer = updated_record(editor_api.post(f"{ORGANIZERS}/{full_organizer.pk}", {"email": email}))

    assert answer["email"] == email.replace("<b>", "").replace("</b>", "").strip()


@pytest.mark.parametrize("method", ["post", "put", "patch"])
@pytest.mark.parametrize("address", ["{pk}", "by-slug/{slug}"])
def test_update_changes_what_was_sent_and_nothing_else(editor_api, full_organizer, method, address):
    before = read_record(editor_api, ORGANIZERS, full_organizer.pk)
    path = f"{ORGANIZERS}/{address.format(pk=full_organizer.pk, slug=full_organizer.slug)}"

    after = updated_record(getattr(editor_api, method)(path, {"organizer": "Renamed", "slug": "ignored"}))
    unchanged = updated_record(getattr(editor_api, method)(path, {}))

    assert changed_values(before, after) == {"organizer": "Renamed"}
    assert unchanged == after == read_record(editor_api, ORGANIZERS, full_organizer.pk)


@pytest.mark.parametrize("nothing", ["", None], ids=repr)
@pytest.mark.parametrize("name", ["description", "phone", "website", "email", "image"])
def test_what_can_be_empty_is_emptied(editor_api, full_organizer, name, nothing):
    before = read_record(editor_api, ORGANIZERS, full_organizer.pk)

    after = updated_record(editor_api.post(f"{ORGANIZERS}/{full_organizer.pk}", {name: nothing}))

    assert changed_values(before, after) == ({} if name == "image" else {name: ""})


def test_null_leaves_alone_what_is_never_empty(editor_api, full_organizer):
    before = read_record(editor_api, ORGANIZERS, full_organizer.pk)
    nulls = dict.fromkeys(("organizer", "author", "status", "date", "date_utc"))

    assert updated_record(editor_api.post(f"{ORGANIZERS}/{full_organizer.pk}", nulls)) == before


@pytest.mark.parametrize("method", ["post", "put", "patch"])
@pytest.mark.parametrize("status", ["publish", "private", "trash"])
def test_organizer_sent_back_unchanged_changes_nothing(editor_api, full_organizer, method, status):
    Organizer.objects.update(status=status)
    answer = editor_api.get(f"{ORGANIZERS}/{full_organizer.pk}").json()
    before = stored_rows()

    response = getattr(editor_api, method)(f"{ORGANIZERS}/{full_organizer.pk}", answer)

    del answer["json_ld"]
    assert updated_record(response) == answer
    assert "X-Ignored-Fields" not in response
    assert stored_rows() == before


def test_unknown_arguments_are_named(editor_api):
    response = editor_api.post(ORGANIZERS, {"organizer": "Club", "venue": "Hall", "city": "Lima"})

    created_record(response)
    assert response["X-Ignored-Fields"] == "venue, city"


# --- Names that are known, status, author ---------------------------------------------------------


@pytest.mark.parametrize("name", ["River Club", "RIVER CLUB", " river   club "])
def test_known_name_answers_the_organizer_there_is_unchanged(contributor_api, full_organizer, name):
    before = stored_rows()

    response = contributor_api.post(ORGANIZERS, {"organizer": name, "phone": "5"})

    assert created_record(response) == read_record(contributor_api, ORGANIZERS, full_organizer.pk)
    assert stored_rows() == before


def test_another_description_makes_another_organizer(editor_api, full_organizer):
    other = created_record(editor_api.post(ORGANIZERS, {"organizer": "River Club", "description": "Another."}))

    assert (other["slug"], other["description"]) == ("river-club-2", "<p>Another.</p>")


def test_organizer_is_scheduled_by_its_publication_date(editor_api, client, full_organizer):
    later = updated_record(editor_api.post(f"{ORGANIZERS}/{full_organizer.pk}", {"date": "2030-02-01"}))

    assert (later["status"], later["date_utc"]) == ("future", "2030-02-01 00:00:00")
    assert error_of(client.get(f"{ORGANIZERS}/{full_organizer.pk}")) == (403, "organizer-not-accessible")


@pytest.mark.parametrize(("wanted", "status"), [(None, "draft"), ("publish", "pending"), ("draft", "draft")])
def test_contributor_never_publishes(contributor_api, wanted, status):
    assert created_record(contributor_api.post(ORGANIZERS, {"organizer": "Club", "status": wanted}))["status"] == status


def test_author_is_given_by_who_may(editor_api, author_api, author, full_organizer):
    somebody = UserFactory()
    own = OrganizerFactory(author=author)

    value = updated_record(editor_api.post(f"{ORGANIZERS}/{full_organizer.pk}", {"author": somebody.pk}))
    refused = author_api.post(f"{ORGANIZERS}/{own.pk}", {"author": somebody.pk})

    assert value["author"] == somebody.pk
    assert error_of(refused) == (403, "rest_cannot_edit_others")


# --- Deleting -------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["{pk}", "by-slug/{slug}"])
def test_deleted_organizer_is_in_the_trash(editor_api, client, full_organizer, path):
    event = EventFactory(organizers=[full_organizer, other := OrganizerFactory()])
    before = read_record(editor_api, ORGANIZERS, full_organizer.pk)

    answer = updated_record(
        editor_api.delete(f"{ORGANIZERS}/{path.format(pk=full_organizer.pk, slug=full_organizer.slug)}")
    )

    assert changed_values(before, answer) == {"status": "trash"}
    assert read_record(editor_api, ORGANIZERS, full_organizer.pk) == answer
    assert client.get(f"{ORGANIZERS}/{full_organizer.pk}").status_code == 403
    assert [row["id"] for row in client.get(f"{API}/events/{event.pk}").json()["organizer"]] == [other.pk]


def test_slug_and_name_of_the_trash_are_free(editor_api, full_organizer):
    updated_record(editor_api.delete(f"{ORGANIZERS}/{full_organizer.pk}"))

    new = created_record(editor_api.post(ORGANIZERS, {"organizer": "River Club"}))
    back = updated_record(editor_api.post(f"{ORGANIZERS}/{full_organizer.pk}", {"status": "publish"}))

    assert new["id"] != full_organizer.pk
    assert (new["slug"], back["slug"]) == ("river-club", "river-club-2")
