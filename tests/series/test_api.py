"""Series over HTTP: what is created, changed, split and deleted, and by whom."""

import time

import pytest
from django.core.management import call_command

from events.models import Event, Series
from events.series.trashing import trash_occurrences
from tests.support.api_client import API, json_of

SERIES = f"{API}/series"
CHOIR = {
    "title": "Choir",
    "start_date": "2027-03-16 19:00:00",
    "end_date": "2027-03-16 21:00:00",
    "timezone": "Europe/Rome",
    "rrule": "FREQ=WEEKLY;COUNT=4;BYDAY=TU",
}
DATES = ["2027-03-16 19:00:00", "2027-03-23 19:00:00", "2027-03-30 19:00:00", "2027-04-06 19:00:00"]


@pytest.fixture(autouse=True)
def _today(time_machine):
    time_machine.move_to("2027-03-10 12:00", tick=False)


def create(client, **fields):
    response = client.post(SERIES, {**CHOIR, **fields})
    assert response.status_code == 201, response.content
    return response.json()


def events_of(series):
    return list(Event.objects.filter(series=series["id"]).order_by("series_occurrence"))


def starts_of(series):
    return [event.start_local for event in events_of(series)]


def test_series_is_created_with_its_events(editor, editor_api, client):
    created = create(editor_api, venue={"venue": "Hall"}, tags=["Song"])

    listed = json_of(client.get(f"{API}/events?series={created['id']}"))["events"]
    assert created == {
        "id": created["id"],
        "author": editor.pk,
        "status": "publish",
        "date": "2027-03-10 12:00:00",
        "date_utc": "2027-03-10 12:00:00",
        "modified": "2027-03-10 12:00:00",
        "modified_utc": "2027-03-10 12:00:00",
        "rest_url": f"http://testserver{SERIES}/{created['id']}",
        "events_url": f"http://testserver{API}/events?series={created['id']}",
        "title": "Choir",
        "start_date": "2027-03-16 19:00:00",
        "end_date": "2027-03-16 21:00:00",
        "timezone": "Europe/Rome",
        "all_day": False,
        "rrule": "FREQ=WEEKLY;COUNT=4;BYDAY=TU",
        "rdate": [],
        "exdate": [],
        "is_complete": True,
    }
    assert [event["start_date"] for event in listed] == DATES
    assert [event["series"] for event in listed] == [
        {"id": created["id"], "rrule": "FREQ=WEEKLY;COUNT=4;BYDAY=TU", "occurrence": date} for date in DATES
    ]
    # The clock stays the same on both sides of the change to summer time.
    assert [event["utc_start_date"][11:] for event in listed] == ["18:00:00", "18:00:00", "17:00:00", "17:00:00"]
    assert {event["venue"]["venue"] for event in listed} == {"Hall"}
    assert {event["tags"][0]["name"] for event in listed} == {"Song"}
    assert [event["slug"] for event in listed] == [f"choir-{date[:10]}" for date in DATES]


def test_daily_series_repeats_through_both_changes_of_summer_time(editor_api):
    spring = create(editor_api, start_date="2027-03-27 02:30", end_date="2027-03-27 03:30", rrule="FREQ=DAILY;COUNT=3")
    autumn = create(editor_api, start_date="2027-10-30 02:30", end_date="2027-10-30 03:30", rrule="FREQ=DAILY;COUNT=3")

    # 02:30 does not exist on 28 March, and exists twice on 31 October.
    assert starts_of(spring) == ["2027-03-27 02:30:00", "2027-03-28 03:30:00", "2027-03-29 02:30:00"]
    assert starts_of(autumn) == ["2027-10-30 02:30:00", "2027-10-31 02:30:00", "2027-11-01 02:30:00"]
    assert [event.start.strftime("%H:%M") for event in events_of(autumn)] == ["00:30", "00:30", "01:30"]
    assert [event.series_occurrence for event in events_of(spring)][1] == "2027-03-28 02:30:00"


def test_dates_are_added_and_excluded(editor_api):
    created = create(editor_api, rdate=["2027-03-18 19:00:00", "2027-03-20 11:00"], exdate="2027-03-23 19:00:00")

    assert created["rdate"] == ["2027-03-18 19:00:00", "2027-03-20 11:00:00"]
    assert starts_of(created) == [DATES[0], "2027-03-18 19:00:00", "2027-03-20 11:00:00", DATES[2], DATES[3]]


def test_series_without_a_rule_has_the_dates_that_are_listed(editor_api):
    created = create(editor_api, rrule=None, rdate=["2027-05-01 12:00"])

    assert created["rrule"] == ""
    assert starts_of(created) == [DATES[0], "2027-05-01 12:00:00"]


