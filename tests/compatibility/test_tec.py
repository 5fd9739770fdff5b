"""`tec/v1`: list, read, create, update and delete."""

import pytest

from events.models import Event
from organizers.models import Organizer
from tests.factories import (
    CategoryFactory,
    EventFactory,
    ImageFactory,
    OrganizerFactory,
    TagFactory,
    UserFactory,
    VenueFactory,
)
from tests.support.api_client import JSONClient, api_client_for, invalid_params
from tests.support.api_writes import error_of
from venues.models import Venue

TEC = "/wp-json/tec/v1"
URL = f"http://testserver{TEC}"
TIMES = {"start_date": "2030-05-04 18:00:00", "end_date": "2030-05-04 20:00:00"}


class TecClient:
    """A client that acknowledges the API with each request."""

    def __init__(self, client) -> None:
        self.client = client

    def __getattr__(self, method: str):
        def send(path: str, *args):
            return getattr(self.client, method)(f"{TEC}{path}", *args, headers={"X-TEC-EEA": "understood"})

        return send


@pytest.fixture
def visitor(db):
    return TecClient(JSONClient())


@pytest.fixture
def tec_editor(editor_api):
    return TecClient(editor_api)


def client_for(role: str) -> TecClient:
    return TecClient(api_client_for(UserFactory(role=role)))


def ids_of(response) -> list[int]:
    assert response.status_code == 200, response.content
    return [record["id"] for record in response.json()]


def created(response) -> dict:
    assert response.status_code == 201, response.content
    return response.json()


# --- Acknowledgement


@pytest.mark.parametrize("value", [None, "", " "])
@pytest.mark.parametrize("path", ["/events", "/events/1", "/venues", "/organizers/1"])
def test_requests_must_acknowledge_the_api(anonymous, path, value):
    headers = {} if value is None else {"X-TEC-EEA": value}

    response = anonymous.get(f"{TEC}{path}", headers=headers)

    assert error_of(response) == (400, "missing_experimental_endpoint_acknowledgement")


