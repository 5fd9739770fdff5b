"""Changes of series with many events: some events change at once, the others in the background."""

import pytest
from django.core.management import call_command

from events.models import Event, Series
from events.series import propagation
from events.series.services import detach_event
from taxonomy.models import Category, Tag
from tests.support.api_client import API, json_of
from tests.support.background_tasks import run_worker

CHOIR = {
    "title": "Choir",
    "start_date": "2027-03-16 19:00:00",
    "end_date": "2027-03-16 21:00:00",
    "timezone": "Europe/Rome",
    "rrule": "FREQ=WEEKLY;COUNT=4",
}


@pytest.fixture(autouse=True)
def _today(time_machine):
    time_machine.move_to("2027-03-20 12:00", tick=False)


@pytest.fixture(autouse=True)
def _two_events_at_once(monkeypatch):
    monkeypatch.setattr(propagation, "MAX_CHANGED_AT_ONCE", 2)


@pytest.fixture
def choir(editor_api):
    response = editor_api.post(f"{API}/series", CHOIR)
    assert response.status_code == 201, response.content
    return response.json()["id"]


def save(client, path, **fields):
    response = client.patch(f"{API}/{path}", fields)
    assert response.status_code == 200, response.content
    return json_of(response)


def events():
    return list(Event.objects.order_by("start_local"))


def titles():
    return [event.title for event in events()]


def test_coming_events_change_at_once_and_the_others_in_the_background(choir, editor_api, editor):
    save(editor_api, f"series/{choir}", title="Big choir")
    at_once = titles()
    run_worker()

    # The first one is in the past.
    assert at_once == ["Choir", "Big choir", "Big choir", "Choir"]
    assert titles() == ["Big choir"] * 4
    assert Series.objects.get().outdated == []
    last = Event.history.filter(id=events()[3].pk).first()
    assert (last.history_changed, last.history_username, last.history_user_id) == (["title"], "editor", editor.pk)


def test_changes_in_between_are_kept(choir, editor_api):
    save(editor_api, f"series/{choir}", title="Big choir")
    first, *_others, last = events()
    save(editor_api, f"events/{last.pk}", title="Last night", cost="5 €")

    save(editor_api, f"series/{choir}", title="Bigger choir", website="https://example.org/")
    save(editor_api, f"series/{choir}", cost="10 €")
    run_worker()

    assert titles() == [*["Bigger choir"] * 3, "Last night"]
    assert [event.website for event in events()] == ["https://example.org/"] * 4
    assert [event.cost for event in events()] == ["10€", "10€", "10€", "5€"]
    assert events()[0].pk == first.pk


def test_change_that_is_taken_back_reaches_all_events(choir, editor_api):
    save(editor_api, f"series/{choir}", title="Big choir")

    save(editor_api, f"series/{choir}", title="Choir")
    run_worker()

    assert titles() == ["Choir"] * 4
    assert Series.objects.get().outdated == []


def test_dates_of_all_events_change_at_once(choir, editor_api):
    save(
        editor_api,
        f"series/{choir}",
        title="Late choir",
        start_date="2027-03-16 20:00:00",
        end_date="2027-03-16 22:00:00",
    )
    at_once = [event.start_local[11:16] for event in events()]
    run_worker()

    assert at_once == ["19:00", "20:00", "20:00", "20:00"]
    assert titles() == ["Late choir"] * 4


def test_event_on_the_day_of_the_horizon_moves_to_a_later_time(editor_api, settings):
    settings.SERIES_HORIZON_DAYS = 10
    dates = {"start_date": "2027-03-19 10:00", "end_date": "2027-03-19 11:00", "rrule": "FREQ=DAILY;INTERVAL=11"}
    pk = editor_api.post(f"{API}/series", CHOIR | dates).json()["id"]
    begun, last = events()

    save(editor_api, f"series/{pk}", start_date="2027-03-19 20:00", end_date="2027-03-19 21:00")
    call_command("extend_series")

    assert [(event.pk, event.start_local, event.status, event.series_id) for event in events()] == [
        (begun.pk, "2027-03-19 10:00:00", "publish", pk), (last.pk, "2027-03-30 20:00:00", "publish", pk)
    ]  # fmt: skip