def test_change_applies_to_all_events_but_not_to_what_one_changed_alone(editor_api):
    created = create(editor_api, venue={"venue": "Hall"})
    first, second, *_others = events_of(created)
    editor_api.patch(f"{API}/events/{first.pk}", {"title": "First night"})
    editor_api.patch(f"{API}/events/{second.pk}", {"venue": {"venue": "Church"}, "cost": "5 €"})

    response = editor_api.patch(
        f"{SERIES}/{created['id']}", {"title": "Big choir", "venue": {"venue": "Station"}, "cost": "10 €"}
    )

    assert json_of(response)["title"] == "Big choir"
    events = events_of(created)
    assert [event.title for event in events] == ["First night", *["Big choir"] * 3]
    assert [[venue.title for venue in event.venues.all()] for event in events] == [
        ["Station"], ["Church"], ["Station"], ["Station"]
    ]  # fmt: skip
    assert [event.cost for event in events] == ["10€", "5€", "10€", "10€"]


def test_new_time_moves_the_events_that_were_not_moved_alone(editor_api):
    created = create(editor_api)
    ids = [event.pk for event in events_of(created)]
    editor_api.patch(f"{API}/events/{ids[1]}", {"start_date": "2027-03-24 12:00", "end_date": "2027-03-24 13:00"})

    editor_api.patch(f"{SERIES}/{created['id']}", {"start_date": "2027-03-16 20:00", "end_date": "2027-03-16 22:30"})

    events = events_of(created)
    assert [event.pk for event in events] == ids
    assert [event.start_local for event in events] == [
        "2027-03-16 20:00:00", "2027-03-24 12:00:00", "2027-03-30 20:00:00", "2027-04-06 20:00:00"
    ]  # fmt: skip
    assert [event.series_occurrence for event in events][1] == "2027-03-23 20:00:00"
    assert events[2].end_local == "2027-03-30 22:30:00"


def test_ending_a_series_trashes_its_later_events_and_extending_creates_new_ones(editor_api):
    created = create(editor_api)
    last = events_of(created)[-1]

    editor_api.patch(f"{SERIES}/{created['id']}", {"rrule": "FREQ=WEEKLY;BYDAY=TU;UNTIL=20270330"})
    ended = starts_of(created)
    editor_api.patch(f"{SERIES}/{created['id']}", {"rrule": "FREQ=WEEKLY;BYDAY=TU;UNTIL=20270406"})

    assert ended == DATES[:3]
    assert starts_of(created) == DATES
    last.refresh_from_db()
    assert (last.status, last.series) == ("trash", None)


@pytest.mark.parametrize("is_deleted", [False, True])
def test_event_that_was_trashed_does_not_return(editor_api, is_deleted):
    created = create(editor_api)
    event = events_of(created)[1]
    editor_api.delete(f"{API}/events/{event.pk}")
    if is_deleted:
        call_command("empty_trash", days=0)

    editor_api.patch(f"{SERIES}/{created['id']}", {"rrule": "FREQ=WEEKLY;COUNT=5;BYDAY=TU"})

    shown = Event.objects.filter(series=created["id"]).not_trashed().order_by("start_local")
    assert [event.start_local for event in shown] == [DATES[0], *DATES[2:], "2027-04-13 19:00:00"]


def test_split_changes_an_event_and_the_following_ones(editor_api):
    created = create(editor_api, rdate=["2027-03-17 19:00", "2027-04-01 19:00"])
    ids = [event.pk for event in events_of(created)]

    following = json_of(
        editor_api.patch(f"{SERIES}/{created['id']}", {"from_occurrence": DATES[2], "title": "Summer choir"})
    )

    kept = json_of(editor_api.get(f"{SERIES}/{created['id']}"))
    assert following["id"] != created["id"]
    assert (kept["title"], kept["rrule"], kept["rdate"]) == (
        "Choir", "FREQ=WEEKLY;UNTIL=20270330T165959Z;BYDAY=TU", ["2027-03-17 19:00:00"]
    )  # fmt: skip
    assert (following["title"], following["rrule"], following["start_date"], following["rdate"]) == (
        "Summer choir", "FREQ=WEEKLY;COUNT=2;BYDAY=TU", DATES[2], ["2027-04-01 19:00:00"]
    )  # fmt: skip
    assert [event.pk for event in events_of(created)] == ids[:3]
    assert [(event.pk, event.title) for event in events_of(following)] == [(pk, "Summer choir") for pk in ids[3:]]
    shown = json_of(editor_api.get(f"{API}/events/{ids[0]}"))["series"]
    assert shown == {"id": created["id"], "rrule": kept["rrule"], "occurrence": DATES[0]}


