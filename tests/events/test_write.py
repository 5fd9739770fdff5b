"""Creating and updating events: every field except dates, costs and links."""

from datetime import UTC, datetime

import pytest

from events.models import Event
from tests.factories import (
    CategoryFactory,
    EventFactory,
    ImageFactory,
    OrganizerFactory,
    TagFactory,
    TicketFactory,
    UserFactory,
    VenueFactory,
)
from tests.support.api_client import API, api_client_for, invalid_params
from tests.support.api_writes import (
    changed_values,
    created_record,
    error_of,
    event_data,
    read_record,
    stored_rows,
    updated_record,
    without_json_ld,
)
from tests.support.records import rolled_back

EVENTS = f"{API}/events"
NOW = datetime(2030, 1, 15, 12, 30, 45, tzinfo=UTC)

pytestmark = pytest.mark.time_machine(NOW, tick=False)
STATUSES = "Not a valid status. Use one of these: publish, future, draft, pending, private, trash."
FLAGS = ("show_map", "show_map_link", "hide_from_listings", "sticky", "featured")


@pytest.fixture
def full_event(editor):
    """An event of the editor's with something in every field."""
    event = EventFactory(
        author=editor,
        title="Open air",
        start="2030-05-04 18:00",
        end="2030-05-04 20:00",
        description="<p>Bring a blanket.</p>",
        excerpt="<p>Outside</p>",
        cost="$10",
        website="https://open-air.example.org/",
        venues=[VenueFactory()],
        organizers=[OrganizerFactory()],
        categories=[CategoryFactory()],
        tags=[TagFactory()],
        parent=EventFactory(),
        image=ImageFactory(),
        password="sesame",
    )
    TicketFactory(event=event, available_from=NOW, url="https://tickets.example.org/")
    TicketFactory(event=event, name="Reduced", price="7.50", position=1)
    return event


def details(text):
    return dict(
        zip(
            ("year", "month", "day", "hour", "minutes", "seconds"),
            text.replace(" ", "-").replace(":", "-").split("-"),
            strict=True,
        )
    )


# --- Creating -------------------------------------------------------------------------------------


def test_event_with_only_what_it_needs(editor_api, editor):
    response = editor_api.post(EVENTS, event_data(title="Nuit d'été"))

    event = created_record(response)
    pk, url = event["id"], "http://testserver/event/nuit-dete/"
    now, start, end = "2030-01-15 12:30:45", "2030-05-04 18:00:00", "2030-05-04 20:00:00"
    assert event == {
        "id": pk,
        "global_id": f"testserver?type=event&id={pk}",
        "global_id_lineage": [f"testserver?type=event&id={pk}"],
        "author": editor.pk,
        "status": "publish",
        "date": now,
        "date_utc": now,
        "modified": now,
        "modified_utc": now,
        "url": url,
        "rest_url": f"http://testserver{EVENTS}/{pk}",
        "title": "Nuit d'été",
        "description": "",
        "excerpt": "",
        "slug": "nuit-dete",
        "image": False,
        "all_day": False,
        "start_date": start,
        "start_date_details": details(start),
        "end_date": end,
        "end_date_details": details(end),
        "utc_start_date": start,
        "utc_start_date_details": details(start),
        "utc_end_date": end,
        "utc_end_date_details": details(end),
        "start": "2030-05-04T18:00:00+00:00",
        "end": "2030-05-04T20:00:00+00:00",
        "timezone": "UTC",
        "timezone_abbr": "UTC",
        "cost": "",
        "cost_details": {"currency_symbol": "", "currency_code": "", "currency_position": "", "values": []},
        "website": url,
        "show_map": False,
        "show_map_link": False,
        "hide_from_listings": False,
        "sticky": False,
        "featured": False,
        "event_status": "scheduled",
        "event_status_reason": "",
        "previous_start_date": "",
        "sold_out": False,
        "attendance_mode": "in_person",
        "online_url": "",
        "hide_online_url": False,
        "accessibility": [],
        "post_parent": 0,
        "categories": [],
        "tags": [],
        "venue": [],
        "organizer": [],
        "ticketed": False,
        "tickets": [],
        "custom_fields": [],
        "series": None,
    }
    assert "X-Ignored-Fields" not in response
    assert event == read_record(editor_api, EVENTS, pk)