def test_split_series_both_get_what_was_left(choir, editor_api):
    save(editor_api, f"series/{choir}", title="Big choir")

    following = save(editor_api, f"series/{choir}", from_occurrence="2027-03-30 19:00:00", cost="10 €")
    run_worker()

    assert titles() == ["Big choir"] * 4
    assert [event.cost for event in events()] == ["", "", "10€", "10€"]
    assert [event.series_id for event in events()] == [choir, choir, following["id"], following["id"]]


def test_events_of_a_deleted_series_have_its_last_values(choir, editor_api):
    save(editor_api, f"series/{choir}", title="Big choir")

    assert editor_api.delete(f"{API}/series/{choir}").status_code == 200
    run_worker()

    assert titles() == ["Big choir"] * 4


def test_detached_event_has_the_last_values_of_its_series(choir, editor_api, editor):
    save(editor_api, f"series/{choir}", title="Big choir")

    detach_event(events()[3], user=editor)

    assert titles() == ["Choir", *["Big choir"] * 3]


def test_event_that_cannot_be_changed_does_not_stop_the_others(choir, editor_api, caplog):
    save(editor_api, f"series/{choir}", title="Big choir")
    first = events()[0]
    # Not valid without the previous start.
    Event.objects.filter(pk=first.pk).update(event_status="rescheduled")

    run_worker()

    assert titles() == ["Choir", *["Big choir"] * 3]
    assert [record.getMessage() for record in caplog.records if record.name == propagation.__name__] == [
        f"The event {first.pk} cannot get the values of its series {choir}."
    ]


def test_change_whose_task_is_lost_is_finished_by_the_command(choir, editor_api):
    save(editor_api, f"series/{choir}", title="Big choir")

    call_command("extend_series")

    assert titles() == ["Big choir"] * 4


def test_write_that_changes_many_events_creates_few(choir, editor_api):
    save(editor_api, f"series/{choir}", title="Big choir", rrule="FREQ=WEEKLY;COUNT=8")
    at_once = len(events())
    run_worker()

    assert (at_once, titles()) == (5, ["Big choir"] * 8)


def test_counts_of_terms_follow(choir, editor_api):
    save(editor_api, f"series/{choir}", tags=["Song", "Bass"])
    run_worker()
    save(editor_api, f"series/{choir}", tags=["Song"], rrule="FREQ=WEEKLY;COUNT=3")
    run_worker()

    assert dict(Tag.objects.values_list("name", "event_count")) == {"Song": 3, "Bass": 0}


def test_change_of_many_events_takes_few_queries(choir, editor_api, monkeypatch, django_assert_max_num_queries):
    monkeypatch.setattr(propagation, "MAX_CHANGED_AT_ONCE", 100)
    save(editor_api, f"series/{choir}", rrule="FREQ=DAILY;COUNT=100")

    with django_assert_max_num_queries(40):
        save(editor_api, f"series/{choir}", title="Big choir")

    assert set(titles()) == {"Big choir"}
    assert Event.objects.count() > 90


# --- Less visible at once ------------------------------------------------------------------------


def rows(client, **parameters):
    """The titles of the events in the list, by their start."""
    query = {"start_date": "2027-03-01", "per_page": 50, **parameters}
    return [row["start_date"][:10] for row in client.get(f"{API}/events", query).json()["events"]]


def revisions():
    """The number of revisions of each event, and the author of the newest."""
    return [(event.history.count(), event.history.latest("history_id").history_username) for event in events()]


@pytest.mark.parametrize(
    ("fields", "public"),
    [
        ({"status": "private"}, []),
        ({"status": "draft"}, []),
        ({"date": "2027-03-27 12:00"}, []),
        ({"hide_from_listings": True}, []),
    ],
)
def test_less_visible_is_immediate(choir, editor_api, client, fields, public):
    save(editor_api, f"series/{choir}", categories=["Singing"])
    run_worker()
    before = revisions()

    series = save(editor_api, f"series/{choir}", **fields)

    assert rows(client) == public
    assert series["is_complete"] is False
    assert Category.objects.get().event_count == 0
    run_worker()
    assert rows(client) == public
    assert Category.objects.get().event_count == 0
    assert revisions() == [(count + 1, "editor") for count, _name in before]