def test_split_keeps_every_second_week(editor_api):
    created = create(editor_api, rrule="FREQ=WEEKLY;INTERVAL=2;UNTIL=20270601", rdate=["2027-04-06 19:00"])
    dates = starts_of(created)

    following = json_of(editor_api.patch(f"{SERIES}/{created['id']}", {"from_occurrence": "2027-04-06 19:00:00"}))

    assert starts_of(created) + starts_of(following) == dates
    assert following["start_date"] == "2027-04-13 19:00:00"


def test_split_at_the_first_event_changes_the_series(editor_api):
    created = create(editor_api)

    changed = json_of(editor_api.patch(f"{SERIES}/{created['id']}", {"from_occurrence": DATES[0], "title": "New"}))

    assert (changed["id"], changed["title"], starts_of(changed)) == (created["id"], "New", DATES)


def test_deleting_a_series_keeps_its_events(editor_api, client):
    created = create(editor_api)
    ids = [event.pk for event in events_of(created)]

    deleted = json_of(editor_api.delete(f"{SERIES}/{created['id']}"))

    assert deleted == created
    assert client.get(f"{SERIES}/{created['id']}").json()["code"] == "series-not-found"
    assert [json_of(client.get(f"{API}/events/{pk}"))["series"] for pk in ids] == [None] * 4
    assert not Series.objects.exists()


def test_record_that_is_sent_back_changes_nothing(editor_api):
    created = create(editor_api, exdate=[DATES[1]])

    response = editor_api.put(f"{SERIES}/{created['id']}", created)

    assert json_of(response) == created
    assert "X-Ignored-Fields" not in response
    assert Series.history.filter(id=created["id"]).count() == 1
    assert starts_of(created) == [DATES[0], *DATES[2:]]


def test_all_day_series_and_tickets(editor_api, client):
    created = create(
        editor_api,
        start_date="2027-03-26",
        end_date="2027-03-27",
        all_day=True,
        rrule="FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=2",
        tickets=[{"name": "Seat", "price": "10", "currency": "EUR"}],
        image=None,
    )

    listed = json_of(client.get(f"{API}/events?series={created['id']}"))["events"]
    assert [(event["start_date"], event["end_date"], event["tickets"][0]["price"]) for event in listed] == [
        ("2027-03-31 00:00:00", "2027-04-01 23:59:59", "10.00"),
        ("2027-04-30 00:00:00", "2027-05-01 23:59:59", "10.00"),
    ]
    response = editor_api.patch(f"{SERIES}/{created['id']}", {"tickets": []})
    assert response.status_code == 200, response.content
    assert not json_of(client.get(f"{API}/events/{listed[0]['id']}"))["tickets"]


@pytest.mark.parametrize(
    ("fields", "names"),
    [
        ({"rrule": "every week"}, ["rrule"]),
        ({"rrule": "FREQ=HOURLY"}, ["rrule"]),
        ({"rrule": "FREQ=WEEKLY;BYDAY=MO;BYSETPOS=2", "rdate": ["2027-03-18 19:00"]}, ["rrule"]),
        ({"rrule": "FREQ=MONTHLY;BYDAY=6MO", "rdate": ["2027-03-18 19:00"]}, ["rrule"]),
        ({"rrule": "FREQ=WEEKLY;COUNT=2;UNTIL=20270401"}, ["rrule"]),
        ({"rrule": "FREQ=WEEKLY;UNTIL=20270301"}, ["rrule"]),
        ({"rrule": 7}, ["rrule"]),
        ({"rdate": ["soonish"]}, ["rdate"]),
        ({"exdate": [5]}, ["exdate"]),
        ({"exdate": DATES}, ["rrule"]),
        ({"status": "trash"}, ["status"]),
        (
            {"start_date": "2000-01-01 10:00", "end_date": "2000-01-01 11:00", "rrule": "FREQ=DAILY"},
            ["start_date"],
        ),
        ({"venue": [999999], "rrule": "FREQ=NEVER"}, ["rrule", "venue"]),
        ({"tickets": [{"name": "Seat"}]}, ["tickets"]),
    ],
)
def test_invalid_series_is_refused(editor_api, fields, names):
    response = editor_api.post(SERIES, {**CHOIR, **fields})

    assert (response.status_code, response.json()["code"]) == (400, "rest_invalid_param"), response.content
    assert sorted({name.split("[")[0].split(".")[0] for name in response.json()["data"]["params"]}) == names
    assert not Series.objects.exists()
    assert not Event.objects.exists()


