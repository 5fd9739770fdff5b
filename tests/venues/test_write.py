"""Creating, updating and deleting venues."""

from datetime import UTC, datetime

import pytest

from tests.factories import EventFactory, UserFactory, VenueFactory
from tests.support.api_client import API, invalid_params
from tests.support.api_writes import changed_values, created_record, error_of, read_record, stored_rows, updated_record
from venues.models import Venue

VENUES = f"{API}/venues"
NOW = datetime(2030, 1, 15, 12, 30, 45, tzinfo=UTC)

pytestmark = pytest.mark.time_machine(NOW, tick=False)
NOT_TEXT = "Must be a string."
EMPTY = "Must not be empty."
STATUSES = "Not a valid status. Use one of these: publish, future, draft, pending, private, trash."
TEXTS = ("address", "city", "country", "province", "state", "stateprovince", "zip", "phone")
FULL = {
    "venue": "Old Mill",
    "description": "<p>By the river.</p>",
    "address": "1 Mill Lane",
    "city": "Port Ellery",
    "country": "Ellery",
    "province": "North",
    "state": "Upper Ellery",
    "zip": "1000",
    "phone": "+1 555 0100",
    "website": "https://mill.example.org/",
    "show_map": False,
    "show_map_link": False,
}


@pytest.fixture
def full_venue(editor):
    fields = {**FULL, "title": FULL["venue"]}
    del fields["venue"]
    return VenueFactory(author=editor, **fields)


def test_venue_with_only_a_name(editor_api, editor):
    response = editor_api.post(VENUES, {"venue": "Café Zoë"})

    venue = created_record(response)
    pk, now = venue["id"], "2030-01-15 12:30:45"
    texts = ("description", "excerpt", *TEXTS, "website")
    expected = {
        "id": pk,
        "author": editor.pk,
        "status": "publish",
        "date": now,
        "date_utc": now,
        "modified": now,
        "modified_utc": now,
        "url": "http://testserver/venue/cafe-zoe/",
        "venue": "Café Zoë",
        "slug": "cafe-zoe",
        **dict.fromkeys(texts, ""),
        "image": False,
        "show_map": True,
        "show_map_link": True,
        "global_id": f"testserver?type=venue&id={pk}",
        "global_id_lineage": [f"testserver?type=venue&id={pk}"],
    }
    assert {name: venue[name] for name in expected} == expected
    assert "X-Ignored-Fields" not in response
    assert venue == read_record(editor_api, VENUES, pk)


def test_venue_with_everything(editor_api, author):
    value = {**FULL, "author": author.pk, "status": "private", "date": "2030-01-01 09:00:00"}

    venue = created_record(editor_api.post(VENUES, value))

    assert {name: venue[name] for name in value} == value
    assert venue["stateprovince"] == "North"
    assert venue == read_record(editor_api, VENUES, venue["id"])


@pytest.mark.parametrize(
    ("value", "answered"),
    [
        ({"state": "S", "province": "P", "stateprovince": "B"}, {"state": "S", "province": "P", "stateprovince": "B"}),
        ({"province": "P", "stateprovince": "B"}, {"state": "", "province": "P", "stateprovince": "B"}),
        ({"state": "S", "province": "P", "country": "Italy"}, {"state": "S", "province": "P", "stateprovince": "P"}),
        ({"stateprovince": "B"}, {"state": "", "province": "", "stateprovince": "B"}),
        ({"state": "S"}, {"state": "S", "province": "", "stateprovince": "S"}),
    ],
)
def test_region_is_the_state_or_the_province_or_both_in_one(editor_api, value, answered):
    venue = created_record(editor_api.post(VENUES, {"venue": "Hall", **value}))

    assert {name: venue[name] for name in answered} == answered


def test_region_that_is_sent_as_the_state_follows_the_state_from_then_on(editor_api):
    venue = created_record(editor_api.post(VENUES, {"venue": "Hall", "state": "S", "stateprovince": "Both"}))

    updated_record(editor_api.post(f"{VENUES}/{venue['id']}", {"stateprovince": "S"}))
    after = updated_record(editor_api.post(f"{VENUES}/{venue['id']}", {"state": "T"}))

    assert changed_values(venue, after) == {"state": "T", "stateprovince": "T"}


@pytest.mark.parametrize("switch", ["show_map", "show_map_link"])
def test_switches_are_texts_and_booleans(editor_api, full_venue, switch):
    value = [True, "true", "1", "yes", "TRUE", "Yes", False, "false", "0", "no", "off", "anything", ""]

    responses = [updated_record(editor_api.post(f"{VENUES}/{full_venue.pk}", {switch: one}))[switch] for one in value]

    assert responses == [True] * 6 + [False] * 7