def test_index_and_document_need_no_acknowledgement(anonymous):
    document = anonymous.get(f"{TEC}/docs").json()

    assert document["openapi"].startswith("3.")
    assert {"/events", "/events/{id}", "/venues", "/organizers/{id}"} <= set(document["paths"])
    new_event = document["paths"]["/events"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert {"title", "content", "featured_media", "tribe_events_cat", "venues", "organizers"} <= set(
        new_event["properties"]
    )
    assert anonymous.get(TEC).json()["namespace"] == "tec/v1"


# --- Records


def test_event(time_machine, visitor):
    time_machine.move_to("2030-05-04T17:00:00Z", tick=False)
    venue = VenueFactory(title="Hall", address="1 Quay", city="Lima", state="LS")
    organizer = OrganizerFactory(title="Club", email="c@example.org")
    event = EventFactory(
        title="R & D",
        start="2030-05-04 18:00",
        end="2030-05-05 20:00",
        time_zone="Europe/Rome",
        venues=[venue],
        organizers=[organizer],
        featured=True,
        image=ImageFactory(id=66),
    )

    record = visitor.get(f"/events/{event.pk}").json()

    rome = {"timezone_type": 3, "timezone": "Europe/Rome"}
    utc = {"timezone_type": 3, "timezone": "UTC"}
    assert record["dates"] == {
        "start": {"date": "2030-05-04 18:00:00.000000", **rome},
        "start_utc": {"date": "2030-05-04 16:00:00.000000", **utc},
        "start_site": {"date": "2030-05-04 16:00:00.000000", **utc},
        "start_display": {"date": "2030-05-04 18:00:00.000000", **rome},
        "end": {"date": "2030-05-05 20:00:00.000000", **rome},
        "end_utc": {"date": "2030-05-05 18:00:00.000000", **utc},
        "end_site": {"date": "2030-05-05 18:00:00.000000", **utc},
        "end_display": {"date": "2030-05-05 20:00:00.000000", **rome},
    }
    shown = (
        "start_date", "start_date_utc", "end_date", "duration", "multiday", "is_past", "is_now", "all_day", "featured",
        "sticky", "cost", "organizer_names", "displays_on", "starts_this_week", "featured_media",
    )  # fmt: skip
    assert {name: record[name] for name in shown} == {
        "start_date": "2030-05-04 18:00:00",
        "start_date_utc": "2030-05-04 16:00:00",
        "end_date": "2030-05-05 20:00:00",
        "duration": 26 * 3600,
        "multiday": 2,
        "is_past": False,
        "is_now": True,
        "all_day": False,
        "featured": True,
        "sticky": False,
        "cost": "",
        "organizer_names": ["Club"],
        "displays_on": [],
        "starts_this_week": None,
        "featured_media": 66,
    }
    assert record["title"] == {"rendered": "R &amp; D"}
    assert record["venues"] == [visitor.get(f"/venues/{venue.pk}").json()]
    assert record["organizers"] == [visitor.get(f"/organizers/{organizer.pk}").json()]
    assert record["schedule_details"] == (
        '<span class="tribe-event-date-start">Saturday 4 May 2030, 18:00</span> - '
        '<span class="tribe-event-date-end">Sunday 5 May 2030, 20:00</span>'
    )


def test_venue_has_all_keys(visitor):
    full = VenueFactory(title="Hall", address="1 Quay", city="Lima", state="LS")
    bare = VenueFactory(title="Yard")
    names = (
        "address", "country", "city", "state_province", "state", "province", "zip", "phone", "directions_link",
        "website",
    )  # fmt: skip

    record = visitor.get(f"/venues/{full.pk}").json()

    assert {name: record[name] for name in names} == {
        **dict.fromkeys(names, ""),
        "address": "1 Quay",
        "city": "Lima",
        "state": "LS",
        "state_province": "LS",
        "directions_link": "https://www.google.com/maps/dir/?api=1&destination=1+Quay%2C+Lima",
    }
    empty = visitor.get(f"/venues/{bare.pk}").json()
    assert {name: empty[name] for name in names} == dict.fromkeys(names, "")


def test_hidden_fields_of_a_protected_event(visitor, tec_editor):
    event = EventFactory(
        title="Party", password="secret", description="Champagne", venues=[VenueFactory()], tags=[TagFactory()]
    )

    record = visitor.get(f"/events/{event.pk}").json()

    assert (record["title"]["rendered"], record["venues"], record["tags"]) == ("Party", [], [])
    assert record["content"] == {"rendered": "", "protected": True}
    assert "Champagne" in tec_editor.get(f"/events/{event.pk}").json()["content"]["rendered"]


def test_unknown_records_and_drafts_are_alike(visitor, tec_editor):
    draft = EventFactory(status="draft")
    subscriber = client_for("subscriber")

    for path in (f"/events/{draft.pk}", "/events/999999", "/venues/999999", "/organizers/" + "9" * 40):
        for client, status in ((visitor, 401), (subscriber, 403)):
            for method in ("get", "put", "patch", "delete"):
                assert error_of(getattr(client, method)(path)) == (status, "rest_forbidden"), (path, method)
    assert tec_editor.get(f"/events/{draft.pk}").json()["status"] == "draft"
    assert error_of(tec_editor.put("/events/999999", {"title": "x"})) == (403, "rest_forbidden")
    assert error_of(tec_editor.get("/events/abc")) == (404, "rest_no_route")
    assert error_of(tec_editor.post(f"/events/{draft.pk}", {"title": "x"})) == (404, "rest_no_route")


# --- Lists


def test_list_of_events(visitor, tec_editor):
    past = EventFactory(start="2020-01-01 10:00", end="2020-01-01 11:00")
    coming, hidden, draft = EventFactory(), EventFactory(hide_from_listings=True), EventFactory(status="draft")

    listed = visitor.get("/events")

    assert (ids_of(listed), listed["X-WP-Total"], listed["X-WP-TotalPages"]) == ([past.pk, coming.pk], "2", "1")
    assert ids_of(tec_editor.get("/events")) == [past.pk, coming.pk]
    assert ids_of(tec_editor.get("/events?status=draft")) == [draft.pk]
    assert ids_of(tec_editor.get("/events?status[]=draft&status[]=publish")) == [past.pk, coming.pk, draft.pk]
    # Ignored for those who may not read the others.
    assert ids_of(visitor.get("/events?status=draft")) == [past.pk, coming.pk]
    assert ids_of(visitor.get("/events?order=DESC&orderby=event_date")) == [coming.pk, past.pk]
    assert hidden.pk not in ids_of(tec_editor.get("/events?status=publish"))


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("start_date=2027-04-10 10:00:00", "bc"),
        ("start_date=2027-04-10T10:00:01", "c"),
        ("start_date=2027-04-10", "bc"),
        ("end_date=2027-04-10 12:00:00", "ab"),
        ("end_date=2027-04-10", "a"),
        ("starts_before=2027-04-10 10:00:00", "a"),
        ("starts_after=2027-04-10 10:00:00", "c"),
        ("ends_before=2027-04-10 12:00:00", "a"),
        ("ends_after=2027-04-10 12:00:00", "c"),
        ("starts_after=2027-03-11&ends_before=2027-05-01", "b"),
    ],
)
def test_dates_are_exact(visitor, query, found):
    names = {
        EventFactory(start=f"2027-{month}-10 10:00", end=f"2027-{month}-10 12:00").pk: name
        for month, name in (("03", "a"), ("04", "b"), ("05", "c"))
    }

    assert "".join(names[pk] for pk in ids_of(visitor.get(f"/events?{query}"))) == found