def test_detached_events_stay_as_single_events(editor_api):
    created = create(editor_api)
    ids = [event.pk for event in events_of(created)]

    changed = json_of(editor_api.patch(f"{SERIES}/{created['id']}", {"detach": DATES[1:3], "title": "Singing"}))

    detached = Event.objects.filter(pk__in=ids[1:3])
    assert changed["exdate"] == DATES[1:3]
    assert [event.pk for event in events_of(created)] == [ids[0], ids[3]]
    assert {event.title for event in events_of(created)} == {"Singing"}
    assert {(event.series, event.title, event.status) for event in detached} == {(None, "Choir", "publish")}
    assert json_of(editor_api.get(f"{API}/events/{ids[1]}"))["series"] is None


@pytest.mark.parametrize(
    "detach", [["2027-03-24 19:00:00"], [DATES[0], "2027-03-24 19:00:00"], ["x"], DATES[:1] * 1001]
)
def test_only_events_of_the_series_are_detached(editor_api, detach):
    created = create(editor_api)

    response = editor_api.patch(f"{SERIES}/{created['id']}", {"detach": detach})

    assert response.status_code == 400
    assert len(events_of(created)) == 4


def test_split_at_another_time_is_refused(editor_api):
    created = create(editor_api)

    response = editor_api.patch(f"{SERIES}/{created['id']}", {"from_occurrence": "2027-03-24 19:00:00"})

    assert list(response.json()["data"]["params"]) == ["from_occurrence"]


def test_strangers_are_refused(author_api, editor_api, subscriber_api, contributor_api, client):
    created = create(editor_api)

    for refused, status in ((client, 401), (subscriber_api, 403), (contributor_api, 403), (author_api, 403)):
        assert refused.patch(f"{SERIES}/{created['id']}", {"title": "Mine"}).status_code == status
        assert refused.delete(f"{SERIES}/{created['id']}").status_code == status
    assert client.post(SERIES, CHOIR).status_code == 401
    assert subscriber_api.post(SERIES, CHOIR).status_code == 403
    assert Series.objects.get().title == "Choir"


def test_authors_change_their_own_series(author_api, author):
    created = create(author_api)

    assert json_of(author_api.patch(f"{SERIES}/{created['id']}", {"title": "Mine"}))["author"] == author.pk
    assert json_of(author_api.delete(f"{SERIES}/{created['id']}"))["title"] == "Mine"


def test_series_of_contributors_waits_for_review(contributor_api, editor_api, client):
    created = create(contributor_api, status="publish")

    assert created["status"] == "pending"
    assert {event.status for event in events_of(created)} == {"pending"}
    assert client.get(f"{SERIES}/{created['id']}").status_code == 403
    assert json_of(client.get(SERIES))["series"] == []
    assert json_of(contributor_api.get(SERIES))["total"] == 1
    # One of its events is published: contributors must not change it by the series.
    editor_api.patch(f"{API}/events/{events_of(created)[0].pk}", {"status": "publish"})
    assert contributor_api.patch(f"{SERIES}/{created['id']}", {"title": "Changed"}).status_code == 403
    assert contributor_api.delete(f"{SERIES}/{created['id']}").status_code == 403
    assert len(events_of(created)) == 4
    assert json_of(editor_api.patch(f"{SERIES}/{created['id']}", {"status": "publish"}))["status"] == "publish"
    assert {event.status for event in events_of(created)} == {"publish"}


def test_series_with_a_password_is_hidden_from_strangers(editor_api, client):
    created = create(editor_api, post_password="secret")
    event = events_of(created)[0]

    assert client.get(f"{SERIES}/{created['id']}").status_code == 403
    assert json_of(client.get(SERIES))["total"] == 0
    assert client.get(f"{API}/events?series={created['id']}").status_code == 400
    # The password of an event does not open the series.
    assert json_of(client.get(f"{API}/events/{event.pk}?password=secret"))["series"] is None
    assert json_of(editor_api.get(f"{API}/events/{event.pk}"))["series"]["id"] == created["id"]
    assert {record["series"] for record in json_of(client.get(f"{API}/events"))["events"]} == {None}
    assert json_of(editor_api.get(f"{SERIES}/{created['id']}"))["id"] == created["id"]


def hide_from_listings(events, editor_api, created):
    editor_api.patch(f"{SERIES}/{created['id']}", {"hide_from_listings": True})


def make_private(events, editor_api, created):
    events.update(status="private")


