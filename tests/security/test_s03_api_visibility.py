"""S3, leaks: lists, single records, links and filters of the API show only what the reader may see."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.factories import CategoryFactory, EventFactory, OrganizerFactory, TagFactory, VenueFactory
from tests.support.api_client import API, api_client_for, invalid_params, listed_ids
from tests.support.resources import EVENTS, NAMED

NOW = datetime(2027, 3, 10, 12, tzinfo=UTC)
SOON = NOW + timedelta(hours=1)
STORED = ("publish", "future", "draft", "pending", "private", "trash")
ROLES = (None, "subscriber", "contributor", "author", "editor", "administrator")
WRITERS = ("contributor", "author")
MANAGERS = ("editor", "administrator")
# What everybody sees, and what is not in the trash, by the keys of `make_each`.
PUBLIC = {"publish", "due"}
LIVE = {"publish", "due", "future", "draft", "pending", "private"}
ALL = "per_page=100"
NOT_ACCESSIBLE = {
    "event": "event-not-accessible",
    "venue": "venue-not-accessible",
    "organizer": "organizer-not-accessible",
}


@pytest.fixture(autouse=True)
def _now(time_machine):
    time_machine.move_to(NOW, tick=False)


@pytest.fixture
def reader(request, db):
    """The account of the role, None for nobody."""
    return request.getfixturevalue(request.param) if request.param else None


def make_each(resource, **fields):
    """A record of every status, by its status; one Scheduled for a moment ago (`due`), as time has left it."""
    rows = {
        status: resource.make(f"{status.title()} record", status=status, **fields)
        for status in STORED
        if status != "future"
    }
    rows["future"] = resource.make("Future record", published_at=SOON, **fields)
    rows["due"] = resource.make("Due record", published_at=NOW + timedelta(seconds=1), **fields)
    return rows


def statuses_in(response, resource, rows):
    """The keys of those rows that the list shows."""
    shown = set(listed_ids(response, resource.collection))
    assert int(response["X-TEC-Total"]) == len(shown)
    return {key for key, row in rows.items() if row.pk in shown}


@pytest.fixture
def others_and_own(time_machine):
    """Makes records of every status of somebody else's and of the reader's, and lets the time of the due ones come."""

    def make(resource, reader):
        others, own = make_each(resource), make_each(resource, author=reader) if reader else {}
        time_machine.move_to(NOW + timedelta(seconds=1), tick=False)
        return others, own

    return make


# --- Lists

# Lists and links show the same records to a reader.
for_each_reader = pytest.mark.parametrize(
    ("reader", "sees_of_others", "sees_own"),
    [
        (None, PUBLIC, set()),
        ("subscriber", PUBLIC, PUBLIC),
        ("contributor", PUBLIC, LIVE),
        ("author", PUBLIC, LIVE),
        ("editor", LIVE, LIVE),
        ("administrator", LIVE, LIVE),
    ],
    indirect=["reader"],
)


@for_each_reader
def test_list_shows_what_the_reader_may_see(content, others_and_own, reader, sees_of_others, sees_own):
    others, own = others_and_own(content, reader)

    response = api_client_for(reader).get(content.list(ALL))

    assert statuses_in(response, content, others) == sees_of_others
    assert statuses_in(response, content, own) == sees_own


def shown_for(status):
    """The rows that a status asks for: what is due reads as published."""
    return {"publish": {"publish", "due"}}.get(status, {status})


@pytest.mark.parametrize("reader", [*WRITERS, *MANAGERS], indirect=True)
def test_list_of_one_status(content, others_and_own, reader):
    others, own = others_and_own(content, reader)
    client, found, expected = api_client_for(reader), {}, {}

    for status in STORED:
        response = client.get(content.list(f"status={status}&{ALL}"))
        found[status] = (statuses_in(response, content, own), statuses_in(response, content, others))
        expected[status] = (
            shown_for(status),
            shown_for(status) if reader.username in MANAGERS else shown_for(status) & PUBLIC,
        )
        assert f"status={status}" in response.json()["rest_url"]
        assert {record["status"] for record in response.json()[content.collection]} == {status}

    assert found == expected


@pytest.mark.parametrize("query", ["status=draft,trash", "status[]=draft&status[]=trash", "status=draft&status=trash"])
def test_list_of_several_statuses(editor_api, content, others_and_own, query):
    others, _own = others_and_own(content, None)

    response = editor_api.get(content.list(f"{query}&{ALL}"))

    assert statuses_in(response, content, others) == {"draft", "trash"}
    assert "status=draft%2Ctrash" in response.json()["rest_url"]


@pytest.mark.parametrize("reader", [None, "subscriber"], indirect=True)
def test_public_may_ask_for_published_records_only(content, others_and_own, reader):
    client = api_client_for(reader)
    others, _own = others_and_own(content, reader)

    assert statuses_in(client.get(content.list(f"status=publish&{ALL}")), content, others) == PUBLIC
    for status in ("future", "draft", "pending", "private", "trash", "publish,draft"):
        assert set(invalid_params(client.get(content.list(f"status={status}")))) == {"status"}


@pytest.mark.parametrize("status", ["", "any", "any,draft", "published", "PUBLISH", "inherit", "auto-draft", "0", ","])
def test_unknown_status_is_refused_to_everybody(client, editor_api, content, status):
    for asking in (client, editor_api):
        assert set(invalid_params(asking.get(content.list(f"status={status}")))) == {"status"}


# --- Single reads


@pytest.mark.parametrize("reader", ROLES, indirect=True)
def test_single_read_by_id_and_slug(content, others_and_own, reader):
    others, own = others_and_own(content, reader)
    client, role, found, expected = api_client_for(reader), reader.username if reader else None, {}, {}

    for case in [("other", status) for status in others] + [("own", status) for status in own]:
        owner, status = case
        row = (own if owner == "own" else others)[status]
        by_id = client.get(content.item(row))
        by_slug = client.get(f"{content.path}/by-slug/{row.slug}")

        found[case] = (by_id.status_code, by_id.json().get("code", by_id.json().get("status")))
        if content is EVENTS and status == "trash":
            # Whoever asks.
            expected[case] = (403, "event-no-longer-available")
        elif status in PUBLIC or role in MANAGERS or (owner == "own" and role in WRITERS):
            expected[case] = (200, "publish" if status == "due" else status)
        else:
            expected[case] = (403, NOT_ACCESSIBLE[content.kind])
        if status == "trash":
            # What is in the trash has given its slug away.
            assert by_slug.status_code == 404
        else:
            assert (by_slug.status_code, by_slug.json()) == (by_id.status_code, by_id.json())

    assert found == expected


def test_refusal_tells_nothing_about_the_record(client, content):
    row = content.make("Secret", status="private", description="Secret")

    response = client.get(content.item(row))

    assert response.json() == {
        "code": NOT_ACCESSIBLE[content.kind],
        "message": "This record is not published.",
        "data": {"status": 403},
    }


@pytest.mark.parametrize("pk", ["0", "4711", "9223372036854775807", "9" * 19, "9" * 400])
def test_unknown_id_is_not_found(client, editor_api, resource, pk):
    code = {"events": "rest-event-not-found"}.get(resource.collection, f"{resource.kind}-not-found")

    for asking in (client, editor_api):
        response = asking.get(f"{resource.path}/{pk}")

        assert response.json() == {
            "code": code,
            "message": "The record does not exist.",
            "data": {"status": 404},
        }
        assert response.status_code == 404


@pytest.mark.parametrize("slug", ["nothing", "0", "%20", "a%2Fb", "OPEN-AIR", "open-air-2", "%F0%9F%8E%89", "x" * 300])
def test_unknown_slug_is_not_found(client, content, slug):
    content.make("Open air")

    response = client.get(f"{content.path}/by-slug/{slug}")

    assert response.status_code == 404
    if slug != "a%2Fb":
        code = {"events": "rest-event-not-found"}.get(content.collection, f"{content.kind}-not-found")
        assert response.json()["code"] == code


def test_slug_of_a_trashed_record_leads_to_the_next_one(client, content):
    content.make("Open air", status="trash")
    row = content.make("Open air")

    assert row.slug == "open-air"
    assert client.get(f"{content.path}/by-slug/open-air").json()["id"] == row.pk


def test_slugs_of_kinds_are_apart(client, content):
    rows = {resource: resource.make("Open air") for resource in (EVENTS, *NAMED)}

    assert client.get(f"{content.path}/by-slug/open-air").json()["id"] == rows[content].pk


@pytest.mark.parametrize("name", ["Été à Paris", "音楽会", "Летний концерт", "حفلة", "Ελλάδα"])
def test_slug_of_any_script_is_an_address(client, content, name):
    row = content.make(name)

    record = client.get(f"{content.path}/by-slug/{row.slug}").json()

    assert (record["id"], record["slug"]) == (row.pk, row.slug)
    assert record["url"].isascii()


# --- What time does alone


def test_scheduled_record_is_public_from_its_moment_on(client, content, time_machine):
    row = content.make("Scheduled", published_at=SOON)

    time_machine.move_to(SOON - timedelta(seconds=1), tick=False)
    before = client.get(content.list()), client.get(content.item(row))
    time_machine.move_to(SOON, tick=False)
    after = client.get(content.list()), client.get(content.item(row))

    assert listed_ids(before[0], content.collection) == []
    assert before[1].status_code == 403
    assert listed_ids(after[0], content.collection) == [row.pk]
    assert [record["status"] for record in after[0].json()[content.collection]] == ["publish"]
    assert (after[1].status_code, after[1].json()["status"], after[1].json()["date"]) == (
        200,
        "publish",
        "2027-03-10 13:00:00",
    )


def test_scheduled_record_moves_from_one_status_to_the_other(editor_api, content, time_machine):
    row = content.make("Scheduled", published_at=SOON)

    def listed(status):
        return listed_ids(editor_api.get(content.list(f"status={status}")), content.collection)

    assert (listed("future"), listed("publish")) == ([row.pk], [])
    time_machine.move_to(SOON, tick=False)
    assert (listed("future"), listed("publish")) == ([], [row.pk])


def test_scheduled_event_counts_for_its_terms_from_its_moment_on(client, db, time_machine):
    category, tag = CategoryFactory(), TagFactory()
    event = EventFactory(categories=[category], tags=[tag], published_at=SOON)

    def counts():
        single = [
            client.get(f"{API}/{path}").json()["count"] for path in (f"categories/{category.pk}", f"tags/{tag.pk}")
        ]
        listed = [len(client.get(f"{API}/{name}").json()[name]) for name in ("categories", "tags")]
        return single, listed

    assert counts() == ([0, 0], [0, 0])
    time_machine.move_to(SOON, tick=False)
    assert counts() == ([1, 1], [1, 1])
    record = client.get(f"{API}/events/{event.pk}").json()
    assert [term["count"] for term in record["categories"] + record["tags"]] == [1, 1]
    # A write marks what has come: nothing is counted twice.
    EventFactory(tags=[tag])
    assert counts() == ([1, 2], [1, 1])


def test_scheduled_event_makes_its_places_busy_from_its_moment_on(client, named, time_machine):
    row = named.make("Linked")
    EventFactory(**{named.collection: [row]}, published_at=SOON)

    def busy():
        return [
            listed_ids(client.get(named.list(query)), named.collection)
            for query in ("has_events=true", "has_events=false", "only_with_upcoming=true")
        ]

    assert busy() == [[], [row.pk], []]
    time_machine.move_to(SOON, tick=False)
    assert busy() == [[row.pk], [], [row.pk]]


# --- Links inside events (D10)


def linked_titles(record, kind):
    linked = record[kind] if isinstance(record[kind], list) else [record[kind]]
    return {item[kind] for item in linked}


@for_each_reader
def test_event_shows_those_links_that_the_reader_may_see(named, others_and_own, reader, sees_of_others, sees_own):
    others, own = others_and_own(named, reader)
    expected = {others[key].pk for key in sees_of_others} | {own[key].pk for key in sees_own}
    event = EventFactory(**{named.collection: [*others.values(), *own.values()]})
    client = api_client_for(reader)

    single = client.get(f"{API}/events/{event.pk}").json()
    by_slug = client.get(f"{API}/events/by-slug/{event.slug}").json()
    (listed,) = client.get(f"{API}/events").json()["events"]

    for record in (single, by_slug, listed):
        assert {linked["id"] for linked in record[named.kind]} == expected


@pytest.mark.parametrize("status", ["draft", "pending", "private", "trash"])
def test_invisible_link_is_nowhere_in_the_answer(client, named, status):
    hidden = named.make("Safe house", status=status)
    shown = named.make("Town hall")
    event = EventFactory(**{named.collection: [hidden, shown]})

    answer = client.get(f"{API}/events/{event.pk}")

    assert "Safe house" not in answer.content.decode()
    assert linked_titles(answer.json(), named.kind) == {"Town hall"}


@pytest.mark.parametrize("status", ["draft", "trash"])
def test_one_visible_venue_of_two_is_an_object(client, db, status):
    event = EventFactory(venues=[VenueFactory(status=status), VenueFactory(title="Town hall")])

    record = client.get(f"{API}/events/{event.pk}").json()

    assert record["venue"]["venue"] == "Town hall"
    assert record["json_ld"]["location"]["name"] == "Town hall"


def test_event_without_visible_links_has_empty_lists(client, db):
    event = EventFactory(venues=[VenueFactory(status="draft")], organizers=[OrganizerFactory(status="private")])

    record = client.get(f"{API}/events/{event.pk}").json()

    assert (record["venue"], record["organizer"]) == ([], [])
    assert not {"location", "organizer"} & record["json_ld"].keys()


# --- Filters by what the reader may not see


@pytest.mark.parametrize("status", ["draft", "pending", "private", "trash"])
@pytest.mark.parametrize("reader", ROLES, indirect=True)
def test_events_are_filtered_by_visible_links_only(named, reader, status):
    row = named.make("Hidden", status=status)
    event = EventFactory(**{named.collection: [row]})
    EventFactory()

    response = api_client_for(reader).get(f"{API}/events?{named.kind}={row.pk}")

    if reader and reader.username in MANAGERS and status != "trash":
        assert listed_ids(response, "events") == [event.pk]
    else:
        assert set(invalid_params(response)) == {named.kind}


@pytest.mark.parametrize("status", ["draft", "pending", "private"])
@pytest.mark.parametrize("reader", WRITERS, indirect=True)
def test_events_are_filtered_by_own_drafts(named, reader, status):
    row = named.make("Own", status=status, author=reader)
    event = EventFactory(**{named.collection: [row]})

    response = api_client_for(reader).get(f"{API}/events?{named.kind}={row.pk}")

    assert listed_ids(response, "events") == [event.pk]


@pytest.mark.parametrize("status", ["draft", "pending", "private", "trash"])
@pytest.mark.parametrize("reader", ROLES, indirect=True)
def test_records_are_filtered_by_visible_events_only(named, reader, status):
    row = named.make("Linked")
    event = EventFactory(status=status, **{named.collection: [row]})

    response = api_client_for(reader).get(f"{named.path}?event={event.pk}")

    if reader and reader.username in MANAGERS and status != "trash":
        assert listed_ids(response, named.collection) == [row.pk]
    else:
        assert invalid_params(response) == {"event": f"Events not found: {event.pk}."}


@pytest.mark.parametrize("argument", ["event", "post"])
@pytest.mark.parametrize("reader", ROLES, indirect=True)
def test_terms_are_filtered_by_visible_events_only(terms, reader, argument):
    term = terms.make("Linked")
    event = EventFactory(status="draft", **{terms.collection: [term]})

    response = api_client_for(reader).get(f"{terms.list()}&{argument}={event.pk}")

    if reader and reader.username in MANAGERS:
        assert listed_ids(response, terms.collection) == [term.pk]
    else:
        assert set(invalid_params(response)) == {argument}


@pytest.mark.parametrize("reader", [None, "author", "editor"], indirect=True)
def test_parts_are_found_of_visible_events_only(reader):
    festival = EventFactory(title="Festival", status="private")
    part = EventFactory(parent=festival)

    response = api_client_for(reader).get(f"{API}/events?post_parent={festival.pk}")

    if reader and reader.username == "editor":
        assert listed_ids(response, "events") == [part.pk]
    else:
        assert set(invalid_params(response)) == {"post_parent"}


@pytest.mark.parametrize("reader", [None, "author", "editor"], indirect=True)
def test_include_shows_visible_events_only(reader):
    draft, published = EventFactory(status="draft"), EventFactory()

    response = api_client_for(reader).get(f"{API}/events?include={draft.pk},{published.pk}")

    expected = [draft.pk, published.pk] if reader and reader.username == "editor" else [published.pk]
    assert listed_ids(response, "events") == expected


@pytest.mark.parametrize("reader", [None, "author", "editor"], indirect=True)
def test_search_finds_visible_records_only(content, reader):
    draft, published = content.make("Moon one", status="draft"), content.make("Moon two")

    response = api_client_for(reader).get(content.list("search=moon"))

    expected = {draft.pk, published.pk} if reader and reader.username == "editor" else {published.pk}
    assert set(listed_ids(response, content.collection)) == expected


@pytest.mark.parametrize("reader", [None, "author", "editor"], indirect=True)
def test_upcoming_events_count_for_who_may_see_them(named, reader):
    drafted, busy = named.make("Drafted"), named.make("Busy")
    named.make("Idle")
    EventFactory(status="draft", **{named.collection: [drafted]})
    EventFactory(**{named.collection: [busy]})

    response = api_client_for(reader).get(f"{named.path}?only_with_upcoming=true")

    expected = {drafted.pk, busy.pk} if reader and reader.username == "editor" else {busy.pk}
    assert set(listed_ids(response, named.collection)) == expected


def test_counts_of_terms_are_of_published_events(client, editor_api, terms):
    term = terms.make("Term")
    for status in ("publish", "draft", "pending", "private", "trash"):
        EventFactory(status=status, **{terms.collection: [term]})
    EventFactory(published_at=SOON, **{terms.collection: [term]})

    for asking in (client, editor_api):
        assert asking.get(terms.item(term)).json()["count"] == 1


# --- Hidden from listings


def test_hidden_events_are_in_no_list(client, editor_api, db):
    hidden, shown = EventFactory(hide_from_listings=True), EventFactory()

    for asking in (client, editor_api):
        for query in ("", "?status=publish", f"?include={hidden.pk},{shown.pk}", "?search=event", "?featured=false"):
            assert listed_ids(asking.get(f"{API}/events{query}"), "events") == [shown.pk]


def test_hidden_events_are_read_alone(client, db):
    hidden = EventFactory(hide_from_listings=True)

    record = client.get(f"{API}/events/{hidden.pk}").json()

    assert (record["id"], record["hide_from_listings"]) == (hidden.pk, True)
    assert client.get(f"{API}/events/by-slug/{hidden.slug}").json() == record