def test_event_with_everything(editor_api, author):
    parent = EventFactory()
    value = {
        "title": "Open air",
        "author": author.pk,
        "status": "publish",
        "date": "2030-01-01 09:00:00",
        "description": "<p>Bring a <strong>blanket</strong>.</p>",
        "excerpt": "<p>Outside</p>",
        "slug": "summer-night",
        "all_day": False,
        "start_date": "2030-07-04 18:00:00",
        "end_date": "2030-07-05 01:00:00",
        "timezone": "Europe/Rome",
        "cost": "€25",
        "website": "https://open-air.example.org/",
        "show_map": True,
        "show_map_link": True,
        "hide_from_listings": True,
        "sticky": True,
        "featured": True,
        "post_parent": parent.pk,
    }

    response = editor_api.post(EVENTS, value)

    event = created_record(response)
    assert {name: event[name] for name in value} == value
    assert (event["date_utc"], event["modified"]) == ("2030-01-01 09:00:00", "2030-01-15 12:30:45")
    assert (event["utc_start_date"], event["utc_end_date"]) == ("2030-07-04 16:00:00", "2030-07-04 23:00:00")
    assert event["url"] == "http://testserver/event/summer-night/"
    assert "X-Ignored-Fields" not in response
    assert event == read_record(editor_api, EVENTS, event["id"])


def test_what_is_missing_is_reported_alone(editor_api):
    before = stored_rows()

    response = editor_api.post(EVENTS, {"end_date": None, "status": "unheard-of", "author": "nobody"})

    assert response.status_code == 400
    assert response.json() == {
        "code": "rest_missing_callback_param",
        "message": "Missing parameter(s): title, start_date, end_date",
        "data": {"status": 400, "params": ["title", "start_date", "end_date"]},
    }
    assert stored_rows() == before


@pytest.mark.parametrize("name", ["title", "start_date", "end_date"])
@pytest.mark.parametrize("is_null", [True, False])
def test_each_of_the_required_is_required(editor_api, name, is_null):
    body = event_data(**{name: None})
    if not is_null:
        del body[name]

    response = editor_api.post(EVENTS, body)

    assert error_of(response) == (400, "rest_missing_callback_param")
    assert response.json()["data"]["params"] == [name]


def test_null_in_a_create_is_as_if_it_was_not_sent(editor_api):
    optional = [name for name in event_arguments(editor_api) if name not in ("title", "start_date", "end_date")]

    plain = created_record(editor_api.post(EVENTS, event_data(title="Plain")))
    nulls = created_record(editor_api.post(EVENTS, event_data(title="Nulls", **dict.fromkeys(optional))))

    assert set(changed_values(plain, nulls)) <= {
        "id",
        "global_id",
        "global_id_lineage",
        "rest_url",
        "title",
        "slug",
        "url",
        "website",
    }
    assert nulls["slug"] == "nulls"


def event_arguments(client):
    """The names of all write fields of an event, as the service itself describes them."""
    endpoints = client.options(EVENTS).json()["endpoints"]
    return next(endpoint["args"] for endpoint in endpoints if "POST" in endpoint["methods"])


def test_write_fields_are_those_of_the_contract(editor_api):
    required = {"title", "start_date", "end_date"}
    optional = {
        "author",
        "date",
        "date_utc",
        "description",
        "slug",
        "excerpt",
        "status",
        "timezone",
        "all_day",
        "image",
    }
    optional |= {"cost", "website", *FLAGS, "categories", "tags", "venue", "organizer"}

    arguments = event_arguments(editor_api)

    assert {name for name, described in arguments.items() if described["required"]} == required
    assert optional - arguments.keys() == set()


# --- Updating -------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["post", "put", "patch"])
@pytest.mark.parametrize("path", ["{pk}", "{pk}/", "by-slug/{slug}", "by-slug/{slug}/"])
def test_update_changes_what_was_sent_and_nothing_else(editor_api, full_event, method, path):
    before = read_record(editor_api, EVENTS, full_event.pk)

    response = getattr(editor_api, method)(
        f"{EVENTS}/{path.format(pk=full_event.pk, slug=full_event.slug)}", {"title": "New"}
    )

    after = updated_record(response)
    assert changed_values(before, after) == {"title": "New"}
    assert after == read_record(editor_api, EVENTS, full_event.pk)


@pytest.mark.parametrize("method", ["post", "put", "patch"])
def test_update_with_nothing_changes_nothing(editor_api, full_event, method):
    before = read_record(editor_api, EVENTS, full_event.pk)

    after = updated_record(getattr(editor_api, method)(f"{EVENTS}/{full_event.pk}", {}))

    assert after == before