def make_draft(events, editor_api, created):
    events.update(status="draft")


def trash(events, editor_api, created):
    events.update(status="trash")


def protect(events, editor_api, created):
    events.update(password="secret")


@pytest.mark.parametrize("hide", [hide_from_listings, make_private, make_draft, trash, protect])
def test_series_whose_events_are_hidden_is_hidden(editor_api, contributor_api, client, hide):
    created, other = create(editor_api), create(editor_api)
    events = Event.objects.filter(series=created["id"])
    path = f"{SERIES}/{created['id']}"

    hide(events, editor_api, created)

    for reader in (client, contributor_api):
        assert [record["id"] for record in json_of(reader.get(SERIES))["series"]] == [other["id"]]
        assert (reader.get(path).status_code, reader.get(f"{SERIES}/{other['id']}").status_code) == (403, 200)
        assert reader.get(f"{API}/events?series={created['id']}").status_code == 400
    assert json_of(editor_api.get(SERIES))["total"] == 2
    assert json_of(editor_api.get(path))["id"] == created["id"]
    # One event that lists show is sufficient.
    events.filter(series_occurrence=DATES[2]).update(status="publish", hide_from_listings=False, password="")
    assert json_of(client.get(SERIES))["total"] == 2
    assert json_of(client.get(path))["title"] == "Choir"


@pytest.mark.parametrize("status", ["private", "draft"])
def test_public_event_does_not_show_a_series_that_the_reader_may_not_read(editor_api, client, status):
    created, shown = create(editor_api, status=status), create(editor_api)
    event, other = events_of(created)[0], events_of(shown)[0]
    editor_api.patch(f"{API}/events/{event.pk}", {"status": "publish"})
    listed = f"{API}/events?include={event.pk},{other.pk}"

    def series_of(reader, path=listed):
        return {record["id"]: (record["series"] or {}).get("id") for record in json_of(reader.get(path))["events"]}

    assert series_of(client) == {event.pk: None, other.pk: shown["id"]}
    assert series_of(client, f"{listed}&_fields=events.id,events.series") == series_of(client)
    assert series_of(editor_api) == {event.pk: created["id"], other.pk: shown["id"]}
    assert json_of(client.get(f"{API}/events/{event.pk}"))["series"] is None
    refused = client.get(f"{API}/events?series={created['id']}")
    assert (refused.status_code, list(refused.json()["data"]["params"])) == (400, ["series"])
    # The stored response ends with the change of the series.
    editor_api.patch(f"{SERIES}/{created['id']}", {"status": "publish"})
    assert series_of(client) == {event.pk: created["id"], other.pk: shown["id"]}


def test_rule_in_an_event_follows_a_change_of_the_series_in_any_way(editor_api, client):
    created = create(editor_api)
    path = f"{API}/events?series={created['id']}"
    client.get(path)

    Series.objects.update(rrule="FREQ=WEEKLY;COUNT=9")

    assert {event["series"]["rrule"] for event in json_of(client.get(path))["events"]} == {"FREQ=WEEKLY;COUNT=9"}


def test_list_of_series_takes_the_same_queries_for_any_number(editor_api, client, django_assert_num_queries):
    create(editor_api, rrule="FREQ=WEEKLY;COUNT=1")
    with django_assert_num_queries(1):
        assert json_of(client.get(SERIES))["total"] == 1
    for _number in range(2):
        create(editor_api, rrule="FREQ=WEEKLY;COUNT=1")

    with django_assert_num_queries(1):
        assert json_of(client.get(SERIES))["total"] == 3


def test_filter_finds_only_the_events_of_the_series(editor_api, client):
    created, other = create(editor_api), create(editor_api)
    editor_api.post(f"{API}/events", {"title": "Alone", "start_date": "2027-03-16", "end_date": "2027-03-16"})

    found = json_of(client.get(f"{API}/events?series={created['id']}"))

    assert found["total"] == 4
    assert {event["series"]["id"] for event in found["events"]} == {created["id"]}
    assert client.get(f"{API}/events?series={other['id'] + 1}").status_code == 400


def test_writes_are_conditional_and_idempotent(editor_api):
    key = {"Idempotency-Key": "once"}
    first = editor_api.post(SERIES, CHOIR, headers=key)
    second = editor_api.post(SERIES, CHOIR, headers=key)

    assert second["Idempotent-Replayed"] == "true"
    assert (second.json(), Series.objects.count(), Event.objects.count()) == (first.json(), 1, 4)
    path = f"{SERIES}/{first.json()['id']}"
    assert editor_api.get(path, headers={"If-None-Match": first["ETag"]}).status_code == 304
    changed = editor_api.patch(path, {"title": "New"}, headers={"If-Match": first["ETag"]})
    assert changed.status_code == 200
    assert editor_api.patch(path, {"title": "Newer"}, headers={"If-Match": first["ETag"]}).status_code == 412