def test_filters(visitor):
    parent, tag = CategoryFactory(name="Music"), TagFactory(name="Open air")
    venue, organizer = VenueFactory(title="Hall"), OrganizerFactory(title="Club")
    first = EventFactory(categories=[CategoryFactory(name="Jazz", parent=parent)], featured=True, title="Trumpets")
    second = EventFactory(tags=[tag], venues=[venue], organizers=[organizer], title="Violins", parent=first)

    def found(query: str) -> list[int]:
        return ids_of(visitor.get(f"/events?{query}"))

    assert found(f"categories[]={parent.pk}") == found("categories=music") == found("featured=true") == [first.pk]
    assert found(f"tags={tag.pk}") == found(f"venue={venue.pk}") == found(f"organizer[]={organizer.pk}") == [second.pk]
    assert found("featured=false") == found("search=violins") == found(f"post_parent={first.pk}") == [second.pk]
    assert found("ticketed=true") == []
    for query in ("venue=999", "tags=nobody", "start_date=no date", "orderby=color", "featured=perhaps", "per_page=0"):
        name = query.partition("=")[0]
        assert list(invalid_params(visitor.get(f"/events?{query}"))) == [name]


def test_filters_do_not_tell_what_a_password_hides(visitor):
    tag, venue = TagFactory(), VenueFactory()
    EventFactory(password="secret", description="Champagne", tags=[tag], venues=[venue], featured=True)

    for query in (f"tags={tag.pk}", f"venue={venue.pk}", "featured=true", "search=champagne"):
        assert ids_of(visitor.get(f"/events?{query}")) == []


def test_pages(visitor):
    EventFactory.create_batch(3)

    first, last = visitor.get("/events?per_page=2"), visitor.get("/events?per_page=2&page=2")

    assert first["Link"].startswith(f'<{URL}/events?per_page=2&page=2>; rel="next", ')
    assert last["Link"].startswith(f'<{URL}/events?per_page=2&page=1>; rel="prev", ')
    assert len(ids_of(visitor.get("/events?per_page=500"))) == 3
    for collection in ("events", "venues", "organizers"):
        missing = visitor.get(f"/{collection}?page=9")
        assert (missing.status_code, sorted(missing.json())) == (404, ["code", "message"])
        assert missing.json()["code"] == "tec_rest_organizers_page_not_found"


def test_lists_of_venues(visitor, tec_editor):
    with_event, without, draft = VenueFactory(title="Hall"), VenueFactory(title="Yard"), VenueFactory(status="draft")
    event = EventFactory(venues=[with_event])

    assert set(ids_of(visitor.get("/venues"))) == set(ids_of(tec_editor.get("/venues"))) == {with_event.pk, without.pk}
    assert ids_of(tec_editor.get("/venues?status=draft")) == [draft.pk]
    assert ids_of(visitor.get(f"/venues?event={event.pk}")) == [with_event.pk]
    assert ids_of(visitor.get("/venues?has_events=false")) == [without.pk]
    assert ids_of(visitor.get("/venues?only_with_upcoming=1")) == [with_event.pk]
    assert ids_of(visitor.get("/venues?search=yard")) == [without.pk]


def test_selected_keys(visitor):
    event = EventFactory(title="Concert")

    assert visitor.get("/events?_fields=id,title.rendered").json() == [
        {"id": event.pk, "title": {"rendered": "Concert"}}
    ]


@pytest.mark.parametrize("path", ["/events", "/venues", "/organizers"])
def test_lists_take_a_fixed_number_of_queries(visitor, path):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    def count_queries() -> int:
        visitor.get(path)
        with CaptureQueriesContext(connection) as captured:
            ids_of(visitor.get(path))
        return len(captured)

    def add() -> None:
        EventFactory(venues=[VenueFactory()], organizers=[OrganizerFactory()], image=ImageFactory())

    add()
    few = count_queries()
    for _number in range(4):
        add()

    assert count_queries() == few <= 12