def test_update_moves_the_moment_of_change_alone(editor_api, full_event, time_machine):
    before = read_record(editor_api, EVENTS, full_event.pk)
    time_machine.move_to(datetime(2030, 1, 16, 8, tzinfo=UTC), tick=False)

    after = updated_record(editor_api.post(f"{EVENTS}/{full_event.pk}", {"featured": True}))

    assert changed_values(before, after) == {
        "featured": True,
        "modified": "2030-01-16 08:00:00",
        "modified_utc": "2030-01-16 08:00:00",
    }


@pytest.mark.parametrize(
    ("value", "answered"),
    [
        ({"title": "Fish & Chips <3 'quoted' “curled” 🎉"}, {"title": "Fish & Chips <3 'quoted' “curled” 🎉"}),
        ({"title": "  <b>Bold</b> <script>x()</script>move\n "}, {"title": "Bold move"}),
        ({"title": "x" * 500}, {"title": "x" * 500}),
        ({"title": "100 %"}, {"title": "100 %"}),
        (
            {"description": "One & two\nlines\n\nand a <3"},
            {"description": "<p>One &amp; two<br>\nlines</p>\n<p>and a &lt;3</p>"},
        ),
        (
            {"description": '<p onclick="x()">Go <a href="javascript:x()">in</a><script>x()</script></p>'},
            {"description": '<p>Go <a rel="noopener noreferrer">in</a></p>'},
        ),
        ({"description": "<h2>A</h2>\n<ul><li>b</li></ul>"}, {"description": "<h2>A</h2>\n<ul><li>b</li></ul>"}),
        ({"excerpt": "In short"}, {"excerpt": "<p>In short</p>"}),
        ({"excerpt": "<em>In</em> short"}, {"excerpt": "<em>In</em> short"}),
        ({"website": " http://a.example/x?y=1&z#w "}, {"website": "http://a.example/x?y=1&z#w"}),
        ({"website": "https://müller.example/straße"}, {"website": "https://müller.example/straße"}),
        ({"website": "http://intranet:8080/calendar"}, {"website": "http://intranet:8080/calendar"}),
        ({"website": "http://[::1]/"}, {"website": "http://[::1]/"}),
        ({"date": "2029-12-24 18:00"}, {"date": "2029-12-24 18:00:00", "date_utc": "2029-12-24 18:00:00"}),
        ({"date_utc": "24 December 2029"}, {"date": "2029-12-24 00:00:00", "date_utc": "2029-12-24 00:00:00"}),
        ({"password": "anything"}, {}),
        ({"image": False}, {"image": False}),
        ({"image": 0}, {"image": False}),
    ],
)
def test_field_is_stored_as_the_contract_says(editor_api, full_event, value, answered):
    before = read_record(editor_api, EVENTS, full_event.pk)

    after = updated_record(editor_api.post(f"{EVENTS}/{full_event.pk}", value))

    assert changed_values(before, after) == answered
    assert after == read_record(editor_api, EVENTS, full_event.pk)


@pytest.mark.parametrize(
    ("spellings", "is_on"), [([True, 1, "1", "true", "True", "TRUE"], True), ([False, 0, "0", "false", "False"], False)]
)
def test_flags_are_switched(editor_api, spellings, is_on):
    event = EventFactory()
    for value in spellings:
        Event.objects.update(**dict.fromkeys(FLAGS, not is_on))
        before = read_record(editor_api, EVENTS, event.pk)

        after = updated_record(editor_api.post(f"{EVENTS}/{event.pk}", dict.fromkeys(FLAGS, value)))

        assert changed_values(before, after) == dict.fromkeys(FLAGS, is_on)


@pytest.mark.parametrize("flag", FLAGS)
def test_flag_is_switched_alone(editor_api, flag):
    event = EventFactory()
    before = read_record(editor_api, EVENTS, event.pk)

    after = updated_record(editor_api.post(f"{EVENTS}/{event.pk}", {flag: not before[flag]}))

    assert changed_values(before, after) == {flag: not before[flag]}


NOT_TEXT = "Must be a string."
EMPTY = "Must not be empty."
NOT_BOOLEAN = "Must be a boolean: true or false."
NOT_NUMBER = "Must be a whole number, such as 12."
TOO_LARGE = "Must be at most 9223372036854775807."
TOO_SMALL = "Must be at least -9223372036854775807."
NO_ACCOUNT = "There is no account with this id."
NO_HOST = "The host of the URL is not valid. Check the part after ://."
NO_ADDRESS = "Enter a URL that starts with http:// or https://."
NO_ZONE = "Not a valid time zone. Use a name such as Europe/Rome, UTC or UTC+2."