# --- Limits ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"rrule": "FREQ=DAILY;BYMONTH=" + ",".join(["1"] * 300)}, "rrule"),
        ({"rrule": "FREQ=WEEKLY;UNTIL=202711"}, "rrule"),
        ({"start_date": "1000-01-01 10:00:00", "end_date": "1000-01-01 11:00:00"}, "start_date"),
        ({"end_date": "9998-12-30 21:00:00"}, "end_date"),
    ],
)
def test_series_beyond_a_limit_is_refused(editor_api, fields, name):
    response = editor_api.post(SERIES, {**CHOIR, **fields})

    assert response.status_code == 400
    assert list(response.json()["data"]["params"]) == [name]
    assert not Series.objects.exists()


def test_excluded_occurrence_stays_excluded_when_the_time_changes(editor_api):
    created = create(editor_api, exdate=[DATES[1]])

    editor_api.patch(
        f"{SERIES}/{created['id']}", {"start_date": "2027-03-16 20:00:00", "end_date": "2027-03-16 21:00:00"}
    )

    assert starts_of(created) == ["2027-03-16 20:00:00", "2027-03-30 20:00:00", "2027-04-06 20:00:00"]


def test_old_series_can_still_be_changed(editor_api, time_machine):
    created = create(editor_api, rrule="FREQ=DAILY")
    time_machine.move_to("2030-03-10 12:00", tick=False)

    response = editor_api.patch(f"{SERIES}/{created['id']}", {"title": "Old choir"})

    assert (response.status_code, response.json()["title"]) == (200, "Old choir")


def test_occurrence_at_a_time_that_the_clock_skips_is_excluded(editor_api):
    created = create(
        editor_api,
        start_date="2027-03-27 02:30:00",
        end_date="2027-03-27 03:30:00",
        rrule="FREQ=DAILY;COUNT=3",
        exdate=["2027-03-28 02:30:00"],
    )

    assert starts_of(created) == ["2027-03-27 02:30:00", "2027-03-29 02:30:00"]


def test_status_of_single_events_is_no_field_of_a_series(editor_api):
    created = create(editor_api)

    response = editor_api.patch(f"{SERIES}/{created['id']}", {"event_status": "cancelled"})

    assert (response.status_code, response["X-Ignored-Fields"]) == (200, "event_status")


def test_series_that_fails_does_not_stop_the_others(editor_api, time_machine):
    broken, other = create(editor_api, rrule="FREQ=WEEKLY"), create(editor_api, rrule="FREQ=WEEKLY")
    Series.objects.filter(pk=broken["id"]).update(rrule="FREQ=NEVER")
    count = len(events_of(other))
    time_machine.move_to("2027-06-10 12:00", tick=False)

    call_command("extend_series")

    assert len(events_of(other)) > count


@pytest.mark.parametrize("start", ["2027-03-01 19:00:00", "2027-03-16 19:00:00"])
def test_limit_is_that_of_the_preview(editor_api, monkeypatch, start):
    monkeypatch.setattr(Series, "MAX_OCCURRENCES", 12)
    dates = {"start_date": start, "end_date": f"{start[:10]} 21:00:00", "rrule": "FREQ=DAILY"}

    preview = json_of(editor_api.post(f"{SERIES}/preview", {"timezone": "Europe/Rome", **dates}))
    created = create(editor_api, **dates)
    call_command("extend_series")

    assert starts_of(created) == [row["occurrence"] for row in preview["occurrences"]]
    assert sum(text >= "2027-03-10 13:00:00" for text in starts_of(created)) == 12
    assert (preview["total"], preview["is_complete"]) == (len(starts_of(created)), False)


# --- Chosen dates, and additional ones ---------------------------------------------------------------


CHOSEN = ["2027-03-16 19:00:00", "2027-03-18 19:00:00", "2027-03-22 19:00:00", "2027-03-30 19:00:00"]


def create_chosen(client, **fields):
    """Create a series of chosen dates whose start is neither the first nor the last of them."""
    dates = {"start_date": CHOSEN[2], "end_date": "2027-03-22 21:00:00", "rrule": "", "rdate": [*CHOSEN[:2], CHOSEN[3]]}
    return create(client, **{**dates, **fields})