@pytest.mark.parametrize("name", [None, "", "  ", "<b></b>", 5, True, ["Hall"]], ids=repr)
def test_name_is_needed(editor_api, name):
    before = stored_rows()

    response = editor_api.post(VENUES, {"venue": name, "city": 5})

    assert stored_rows() == before
    if name is None:
        assert error_of(response) == (400, "rest_missing_callback_param")
        assert response.json()["data"]["params"] == ["venue"]
    elif name == "  ":
        assert error_of(response) == (400, "could-not-create-venue")
    else:
        assert invalid_params(response) == {"venue": EMPTY if isinstance(name, str) else NOT_TEXT, "city": NOT_TEXT}


def test_name_is_not_emptied(editor_api, full_venue):
    before = stored_rows()

    for name in ("", "  ", "<b></b>"):
        assert invalid_params(editor_api.post(f"{VENUES}/{full_venue.pk}", {"venue": name})) == {"venue": EMPTY}
    assert stored_rows() == before


WRONG = {
    **{name: [(5, NOT_TEXT), (True, NOT_TEXT), (["text"], NOT_TEXT), ({}, NOT_TEXT)] for name in TEXTS},
    "description": [(5, NOT_TEXT), (["text"], NOT_TEXT)],
    "website": [("mill.example.org", "Enter a URL that starts with http:// or https://."), (5, NOT_TEXT)],
    "show_map": [(1, NOT_TEXT), ([], NOT_TEXT), (1.5, NOT_TEXT)],
    "show_map_link": [(0, NOT_TEXT), ({}, NOT_TEXT)],
    "author": [("", "Must be a whole number, such as 12."), (999_999, "There is no account with this id.")],
    "status": [("", STATUSES), ("gone", STATUSES), (5, STATUSES)],
    "date": [("", "The date cannot be empty."), (5, NOT_TEXT)],
    "date_utc": [("2030-02-30", "2030-02-30 is not a valid date."), ([], NOT_TEXT)],
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_value_is_refused_and_nothing_is_changed(editor_api, full_venue, name):
    before = stored_rows()

    for value, message in WRONG[name]:
        assert invalid_params(editor_api.post(VENUES, {"venue": "New", name: value})) == {name: message}
        assert invalid_params(editor_api.put(f"{VENUES}/{full_venue.pk}", {"city": "New", name: value})) == {
            name: message
        }
    assert stored_rows() == before


def test_texts_have_limits(editor_api):
    limits = {"venue": 500, "address": 500, "phone": 200, "zip": 50, **dict.fromkeys(("city", "country"), 200)}
    limits |= dict.fromkeys(("province", "state", "stateprovince"), 200)

    longest = editor_api.post(VENUES, {name: "x" * limit for name, limit in limits.items()})
    longer = editor_api.post(VENUES, {name: "x" * (limit + 1) for name, limit in limits.items()})

    assert {name: len(created_record(longest)[name]) for name in limits} == limits
    assert invalid_params(longer) == {name: f"Must have at most {limit} characters." for name, limit in limits.items()}


@pytest.mark.parametrize("method", ["post", "put", "patch"])
@pytest.mark.parametrize("address", ["{pk}", "by-slug/{slug}"])
def test_update_changes_what_was_sent_and_nothing_else(editor_api, full_venue, method, address):
    before = read_record(editor_api, VENUES, full_venue.pk)
    path = f"{VENUES}/{address.format(pk=full_venue.pk, slug=full_venue.slug)}"

    after = updated_record(getattr(editor_api, method)(path, {"city": "<b>Lima</b> & more", "slug": "ignored"}))
    unchanged = updated_record(getattr(editor_api, method)(path, {}))

    assert changed_values(before, after) == {"city": "Lima & more"}
    assert unchanged == after == read_record(editor_api, VENUES, full_venue.pk)


@pytest.mark.parametrize("nothing", ["", None], ids=repr)
@pytest.mark.parametrize("name", [*TEXTS, "description", "website", "image"])
def test_what_can_be_empty_is_emptied(editor_api, full_venue, name, nothing):
    Venue.objects.update(state_province="Both")
    before = read_record(editor_api, VENUES, full_venue.pk)

    after = updated_record(editor_api.post(f"{VENUES}/{full_venue.pk}", {name: nothing}))

    emptied = {
        "image": {},
        # Without it, the state is shown.
        "stateprovince": {"stateprovince": "North"},
    }
    assert changed_values(before, after) == emptied.get(name, {name: ""})


def test_null_leaves_alone_what_is_never_empty(editor_api, full_venue):
    before = read_record(editor_api, VENUES, full_venue.pk)
    nulls = dict.fromkeys(("venue", "author", "status", "date", "date_utc", "show_map", "show_map_link"))

    assert updated_record(editor_api.post(f"{VENUES}/{full_venue.pk}", nulls)) == before


def test_null_in_a_create_is_as_if_it_was_not_sent(editor_api):
    plain = created_record(editor_api.post(VENUES, {"venue": "Plain"}))

    nulls = created_record(editor_api.post(VENUES, {**dict.fromkeys(plain), "venue": "Nulls"}))

    assert set(changed_values(plain, nulls)) == {"id", "global_id", "global_id_lineage", "venue", "slug", "url"}


@pytest.mark.parametrize("method", ["post", "put", "patch"])
@pytest.mark.parametrize("status", ["publish", "draft", "trash"])
def test_venue_sent_back_unchanged_changes_nothing(editor_api, full_venue, method, status):
    Venue.objects.update(status=status)
    answer = editor_api.get(f"{VENUES}/{full_venue.pk}").json()
    before = stored_rows()

    response = getattr(editor_api, method)(f"{VENUES}/{full_venue.pk}", answer)

    del answer["json_ld"]
    assert updated_record(response) == answer
    assert "X-Ignored-Fields" not in response
    assert stored_rows() == before


def test_region_of_a_venue_sent_back_is_not_written_twice(editor_api, full_venue):
    answer = read_record(editor_api, VENUES, full_venue.pk)

    after = updated_record(editor_api.put(f"{VENUES}/{full_venue.pk}", {**answer, "state": "", "province": ""}))

    assert (answer["stateprovince"], after["stateprovince"]) == ("North", "")


def test_unknown_arguments_are_named(editor_api):
    response = editor_api.post(VENUES, {"venue": "Hall", "citty": "Lima", "start_date": "today"})

    created_record(response)
    assert response["X-Ignored-Fields"] == "citty, start_date"


def test_id_and_slug_in_the_body_choose_no_other_venue(editor_api, full_venue):
    other = VenueFactory(title="Other")

    by_id = updated_record(
        editor_api.post(f"{VENUES}/{full_venue.pk}", {"id": other.pk, "slug": other.slug, "city": "Lima"})
    )
    by_slug = updated_record(editor_api.post(f"{VENUES}/by-slug/old-mill?slug=other", {"id": other.pk, "zip": "2"}))

    assert (by_id["id"], by_id["slug"], by_slug["id"], by_slug["zip"]) == (
        full_venue.pk,
        "old-mill",
        full_venue.pk,
        "2",
    )
    assert Venue.objects.get(pk=other.pk).city == ""


# --- Names that are known -------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Old Mill", "OLD MILL", " old   mill "])
def test_known_name_answers_the_venue_there_is_unchanged(contributor_api, full_venue, name):
    before = stored_rows()

    response = contributor_api.post(VENUES, {"venue": name, "city": "Elsewhere", "status": "draft"})

    assert created_record(response) == read_record(contributor_api, VENUES, full_venue.pk)
    assert stored_rows() == before


@pytest.mark.parametrize("description", ["<p>By the river.</p>", "", None])
def test_same_description_is_the_venue_there_is(editor_api, full_venue, description):
    assert (
        created_record(editor_api.post(VENUES, {"venue": "Old Mill", "description": description}))["id"]
        == full_venue.pk
    )


def test_another_description_makes_another_venue(editor_api, full_venue):
    other = created_record(editor_api.post(VENUES, {"venue": "Old Mill", "description": "On the hill."}))
    again = created_record(editor_api.post(VENUES, {"venue": "Old Mill", "description": "On the hill."}))

    assert (other["slug"], other["description"], again["id"]) == ("old-mill-2", "<p>On the hill.</p>", other["id"])


def test_longer_name_is_another(editor_api, full_venue):
    assert created_record(editor_api.post(VENUES, {"venue": "Old Mill II"}))["id"] != full_venue.pk


@pytest.mark.parametrize("status", ["draft", "private", "pending", "trash"])
def test_name_of_a_venue_that_the_writer_may_not_see_is_not_known(author_api, full_venue, status):
    Venue.objects.update(status=status)

    made = created_record(author_api.post(VENUES, {"venue": "Old Mill"}))

    assert made["id"] != full_venue.pk
    assert made["slug"] == ("old-mill" if status == "trash" else "old-mill-2")


def test_two_venues_may_get_the_same_name_by_update(editor_api, full_venue):
    other = VenueFactory(title="Other")

    after = updated_record(editor_api.post(f"{VENUES}/{other.pk}", {"venue": "Old Mill"}))

    assert (after["venue"], after["slug"]) == ("Old Mill", "other")


# --- Status and publication -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "status"),
    [
        ({}, "publish"),
        ({"status": "future"}, "publish"),
        ({"status": "publish", "date": "2030-02-01"}, "future"),
        ({"status": "future", "date_utc": "2030-02-01"}, "future"),
        ({"status": "draft", "date": "2030-02-01"}, "draft"),
        ({"status": "trash"}, "trash"),
    ],
)
def test_status_follows_the_publication_date(editor_api, value, status):
    row = VenueFactory(status="draft")

    made = created_record(editor_api.post(VENUES, {"venue": "New", **value}))
    changed = updated_record(editor_api.post(f"{VENUES}/{row.pk}", {"status": "publish", **value}))

    assert (made["status"], changed["status"]) == (status, status)