WRONG = [
    ("title", "", EMPTY),
    ("title", " \t\n", EMPTY),
    ("title", "<p> </p>", EMPTY),
    ("title", "x" * 501, "Must have at most 500 characters."),
    ("title", "<b>" * 1000, "Must have at most 500 characters."),
    *[("title", value, NOT_TEXT) for value in (5, 1.5, True, ["Open air"], {"rendered": "Open air"})],
    *[("description", value, NOT_TEXT) for value in (5, True, ["text"], {"rendered": "text"})],
    *[("excerpt", value, NOT_TEXT) for value in (5, True, ["text"])],
    *[("slug", value, NOT_TEXT) for value in (5, True, ["open-air"])],
    ("slug", "x" * 1001, "Must have at most 1000 characters."),
    *[("author", value, NOT_NUMBER) for value in ("", "editor", True, 1.5, [1], {"id": 1}, "1,2")],
    *[("author", value, TOO_LARGE) for value in (2**63, 1e30, "9" * 20, "9" * 5000)],
    *[("author", value, TOO_SMALL) for value in (-(2**63), "-" + "9" * 20)],
    *[("author", value, NO_ACCOUNT) for value in (999_999, "999999", 0, "0", -1)],
    *[("status", value, STATUSES) for value in ("", "published", "PUBLISH", "inherit", "auto-draft", 1, ["draft"], {})],
    *[("website", value, NO_ADDRESS) for value in ("example.org", "ftp://example.org", "javascript:x()")],
    ("website", "mailto:a@example.org", NO_ADDRESS),
    *[("website", value, NO_HOST) for value in ("http://", "https://a b.example", "https://[::g]/")],
    ("website", "https://example.org/" + "x" * 2000, "Must have at most 2000 characters."),
    *[("website", value, NOT_TEXT) for value in (5, True, ["https://example.org"])],
    *[(flag, value, NOT_BOOLEAN) for flag in (*FLAGS, "all_day") for value in ("", "yes", "on", 2, -1, 1.5, [True])],
    *[("timezone", value, NO_ZONE) for value in ("Mars/Base", "CEST+1", "x" * 500)],
    *[("timezone", value, NOT_TEXT) for value in (2, True, ["UTC"], {})],
    ("timezone", "UTC+15", "A UTC offset must be between UTC-12 and UTC+14."),
    *[("date", value, NOT_TEXT) for value in (1_900_000_000, True, ["now"])],
    *[("date_utc", value, NOT_TEXT) for value in (1_900_000_000, False, {})],
    ("date", "", "The date cannot be empty."),
    ("date_utc", "", "The date cannot be empty."),
    ("date", "soon", "Not a valid date. Use a format such as 2027-03-10, 10 March 2027 or tomorrow 9am."),
    ("date_utc", "2030-02-30", "2030-02-30 is not a valid date."),
]  # fmt: skip


@pytest.mark.parametrize("name", sorted({name for name, _given, _message in WRONG}))
def test_invalid_value_is_rejected_and_nothing_is_changed(editor_api, full_event, name):
    before = stored_rows()
    cases = [(value, message) for wrong, value, message in WRONG if wrong == name]

    creates = [editor_api.post(EVENTS, event_data(**{name: value})) for value, _message in cases]
    updates = [
        editor_api.patch(f"{EVENTS}/{full_event.pk}", {"title": "Changed", name: value}) for value, _message in cases
    ]

    refused = [(value, {name: message}) for value, message in cases]
    assert [
        (value, invalid_params(response)) for (value, _message), response in zip(cases, creates, strict=True)
    ] == refused
    assert [
        (value, invalid_params(response)) for (value, _message), response in zip(cases, updates, strict=True)
    ] == refused
    assert stored_rows() == before


def test_response_reports_every_validation_error(editor_api):
    before = stored_rows()

    response = editor_api.post(
        EVENTS, event_data(title="", end_date="soon", status="unheard-of", sticky="yes", venue=999_999, website="x")
    )

    messages = {
        "title": EMPTY,
        "end_date": "Not a valid date. Use a format such as 2027-03-10, 10 March 2027 or tomorrow 9am.",
        "website": NO_ADDRESS,
        "sticky": NOT_BOOLEAN,
        "status": STATUSES,
        "venue": "Venues not found: 999999.",
    }
    body = response.json()
    assert (response.status_code, body["code"]) == (400, "rest_invalid_param")
    assert body["data"] == {
        "status": 400,
        "params": messages,
        "details": {
            name: {"code": "rest_invalid_param", "message": message, "data": None} for name, message in messages.items()
        },
    }
    assert sorted(body["message"].removeprefix("Invalid parameter(s): ").split(", ")) == sorted(messages)
    assert stored_rows() == before