def test_series_of_chosen_dates_begins_with_the_first_one(editor_api):
    created = create_chosen(editor_api)
    excluded = create_chosen(editor_api, exdate=CHOSEN[:1])

    assert (created["start_date"], created["end_date"], created["rdate"]) == (
        CHOSEN[0], "2027-03-16 21:00:00", CHOSEN[1:]
    )  # fmt: skip
    assert (excluded["start_date"], excluded["rdate"], excluded["exdate"]) == (
        CHOSEN[1], [CHOSEN[0], *CHOSEN[2:]], CHOSEN[:1]
    )  # fmt: skip
    assert (starts_of(created), starts_of(excluded)) == (CHOSEN, CHOSEN[1:])


@pytest.mark.parametrize("is_stored_as_before", [False, True])
@pytest.mark.parametrize("position", [1, 2, 3])
def test_chosen_dates_are_divided_by_a_split(editor_api, position, is_stored_as_before):
    created = create_chosen(editor_api)
    if is_stored_as_before:
        Series.objects.update(
            start_local=CHOSEN[2], end_local="2027-03-22 21:00:00", rdate=[CHOSEN[0], CHOSEN[1], CHOSEN[3]]
        )

    following = json_of(
        editor_api.patch(f"{SERIES}/{created['id']}", {"from_occurrence": CHOSEN[position], "title": "Later"})
    )
    call_command("extend_series")

    kept = json_of(editor_api.get(f"{SERIES}/{created['id']}"))
    assert [kept["start_date"], *kept["rdate"]] == starts_of(kept) == CHOSEN[:position]
    assert [following["start_date"], *following["rdate"]] == starts_of(following) == CHOSEN[position:]
    assert Event.objects.count() == 4


@pytest.mark.parametrize("is_stored_as_before", [False, True])
def test_series_of_chosen_dates_is_ended(editor, editor_api, is_stored_as_before):
    created = create_chosen(editor_api)
    if is_stored_as_before:
        Series.objects.update(
            start_local=CHOSEN[2], end_local="2027-03-22 21:00:00", rdate=[CHOSEN[0], CHOSEN[1], CHOSEN[3]]
        )
    event = Event.objects.get(series_occurrence=CHOSEN[2])

    trash_occurrences(event.series, since=CHOSEN[2], user=editor)
    call_command("extend_series")

    assert starts_of(created) == CHOSEN[:2]
    assert list(Event.objects.not_trashed().order_by("start").values_list("start_local", flat=True)) == CHOSEN[:2]


LATER = ["2027-04-01 19:00:00", "2027-04-02 19:00:00"]


@pytest.fixture(params=["chosen dates", "rule"])
def replaced(request, editor_api, time_machine):
    """A series that got later dates when two of its events had begun; one of these was excluded."""
    created = create_chosen(editor_api)
    time_machine.move_to("2027-03-20 12:00", tick=False)
    repeats = {"rrule": "", "rdate": LATER[1:]} if request.param == "chosen dates" else {
        "rrule": "FREQ=DAILY;COUNT=2", "rdate": []
    }  # fmt: skip
    dates = {"start_date": LATER[0], "end_date": "2027-04-01 21:00:00", "exdate": CHOSEN[1:2], **repeats}
    changed = json_of(editor_api.patch(f"{SERIES}/{created['id']}", dates))
    assert starts_of(changed) == [*CHOSEN[:2], *LATER]
    return changed


def dates_of(series):
    return {name: series[name] for name in ("start_date", "end_date", "rrule", "rdate", "exdate")}


BEGUN = {
    "start_date": CHOSEN[0],
    "end_date": "2027-03-16 21:00:00",
    "rrule": "",
    "rdate": CHOSEN[1:2],
    "exdate": [],
}


def test_split_leaves_events_whose_dates_were_replaced(editor_api, replaced):
    following = json_of(editor_api.patch(f"{SERIES}/{replaced['id']}", {"from_occurrence": LATER[0]}))
    call_command("extend_series")

    kept = json_of(editor_api.get(f"{SERIES}/{replaced['id']}"))
    assert dates_of(kept) == BEGUN
    assert dates_of(following) == {**dates_of(replaced), "exdate": []}
    assert (starts_of(kept), starts_of(following)) == (CHOSEN[:2], LATER)
    assert json_of(editor_api.patch(f"{SERIES}/{kept['id']}", {"exdate": CHOSEN[1]}))["exdate"] == CHOSEN[1:2]