# --- Writes


def test_create_takes_the_names_of_a_read(editor, tec_editor):
    category, tag, venue, organizer = CategoryFactory(), TagFactory(), VenueFactory(), OrganizerFactory()
    image = ImageFactory()

    record = created(
        tec_editor.post(
            "/events",
            {
                "title": "R &amp; D",
                "content": "Hello",
                "excerpt": {"raw": "Hi", "rendered": "<p>Hi</p>"},
                "slug": "given",
                "start_date": "2030-05-04T18:00:00",
                "end_date": "2030-05-04 20:00:00",
                "timezone": "Europe/Rome",
                "date": "2025-01-01T08:00:00",
                "cost": "12",
                "featured": True,
                "tags": [tag.pk, 999999],
                "tribe_events_cat": str(category.pk),
                "venues": [venue.pk],
                "organizers": [{"id": organizer.pk}],
                "featured_media": image.pk,
            },
        )
    )

    event = Event.objects.get()
    assert (event.title, event.slug, event.time_zone, event.author) == ("R & D", "given", "Europe/Rome", editor)
    assert record["date"] == "2025-01-01T08:00:00"
    assert (record["tags"], record["tribe_events_cat"]) == ([tag.pk], [category.pk])
    assert [venue["id"] for venue in record["venues"]] == [venue.pk]
    assert [organizer["id"] for organizer in record["organizers"]] == [organizer.pk]
    assert (record["cost"], record["featured"], record["featured_media"]) == ("$12", True, image.pk)
    assert record["start_date_utc"] == "2030-05-04 16:00:00"


def test_location_of_a_new_record(tec_editor):
    response = tec_editor.post("/events", {"title": "Concert", **TIMES})

    assert response["Location"] == f"{URL}/events/{Event.objects.get().pk}"


def test_duration_stands_for_the_end(tec_editor):
    record = created(tec_editor.post("/events", {"title": "A", "start_date": TIMES["start_date"], "duration": "3600"}))
    path = f"/events/{record['id']}"

    assert record["end_date"] == "2030-05-04 19:00:00"
    assert tec_editor.patch(path, {"duration": 7200}).json()["end_date"] == "2030-05-04 20:00:00"
    moved = tec_editor.patch(path, {"duration": 60, "start_date": "2030-06-01 10:00:00"}).json()
    assert (moved["start_date"], moved["end_date"]) == ("2030-06-01 10:00:00", "2030-06-01 10:01:00")
    for wrong in (-1, "abc", 10**12):
        assert list(invalid_params(tec_editor.patch(path, {"duration": wrong}))) == ["duration"]


@pytest.mark.parametrize(
    ("data", "code", "names"),
    [
        ({}, "rest_missing_callback_param", ["title", "start_date", "end_date"]),
        ({"title": ""}, "rest_missing_callback_param", ["start_date", "end_date"]),
        ({"title": "", **TIMES}, "rest_invalid_param", ["title"]),
        ({"title": "x", **TIMES, "content": 5}, "rest_invalid_param", ["content"]),
        ({"title": "x", **TIMES, "start_date": "tomorrow 9am"}, "rest_invalid_param", ["start_date"]),
        ({"title": "x", **TIMES, "start_date": "2030-02-30 10:00:00"}, "rest_invalid_param", ["start_date"]),
        ({"title": "x", **TIMES, "status": "trash"}, "rest_invalid_param", ["status"]),
        ({"title": "x", **TIMES, "status": "bogus"}, "rest_invalid_param", ["status"]),
        ({"title": "x", **TIMES, "featured_media": 999}, "rest_invalid_param", ["featured_media"]),
        ({"title": "x", **TIMES, "timezone": "Mars"}, "rest_invalid_param", ["timezone"]),
    ],
)
def test_invalid_events(tec_editor, data, code, names):
    response = tec_editor.post("/events", data)

    assert error_of(response) == (400, code)
    assert list(response.json()["data"]["params"]) == names
    assert not Event.objects.exists()


def test_update_is_partial(tec_editor):
    venue = VenueFactory()
    event = EventFactory(
        title="Concert",
        start="2030-05-04 18:00",
        end="2030-05-04 20:00",
        venues=[venue],
        featured=True,
        description="<p>Loud</p>",
    )
    path = f"/events/{event.pk}"

    zoned = tec_editor.put(path, {"timezone": "America/New_York"}).json()
    assert (zoned["start_date"], zoned["start_date_utc"]) == ("2030-05-04 18:00:00", "2030-05-04 22:00:00")
    changed = tec_editor.patch(path, {"venues": [], "featured": False, "start_date": "2030-05-04 19:00:00"}).json()
    assert (changed["venues"], changed["featured"], changed["start_date"]) == ([], False, "2030-05-04 19:00:00")
    assert (changed["end_date"], changed["content"]["rendered"]) == ("2030-05-04 20:00:00", "<p>Loud</p>")