# --- Emptiness (D15) ------------------------------------------------------------------------------


EMPTIED = {
    "description": {"description": ""},
    "excerpt": {"excerpt": ""},
    "image": {"image": False},
    "tickets": {"tickets": [], "ticketed": False},
    "website": {"website": "http://testserver/event/open-air/"},
    "cost": {
        "cost": "",
        "cost_details": {"currency_symbol": "", "currency_code": "", "currency_position": "", "values": []},
    },
    "timezone": {},
    "slug": {},
    "categories": {"categories": []},
    "tags": {"tags": []},
    "venue": {"venue": []},
    "organizer": {"organizer": []},
    "post_parent": {"post_parent": 0},
}


@pytest.mark.parametrize("nothing", ["", None], ids=repr)
def test_what_can_be_empty_is_emptied(editor_api, full_event, nothing):
    before = read_record(editor_api, EVENTS, full_event.pk)
    found = {}

    for name in EMPTIED:
        with rolled_back():
            after = updated_record(editor_api.post(f"{EVENTS}/{full_event.pk}", {name: nothing}))
            assert after == read_record(editor_api, EVENTS, full_event.pk), name
            found[name] = changed_values(before, after)

    assert found == EMPTIED


@pytest.mark.parametrize(
    "name", ["status", "author", "date", "date_utc", "title", "start_date", "end_date", "all_day", "password", *FLAGS]
)
def test_null_leaves_alone_what_is_never_empty(editor_api, name):
    event = EventFactory(status="draft", all_day=True, **dict.fromkeys(FLAGS, True))
    before = read_record(editor_api, EVENTS, event.pk)

    after = updated_record(editor_api.post(f"{EVENTS}/{event.pk}", {name: None}))

    assert after == before


@pytest.mark.parametrize("name", ["description", "excerpt", "website", "cost", "timezone", "slug", "image"])
def test_empty_text_in_a_create_is_as_if_it_was_not_sent(editor_api, name):
    plain = created_record(editor_api.post(EVENTS, event_data()))
    Event.objects.all().delete()

    empty = created_record(editor_api.post(EVENTS, event_data(**{name: ""})))

    assert set(changed_values(plain, empty)) <= {"id", "global_id", "global_id_lineage", "rest_url"}


def test_timezone_goes_back_to_that_of_the_site(editor_api, settings):
    settings.SITE_TIME_ZONE = "Europe/Rome"
    event = EventFactory(start="2030-05-04 18:00", end="2030-05-04 20:00", time_zone="Asia/Tokyo")

    after = updated_record(editor_api.post(f"{EVENTS}/{event.pk}", {"timezone": ""}))

    assert (after["timezone"], after["start"]) == ("Europe/Rome", "2030-05-04T18:00:00+02:00")


# --- What comes back is accepted (D14) ------------------------------------------------------------


@pytest.mark.parametrize("method", ["post", "put", "patch"])
def test_event_sent_back_unchanged_changes_nothing(editor_api, full_event, method):
    answer = editor_api.get(f"{EVENTS}/{full_event.pk}").json()
    before = stored_rows()

    response = getattr(editor_api, method)(f"{EVENTS}/{full_event.pk}", answer)

    assert updated_record(response) == without_json_ld(answer)
    assert "X-Ignored-Fields" not in response
    assert stored_rows() == before


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"status": "draft"},
        {"status": "private"},
        {"status": "trash"},
        {"published_at": datetime(2030, 2, 1, tzinfo=UTC)},
        {"all_day": True, "time_zone": "Pacific/Kiritimati"},
        {"start": "@1919808000", "end": "@1919808000", "time_zone": "America/New_York"},
        # The second turn of a doubled hour has the clock time of the first.
        {"start": "2030-10-27T02:30:00+01:00", "end": "2030-10-27T02:45:00+01:00", "time_zone": "Europe/Rome"},
        {"cost": "$0"},
        {"cost": ["10", "20", "30"]},
        {"cost": "Pay what you can"},
        {"title": "A <3 & B", "description": "a < b\n\nc & d", "excerpt": "<x>hello"},
        {"description": "<script>x()</script>hello"},
        {"description": "<!-- only a remark -->"},
        {"slug": "音楽"},
    ],
    ids=repr,
)
def test_any_event_sent_back_unchanged_changes_nothing(editor_api, fields):
    event = EventFactory(**fields)
    answer = next(
        iter(editor_api.get(f"{EVENTS}?include={event.pk}&status=publish,future,draft,private,trash").json()["events"])
    )
    before = stored_rows()

    response = editor_api.put(f"{EVENTS}/{event.pk}", answer)

    assert updated_record(response) == answer
    assert "X-Ignored-Fields" not in response
    assert stored_rows() == before