def test_trash_leaves_events_whose_dates_were_replaced(editor, editor_api, replaced):
    trash_occurrences(Series.objects.get(), since=LATER[0], user=editor)
    call_command("extend_series")

    kept = json_of(editor_api.get(f"{SERIES}/{replaced['id']}"))
    assert dates_of(kept) == BEGUN
    assert starts_of(kept) == CHOSEN[:2]
    trashed = Event.objects.filter(status="trash").order_by("start").values_list("start_local", flat=True)
    # The first two left the series when its dates were replaced.
    assert list(trashed) == [*CHOSEN[2:], *LATER]


def test_additional_dates_follow_a_new_time(editor_api):
    created = create(editor_api, rdate=["2027-03-18 19:00", "2027-03-20 10:00"], exdate=[DATES[1]])
    ids = [event.pk for event in events_of(created)]

    changed = json_of(
        editor_api.patch(
            f"{SERIES}/{created['id']}", {"start_date": "2027-03-16 20:30:00", "end_date": "2027-03-16 22:00:00"}
        )
    )

    assert (changed["rdate"], changed["exdate"]) == (
        ["2027-03-18 20:30:00", "2027-03-20 10:00:00"], ["2027-03-23 20:30:00"]
    )  # fmt: skip
    assert [event.pk for event in events_of(created)] == ids
    assert starts_of(created) == [
        "2027-03-16 20:30:00", "2027-03-18 20:30:00", "2027-03-20 10:00:00", "2027-03-30 20:30:00",
        "2027-04-06 20:30:00",
    ]  # fmt: skip


def test_new_additional_dates_keep_their_times(editor_api):
    created = create(editor_api, rdate=["2027-03-18 19:00"])

    changed = json_of(
        editor_api.patch(
            f"{SERIES}/{created['id']}",
            {"start_date": "2027-03-16 20:30:00", "end_date": "2027-03-16 22:00:00", "rdate": ["2027-03-19 19:00"]},
        )
    )

    assert changed["rdate"] == ["2027-03-19 19:00:00"]


def test_dates_of_an_all_day_series_are_days(editor_api):
    created = create(editor_api, rdate=["2027-03-18 19:00", "2027-03-20 10:00"], exdate=[DATES[1]])
    ids = [event.pk for event in events_of(created)]

    changed = json_of(editor_api.patch(f"{SERIES}/{created['id']}", {"all_day": True}))
    new = create(editor_api, all_day=True, rdate=["2027-03-18 19:00", "2027-03-18 20:00"], exdate=["2027-03-23 19:00"])

    days = ["2027-03-16", "2027-03-18", "2027-03-20", "2027-03-30", "2027-04-06"]
    assert (changed["rdate"], changed["exdate"]) == (
        ["2027-03-18 00:00:00", "2027-03-20 00:00:00"], ["2027-03-23 00:00:00"]
    )  # fmt: skip
    assert starts_of(created) == [f"{day} 00:00:00" for day in days]
    assert [event.pk for event in events_of(created)] == ids
    assert starts_of(new) == [f"{day} 00:00:00" for day in days if day != "2027-03-20"]


def test_series_whose_events_were_deleted_can_be_changed(editor_api):
    created = create(editor_api)
    Event.objects.filter(series=created["id"]).delete()
    Series.objects.update(exdate=DATES)

    changed = json_of(editor_api.patch(f"{SERIES}/{created['id']}", {"title": "Old choir"}))
    refused = editor_api.patch(f"{SERIES}/{created['id']}", {"rrule": "FREQ=WEEKLY;COUNT=3;BYDAY=TU"})

    assert changed["title"] == "Old choir"
    assert (refused.status_code, list(refused.json()["data"]["params"])) == (400, ["rrule"])


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=31",
        "FREQ=DAILY;INTERVAL=7;BYDAY=SU",
        "FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29",
        "FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=2," + ",".join(map(str, range(8, 104))) + ";UNTIL=19271101",
    ],
)
def test_rule_without_a_match_takes_little_time(editor_api, client, rule):
    dates = {"start_date": "1927-11-07 19:00:00", "end_date": "1927-11-07 21:00:00", "rdate": ["1927-11-08 19:00:00"]}
    begin = time.process_time()

    preview = json_of(editor_api.post(f"{SERIES}/preview", {**dates, "rrule": rule}))
    created = create(editor_api, **dates, rrule=rule)
    changed = json_of(editor_api.patch(f"{SERIES}/{created['id']}", {"title": "Old choir"}))
    call_command("extend_series")
    listed = json_of(client.get(f"{API}/events?series={created['id']}&start_date=1927-01-01"))

    assert (preview["total"], changed["title"], listed["total"]) == (1, "Old choir", 1)
    assert time.process_time() - begin < 4