def test_update_without_a_status_or_date_keeps_both(editor_api):
    row = VenueFactory(status="pending", published_at=datetime(2029, 5, 6, 7, 8, 9, tzinfo=UTC))

    after = updated_record(editor_api.post(f"{VENUES}/{row.pk}", {"city": "Lima"}))

    assert (after["status"], after["date"], after["date_utc"]) == ("pending", *["2029-05-06 07:08:09"] * 2)


def test_date_alone_moves_both_dates(editor_api, full_venue, settings):
    settings.SITE_TIME_ZONE = "Asia/Tokyo"

    local = updated_record(editor_api.post(f"{VENUES}/{full_venue.pk}", {"date": "2029-05-06 07:00"}))
    utc = updated_record(editor_api.post(f"{VENUES}/{full_venue.pk}", {"date_utc": "2029-05-06 07:00"}))

    assert (local["date"], local["date_utc"]) == ("2029-05-06 07:00:00", "2029-05-05 22:00:00")
    assert (utc["date"], utc["date_utc"]) == ("2029-05-06 16:00:00", "2029-05-06 07:00:00")


def test_date_that_was_changed_in_an_answer_counts(editor_api, full_venue):
    answer = read_record(editor_api, VENUES, full_venue.pk)

    local = updated_record(editor_api.put(f"{VENUES}/{full_venue.pk}", {**answer, "date": "2029-05-06 07:00:00"}))
    utc = updated_record(editor_api.put(f"{VENUES}/{full_venue.pk}", {**local, "date_utc": "2029-05-07 07:00:00"}))

    assert (local["date_utc"], utc["date"]) == ("2029-05-06 07:00:00", "2029-05-07 07:00:00")