def test_several_venues_and_organizers_are_returned(editor_api):
    event = EventFactory(venues=VenueFactory.create_batch(3), organizers=OrganizerFactory.create_batch(2))
    answer = editor_api.get(f"{EVENTS}/{event.pk}").json()
    before = stored_rows()

    updated_record(editor_api.put(f"{EVENTS}/{event.pk}", answer))

    assert stored_rows() == before


def test_event_without_a_website_has_none_under_a_new_slug(editor_api):
    event = EventFactory(title="Open air")
    answer = editor_api.get(f"{EVENTS}/{event.pk}").json()

    after = updated_record(editor_api.put(f"{EVENTS}/{event.pk}", {**answer, "slug": "elsewhere"}))

    assert (after["url"], after["website"]) == ("http://testserver/event/elsewhere/",) * 2


def test_answer_can_be_copied_into_a_new_event(editor_api, full_event):
    answer = editor_api.get(f"{EVENTS}/{full_event.pk}").json()

    copy = created_record(editor_api.post(EVENTS, {**answer, "slug": ""}))

    own = {"id", "global_id", "global_id_lineage", "rest_url", "slug", "url"}
    assert set(changed_values(read_record(editor_api, EVENTS, full_event.pk), copy)) == own
    assert copy["slug"] == "open-air-2"
    assert [term["count"] for term in copy["categories"] + copy["tags"]] == [1, 1]


@pytest.mark.parametrize("password", ["", 5])
def test_credential_of_an_update_is_a_text(editor_api, full_event, password):
    response = editor_api.patch(f"{EVENTS}/{full_event.pk}", {"title": "Changed", "password": password})

    assert set(invalid_params(response)) == {"password"}
    full_event.refresh_from_db()
    assert full_event.title != "Changed"


# --- Arguments that mean nothing (D12), and that name the record (D18) ----------------------------


def test_unknown_arguments_are_named(editor_api):
    response = editor_api.post(f"{EVENTS}?collor=1", event_data(titel="Typo", **{"ä, b": 1}, venues=[1]))

    created_record(response)
    assert response["X-Ignored-Fields"] == "collor, titel, %C3%A4%2C%20b, venues"


def test_unknown_keys_in_the_data_of_linked_records_are_named(editor_api):
    known = OrganizerFactory()
    organizers = [{"organizer": "Choir", "fone": "5"}, {"id": known.pk, "organizer": "Other", "fone": "5", "mail": ""}]

    response = editor_api.post(EVENTS, event_data(venue={"venue": "Hall", "citty": "Lima"}, organizer=organizers, x=1))

    created_record(response)
    assert response["X-Ignored-Fields"] == "x, venue[citty], organizer[fone], organizer[mail]"


def test_only_the_first_unknown_arguments_are_named(editor_api):
    response = editor_api.post(EVENTS, event_data(**{f"x{number}": 1 for number in range(50)}))

    assert response["X-Ignored-Fields"] == ", ".join(f"x{number}" for number in range(20))


COMPUTED = {
    "id": 999_999,
    "url": "https://elsewhere.example",
    "rest_url": "https://elsewhere.example",
    "global_id": "x",
    "utc_start_date": "2001-01-01 00:00:00",
    "utc_end_date": "2001-01-01 00:00:00",
    "start_date_details": {"year": "2001"},
    "timezone_abbr": "XYZ",
    "modified": "2001-01-01 00:00:00",
    "cost_details": {"values": ["99"]},
    "json_ld": {},
    "start": "2001-01-01T00:00:00+00:00",
}


def test_computed_fields_are_passed_over(editor_api, full_event):
    before = read_record(editor_api, EVENTS, full_event.pk)

    made = editor_api.post(EVENTS, event_data(**COMPUTED))
    after = editor_api.post(f"{EVENTS}/{full_event.pk}", COMPUTED)

    assert created_record(made)["utc_start_date"] == "2030-05-04 18:00:00"
    assert created_record(made)["id"] != 999_999
    assert updated_record(after) == before
    assert "X-Ignored-Fields" not in made
    assert "X-Ignored-Fields" not in after