def test_new_password_is_immediate(choir, editor_api, client):
    save(editor_api, f"series/{choir}", post_password="secret", description="Protected")

    assert [event.password for event in events()] == ["secret"] * 4
    run_worker()
    assert [(event.password, event.description) for event in events()] == [("secret", "<p>Protected</p>")] * 4


def test_event_that_deviates_is_not_hidden_with_the_others(choir, editor_api, client):
    last = events()[3]
    save(editor_api, f"events/{last.pk}", date="2027-03-01 12:00", post_password="own")

    save(editor_api, f"series/{choir}", date="2027-03-27 12:00", post_password="secret")

    assert rows(client) == ["2027-04-06"]
    run_worker()
    assert rows(client) == ["2027-04-06"]
    assert events()[3].password == "own"


def test_hidden_events_come_back_if_the_change_is_taken_back(choir, editor_api, client):
    save(editor_api, f"series/{choir}", status="private")
    save(editor_api, f"series/{choir}", status="publish")

    run_worker()

    assert [event.status for event in events()] == ["publish"] * 4


# --- Today's permissions -------------------------------------------------------------------------


@pytest.fixture
def half_done_pending(contributor_api):
    """A pending series of a contributor, of which two events have a new title and two do not."""
    response = contributor_api.post(f"{API}/series", {**CHOIR, "status": "pending"})
    assert response.status_code == 201, response.content
    series = response.json()["id"]
    save(contributor_api, f"series/{series}", title="Casino")
    assert sorted(titles()) == ["Casino", "Casino", "Choir", "Choir"]
    return series


def unchanged():
    return next(event for event in events() if event.title == "Choir")


def test_published_event_keeps_what_its_publisher_saw(half_done_pending, editor_api):
    event = unchanged()

    save(editor_api, f"events/{event.pk}", status="publish")
    run_worker()

    event.refresh_from_db()
    assert (event.title, event.status) == ("Choir", "publish")
    assert sorted(titles()) == ["Casino", "Casino", "Casino", "Choir"]


def test_reviewer_sees_the_event_as_it_will_be(half_done_pending, editor_browser):
    event = unchanged()
    page = f"/admin/events/event/{event.pk}/review/"
    seen = editor_browser.get(page).context["form"].initial["seen"]

    editor_browser.post(page, {"decision": "approve", "seen": seen})

    event.refresh_from_db()
    assert (event.title, event.status) == ("Casino", "pending")
    seen = editor_browser.get(page).context["form"].initial["seen"]
    editor_browser.post(page, {"decision": "approve", "seen": seen})
    event.refresh_from_db()
    assert (event.title, event.status) == ("Casino", "publish")


def test_decision_on_all_events_waits_for_their_values(contributor_api, editor_browser):
    response = contributor_api.post(f"{API}/series", {**CHOIR, "status": "pending", "rrule": "FREQ=WEEKLY;COUNT=8"})
    save(contributor_api, f"series/{response.json()['id']}", title="Casino")
    page = f"/admin/events/event/{events()[0].pk}/review/"
    form = editor_browser.get(page).context["form"].initial | {"decision": "approve", "whole_group": "on"}

    editor_browser.post(page, form)

    assert {event.status for event in events()} == {"pending"}
    run_worker()
    form = editor_browser.get(page).context["form"].initial | {"decision": "approve", "whole_group": "on"}
    editor_browser.post(page, form)
    run_worker()
    assert {(event.title, event.status) for event in events()} == {("Casino", "publish")}


def test_background_task_leaves_events_that_were_published_meanwhile(half_done_pending):
    published = unchanged()
    Event.objects.filter(pk=published.pk).update(status="publish")

    run_worker()

    assert sorted(titles()) == ["Casino", "Casino", "Casino", "Choir"]
    published.refresh_from_db()
    assert published.title == "Choir"


def test_background_task_has_the_permissions_of_today(choir, editor_api, editor):
    save(editor_api, f"series/{choir}", title="Big choir")
    editor.groups.clear()

    run_worker()

    assert sorted(titles()) == ["Big choir", "Big choir", "Choir", "Choir"]
    assert Series.objects.get().outdated == []