def test_record_sent_back_changes_nothing(tec_editor):
    event = EventFactory(
        title="R & D", description="<p>Loud &amp; long</p>", venues=[VenueFactory()], tags=[TagFactory()]
    )
    before = tec_editor.get(f"/events/{event.pk}").json()

    after = tec_editor.put(f"/events/{event.pk}", before)

    assert after.json() == {**before, **{name: after.json()[name] for name in ("modified", "modified_gmt")}}
    assert "X-Ignored-Fields" not in after


def test_rights(visitor, tec_editor):
    contributor, author, subscriber = map(client_for, ("contributor", "author", "subscriber"))
    event = EventFactory(title="Concert")
    data = {"title": "Mine", **TIMES}

    assert created(contributor.post("/events", data))["status"] == "draft"
    assert created(contributor.post("/events", {**data, "status": "publish"}))["status"] == "pending"
    assert created(author.post("/events", data))["status"] == "publish"
    assert error_of(author.post("/events", {**data, "author": event.author_id})) == (403, "rest_cannot_edit_others")
    for client, status in ((visitor, 401), (subscriber, 403)):
        assert error_of(client.post("/events", data)) == (status, "rest_forbidden")
        # The permission comes before what is wrong with the request.
        assert error_of(client.post("/events", {})) == (status, "rest_forbidden")
    for client, status in ((visitor, 401), (subscriber, 403), (contributor, 403), (author, 403)):
        assert error_of(client.put(f"/events/{event.pk}", {"title": "No"})) == (status, "rest_forbidden")
        assert error_of(client.delete(f"/events/{event.pk}")) == (status, "rest_forbidden")
    assert tec_editor.put(f"/events/{event.pk}", {"title": "Yes"}).json()["title"]["rendered"] == "Yes"


def test_delete(tec_editor, visitor):
    event = EventFactory()
    path = f"/events/{event.pk}"

    assert (tec_editor.delete(path).status_code, Event.objects.get().status) == (200, "trash")
    again = tec_editor.delete(path)
    assert (again.status_code, list(again.json())) == (410, ["error"])
    for response in (tec_editor.get(path), tec_editor.put(path, {"title": "x"})):
        assert (response.status_code, list(response.json())) == (404, ["error"])
    assert error_of(visitor.get(path)) == (401, "rest_forbidden")
    deleted = tec_editor.delete(f"{path}?force=true")
    assert (deleted.status_code, deleted.json()) == (200, [])
    assert not Event.objects.exists()


def test_delete_for_good_at_once(tec_editor):
    venue = VenueFactory()

    assert list(invalid_params(tec_editor.delete(f"/venues/{venue.pk}?force=perhaps"))) == ["force"]
    assert tec_editor.delete(f"/venues/{venue.pk}?force=1").json() == []
    assert not Venue.objects.exists()


def test_venues_and_organizers_are_written(tec_editor):
    venue = created(tec_editor.post("/venues", {"title": "Joe&#8217;s", "city": "Lima", "state_province": "LS"}))
    organizer = created(tec_editor.post("/organizers", {"title": "Club", "email": "c@example.org", "content": "We"}))

    assert (venue["title"]["rendered"], venue["city"], venue["state_province"]) == ("Joe’s", "Lima", "LS")
    assert (organizer["email"], organizer["content"]["rendered"]) == ("c@example.org", "<p>We</p>")
    assert tec_editor.patch(f"/venues/{venue['id']}", {"city": ""}).json()["city"] == ""
    assert list(tec_editor.post("/venues", {}).json()["data"]["params"]) == ["title"]
    assert list(tec_editor.post("/organizers", {"email": "x"}).json()["data"]["params"]) == ["title"]
    assert (Venue.objects.count(), Organizer.objects.count()) == (1, 1)


def test_write_is_carried_out_once_for_a_key(editor_api, db):
    def send():
        headers = {"X-TEC-EEA": "yes", "Idempotency-Key": "once"}
        return editor_api.post(f"{TEC}/events", {"title": "Concert", **TIMES}, headers=headers)

    assert created(send())["id"] == created(send())["id"]
    assert Event.objects.count() == 1