@pytest.mark.parametrize("address", ["{pk}", "by-slug/{slug}"])
def test_id_in_the_body_or_query_chooses_no_other_event(editor_api, full_event, address):
    other = EventFactory(title="Other")
    path = f"{EVENTS}/{address.format(pk=full_event.pk, slug=full_event.slug)}?id={other.pk}"

    after = updated_record(editor_api.post(path, {"id": other.pk, "title": "New"}))

    assert (after["id"], after["title"]) == (full_event.pk, "New")
    assert Event.objects.get(pk=other.pk).title == "Other"


def test_slug_in_the_body_is_the_new_slug_of_the_event_of_the_path(editor_api, full_event):
    other = EventFactory(title="Other", slug="other")

    after = updated_record(editor_api.post(f"{EVENTS}/by-slug/open-air", {"slug": "other", "title": "New"}))

    assert (after["id"], after["slug"]) == (full_event.pk, "other-2")
    assert Event.objects.get(pk=other.pk).title == "Other"


# --- Author (D6) ----------------------------------------------------------------------------------


def test_editor_gives_an_event_to_somebody_else(editor_api, full_event, author):
    before = read_record(editor_api, EVENTS, full_event.pk)

    after = updated_record(editor_api.post(f"{EVENTS}/{full_event.pk}", {"author": str(author.pk)}))

    assert changed_values(before, after) == {"author": author.pk}


def test_author_acts_for_nobody_else(author_api, author, editor):
    own = EventFactory(author=author)
    before = stored_rows()

    refused = [
        author_api.post(EVENTS, event_data(author=editor.pk)),
        author_api.post(EVENTS, event_data(author=999_999)),
        author_api.post(f"{EVENTS}/{own.pk}", {"author": editor.pk}),
    ]

    assert [error_of(response) for response in refused] == [(403, "rest_cannot_edit_others")] * 3
    assert stored_rows() == before


def test_nobody_is_no_author(author_api):
    assert invalid_params(author_api.post(EVENTS, event_data(author=0))) == {"author": NO_ACCOUNT}


def test_author_may_name_themselves(author_api, author):
    event = created_record(author_api.post(EVENTS, event_data(author=author.pk)))

    assert event["author"] == author.pk
    assert updated_record(author_api.post(f"{EVENTS}/{event['id']}", {"author": author.pk})) == event


# --- Status and publication -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "status", "date"),
    [
        ({}, "publish", "2030-01-15 12:30:45"),
        ({"status": "publish"}, "publish", "2030-01-15 12:30:45"),
        ({"status": "draft"}, "draft", "2030-01-15 12:30:45"),
        ({"status": "pending"}, "pending", "2030-01-15 12:30:45"),
        ({"status": "private"}, "private", "2030-01-15 12:30:45"),
        ({"status": "trash"}, "trash", "2030-01-15 12:30:45"),
        ({"status": "future"}, "publish", "2030-01-15 12:30:45"),
        ({"date": "2030-01-15 12:30:45"}, "publish", "2030-01-15 12:30:45"),
        ({"date": "2030-01-15 12:30:46"}, "future", "2030-01-15 12:30:46"),
        ({"status": "publish", "date_utc": "tomorrow"}, "future", "2030-01-16 00:00:00"),
        ({"status": "future", "date": "2030-02-01"}, "future", "2030-02-01 00:00:00"),
        ({"status": "future", "date": "2029-02-01"}, "publish", "2029-02-01 00:00:00"),
        ({"status": "draft", "date": "2030-02-01"}, "draft", "2030-02-01 00:00:00"),
        ({"status": "private", "date": "2030-02-01"}, "private", "2030-02-01 00:00:00"),
    ],
    ids=repr,
)
def test_status_follows_the_publication_date(editor_api, value, status, date):
    event = EventFactory(status="draft")

    made = created_record(editor_api.post(EVENTS, event_data(**value)))
    changed = updated_record(editor_api.post(f"{EVENTS}/{event.pk}", {"status": "publish", **value}))

    assert (made["status"], made["date"], made["date_utc"]) == (status, date, date)
    assert (changed["status"], changed["date"], changed["date_utc"]) == (status, date, date)