@pytest.mark.parametrize(("wanted", "status"), [(None, "draft"), ("publish", "pending"), ("private", "pending")])
def test_contributor_never_publishes(contributor_api, wanted, status):
    assert created_record(contributor_api.post(VENUES, {"venue": "Hall", "status": wanted}))["status"] == status


def test_author_is_given_by_who_may(editor_api, author_api, author, full_venue):
    somebody = UserFactory()
    own = VenueFactory(author=author)

    value = updated_record(editor_api.post(f"{VENUES}/{full_venue.pk}", {"author": somebody.pk}))
    refused = author_api.post(f"{VENUES}/{own.pk}", {"author": somebody.pk})

    assert value["author"] == somebody.pk
    assert error_of(refused) == (403, "rest_cannot_edit_others")


# --- Deleting -------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["{pk}", "by-slug/{slug}"])
def test_deleted_venue_is_in_the_trash(editor_api, client, full_venue, path):
    event = EventFactory(venues=[full_venue])
    before = read_record(editor_api, VENUES, full_venue.pk)

    answer = updated_record(editor_api.delete(f"{VENUES}/{path.format(pk=full_venue.pk, slug=full_venue.slug)}"))

    assert changed_values(before, answer) == {"status": "trash"}
    assert read_record(editor_api, VENUES, full_venue.pk) == answer
    assert client.get(f"{VENUES}/{full_venue.pk}").status_code == 403
    assert client.get(VENUES).json()["total"] == 0
    assert client.get(f"{API}/events/{event.pk}").json()["venue"] == []


def test_venue_comes_back_with_its_slug(editor_api, full_venue):
    before = read_record(editor_api, VENUES, full_venue.pk)
    updated_record(editor_api.delete(f"{VENUES}/{full_venue.pk}"))

    after = updated_record(editor_api.post(f"{VENUES}/{full_venue.pk}", {"status": "publish"}))

    assert after == before


def test_slug_and_name_of_the_trash_are_free(editor_api, full_venue):
    updated_record(editor_api.delete(f"{VENUES}/{full_venue.pk}"))

    new = created_record(editor_api.post(VENUES, {"venue": "Old Mill"}))
    back = updated_record(editor_api.post(f"{VENUES}/{full_venue.pk}", {"status": "publish"}))

    assert new["id"] != full_venue.pk
    assert (new["slug"], back["slug"]) == ("old-mill", "old-mill-2")