def test_publication_date_is_in_the_zone_of_the_site(editor_api, settings):
    settings.SITE_TIME_ZONE = "America/New_York"

    local = created_record(editor_api.post(EVENTS, event_data(date="2029-07-01 08:00", timezone="Asia/Tokyo")))
    utc = created_record(editor_api.post(EVENTS, event_data(date_utc="2029-07-01 08:00")))
    both = created_record(editor_api.post(EVENTS, event_data(date="2029-07-01 08:00", date_utc="2001-01-01")))

    assert (local["date"], local["date_utc"]) == ("2029-07-01 08:00:00", "2029-07-01 12:00:00")
    assert (utc["date"], utc["date_utc"]) == ("2029-07-01 04:00:00", "2029-07-01 08:00:00")
    assert (both["date"], both["date_utc"]) == (local["date"], local["date_utc"])


@pytest.mark.parametrize("status", ["draft", "pending", "private", "trash"])
def test_update_without_a_status_keeps_it(editor_api, status):
    event = EventFactory(status=status)

    after = updated_record(editor_api.post(f"{EVENTS}/{event.pk}", {"title": "New"}))

    assert (after["status"], after["title"]) == (status, "New")


def test_scheduled_event_is_published_by_time_and_stays_so(editor_api, client, time_machine):
    event = created_record(editor_api.post(EVENTS, event_data(date="2030-01-20")))
    ahead = client.get(f"{EVENTS}/{event['id']}")
    time_machine.move_to(datetime(2030, 1, 20, tzinfo=UTC), tick=False)

    assert error_of(ahead) == (403, "event-not-accessible")
    assert client.get(f"{EVENTS}/{event['id']}").json()["status"] == "publish"
    assert updated_record(editor_api.post(f"{EVENTS}/{event['id']}", {"title": "New"}))["status"] == "publish"


def test_publication_date_that_is_moved_ahead_schedules_and_back_publishes(editor_api, client):
    event = EventFactory()

    later = updated_record(editor_api.post(f"{EVENTS}/{event.pk}", {"date": "2030-01-20"}))
    hidden = client.get(f"{EVENTS}/{event.pk}")
    now = updated_record(editor_api.post(f"{EVENTS}/{event.pk}", {"date": "2030-01-10"}))

    assert (later["status"], hidden.status_code, now["status"]) == ("future", 403, "publish")
    assert client.get(f"{EVENTS}/{event.pk}").status_code == 200


def test_event_leaves_the_trash_by_another_status(editor_api, full_event, client):
    before = read_record(editor_api, EVENTS, full_event.pk)

    trashed = updated_record(editor_api.post(f"{EVENTS}/{full_event.pk}", {"status": "trash"}))
    gone = client.get(f"{EVENTS}/{full_event.pk}")
    back = updated_record(editor_api.post(f"{EVENTS}/{full_event.pk}", {"status": "publish"}))

    assert trashed["status"] == "trash"
    assert error_of(gone) == (403, "event-no-longer-available")
    assert back == before


@pytest.mark.parametrize(
    ("wanted", "status"),
    [
        (None, "draft"),
        ("draft", "draft"),
        ("pending", "pending"),
        ("publish", "pending"),
        ("future", "pending"),
        ("private", "pending"),
        ("trash", "trash"),
    ],
)
def test_contributor_never_publishes(contributor_api, contributor, wanted, status):
    own = EventFactory(author=contributor, status="draft")
    body = {"status": wanted} if wanted else {}

    made = created_record(contributor_api.post(EVENTS, event_data(**body)))
    scheduled = created_record(contributor_api.post(EVENTS, event_data(**body, date="2030-02-01")))
    changed = updated_record(contributor_api.post(f"{EVENTS}/{own.pk}", body))

    assert (made["status"], scheduled["status"], changed["status"]) == (status, status, status)


def test_contributor_cannot_change_a_published_event(contributor_api, contributor):
    for status in ("publish", "future", "private"):
        event = EventFactory(author=contributor, status=status)

        assert error_of(contributor_api.post(f"{EVENTS}/{event.pk}", {"status": "draft"})) == (403, "rest_forbidden")
        assert Event.objects.get(pk=event.pk).status == event.status


def test_superuser_without_a_role_writes_everything(db):
    operator = UserFactory(is_superuser=True)
    other = EventFactory()

    made = created_record(api_client_for(operator).post(EVENTS, event_data(author=other.author_id, tags=["New"])))

    assert (made["author"], made["status"]) == (other.author_id, "publish")


def test_what_was_cleaned_away_is_not_found(editor_api, client):
    created_record(editor_api.post(EVENTS, event_data(description="<script>hidden()</script><p>shown</p>")))

    totals = [client.get(f"{EVENTS}?search={word}").json()["total"] for word in ("hidden", "shown")]

    assert totals == [0, 1]
