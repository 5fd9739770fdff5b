"""Undoing a change of several events of a series from its message, and restoring a series from its history."""

import pytest

from events.models import Event, Series
from events.series import trashing
from tests.factories import SeriesFactory, TagFactory, VenueFactory
from tests.support.admin import browser_for, messages_in, submit_form
from tests.support.background_tasks import run_worker

pytestmark = pytest.mark.django_db

DATES = ["2027-03-16 19:00:00", "2027-03-23 19:00:00", "2027-03-30 19:00:00", "2027-04-06 19:00:00"]
LIST = "/admin/events/series/"


@pytest.fixture(autouse=True)
def _today(time_machine):
    time_machine.move_to("2027-03-10 12:00", tick=False)


@pytest.fixture
def choir_series():
    return SeriesFactory(
        title="Choir",
        start="2027-03-16 19:00",
        end="2027-03-16 21:00",
        time_zone="Europe/Rome",
        rrule="FREQ=WEEKLY;COUNT=4;BYDAY=TU",
    )


def events_of(series):
    return list(Event.objects.filter(series=series).order_by("series_occurrence"))


def columns():
    """The events outside the trash, by their ids."""
    events = Event.objects.not_trashed().order_by("pk")
    return list(events.values("pk", "title", "status", "start_local", "end_local", "series", "series_occurrence"))


def schedules():
    names = ("pk", "title", "rrule", "rdate", "exdate", "start_local", "end_local", "status")
    return list(Series.objects.order_by("pk").values(*names))


def undo_urls(response):
    # Not those of earlier requests, which no page has shown yet.
    tags = [message.extra_tags for message in response.wsgi_request._messages._queued_messages if message.extra_tags]
    return [tag.removeprefix("undo-") for tag in tags]


def save(browser, event, **changes):
    return submit_form(browser, f"/admin/events/event/{event.pk}/change/", **changes)


def trash(browser, event, scope):
    return browser.post(f"/admin/events/event/{event.pk}/trash/", {"scope": scope})


@pytest.mark.parametrize(("position", "scope"), [(1, "all"), (1, "following"), (0, "following"), (3, "following")])
def test_change_of_several_events_is_undone(editor_browser, choir_series, position, scope):
    own = events_of(choir_series)[2]
    save(editor_browser, own, title="Concert")
    before, series = columns(), schedules()
    venue = VenueFactory()

    response = save(
        editor_browser,
        events_of(choir_series)[position],
        title="Big choir",
        start=f"{DATES[position][:10]}T20:00",
        end=f"{DATES[position][:10]}T22:30",
        ordered_venues=[venue.pk],
        sold_out="on",
        scope=scope,
    )
    changed = columns()
    (url,) = undo_urls(response)
    undone = editor_browser.post(url)

    assert [row["title"] for row in changed].count("Big choir") >= 1
    assert undone.url == f"{LIST}{choir_series.pk}/change/"
    assert messages_in(undone)[-1] == "Undone: Choir."
    assert (columns(), schedules()) == (before, series)
    assert not Event.objects.filter(venues=venue).exists()
    assert not Event.objects.filter(sold_out=True).exists()


@pytest.mark.parametrize(("position", "scope"), [(2, "all"), (1, "following"), (0, "following")])
def test_moving_several_events_to_the_trash_is_undone(editor_browser, choir_series, position, scope):
    save(editor_browser, events_of(choir_series)[2], title="Concert", status="private")
    before, series = columns(), schedules()

    response = trash(editor_browser, events_of(choir_series)[position], scope)
    left = len(columns())
    (url,) = undo_urls(response)
    editor_browser.post(url)

    assert left == (0 if scope == "all" else position)
    assert (columns(), schedules()) == (before, series)
    # The series goes on as before.
    save(editor_browser, events_of(choir_series)[0], title="Big choir", scope="all")
    assert [event.title for event in events_of(choir_series)] == ["Big choir", "Big choir", "Concert", "Big choir"]


@pytest.mark.parametrize(("last_day", "count"), [("2027-03-23", 2), ("2027-04-30", 7)])
def test_ending_and_extending_a_series_is_undone(editor_browser, choir_series, last_day, count):
    save(editor_browser, events_of(choir_series)[3], title="Concert", status="private")
    before, series = columns(), schedules()

    response = editor_browser.post(f"{LIST}{choir_series.pk}/end/", {"last_day": last_day})
    changed = len(columns())
    (url,) = undo_urls(response)
    editor_browser.post(url)

    assert changed == count
    assert (columns(), schedules()) == (before, series)


def test_splitting_a_series_is_undone(editor_browser, choir_series):
    save(editor_browser, events_of(choir_series)[3], title="Concert", status="private")
    before, series = columns(), schedules()

    response = editor_browser.post(f"{LIST}{choir_series.pk}/split/", {"occurrence": DATES[2]})
    split = len(schedules())
    (url,) = undo_urls(response)
    editor_browser.post(url)

    assert split == 2
    assert (columns(), schedules()) == (before, series)


def test_undoing_a_split_keeps_events_beyond_the_horizon(editor_browser, settings):
    settings.SERIES_HORIZON_DAYS = 20
    dates = {"start": "2027-03-16 19:00", "end": "2027-03-16 21:00", "time_zone": "Europe/Rome"}
    series = SeriesFactory(**dates, rrule="FREQ=WEEKLY")
    before = [event.start_local for event in events_of(series)]

    response = editor_browser.post(f"{LIST}{series.pk}/split/", {"occurrence": DATES[2]})
    (url,) = undo_urls(response)
    editor_browser.post(url)

    assert before == DATES[:3]
    # The new series, which began later, has created further events.
    assert [event.start_local for event in events_of(series)] == [*DATES, "2027-04-13 19:00:00"]
    assert not Event.objects.filter(status="trash").exists()


@pytest.mark.parametrize("last_day", ["2027-03-16", "2027-06-30"])
def test_ending_in_the_background_offers_no_undo(editor_browser, choir_series, monkeypatch, last_day):
    for module in ("events.series.propagation", "events.admin.series.actions"):
        monkeypatch.setattr(f"{module}.MAX_TRASHED_AT_ONCE", 1)
    monkeypatch.setattr("events.series.services.MAX_CREATED_AT_ONCE", 1)

    response = editor_browser.post(f"{LIST}{choir_series.pk}/end/", {"last_day": last_day})

    assert undo_urls(response) == []


def test_change_is_not_undone_after_another_one(editor_browser, choir_series):
    (url,) = undo_urls(save(editor_browser, events_of(choir_series)[0], title="Big choir", scope="all"))
    submit_form(editor_browser, f"{LIST}{choir_series.pk}/change/", title="Bigger choir")

    undone = editor_browser.post(url)

    assert messages_in(undone)[-1] == "Could not be undone, because the series was changed in the meantime."
    assert {event.title for event in events_of(choir_series)} == {"Bigger choir"}


def test_change_is_undone_once_and_for_an_hour(editor_browser, choir_series, time_machine):
    (url,) = undo_urls(save(editor_browser, events_of(choir_series)[0], title="Big choir", scope="all"))
    time_machine.move_to("2027-03-10 13:01", tick=False)

    assert messages_in(editor_browser.post(url))[-1] == "There is nothing to undo."
    assert {event.title for event in events_of(choir_series)} == {"Big choir"}


@pytest.mark.parametrize("scope", ["all", "following"])
def test_nobody_undoes_the_changes_of_others(editor_browser, author, administrator, choir_series, scope):
    response = save(editor_browser, events_of(choir_series)[1], title="Big choir", scope=scope)
    (url,) = undo_urls(response)
    before = columns()

    for user in (author, administrator):
        assert messages_in(browser_for(user).post(url))[-1] == "There is nothing to undo."

    assert columns() == before


def test_undoing_needs_permission_for_all_events(author, editor, choir_series):
    Series.objects.update(author=author)
    Event.objects.update(author=author)
    browser = browser_for(author)
    (url,) = undo_urls(save(browser, events_of(choir_series)[0], title="Big choir", scope="all"))
    Event.objects.filter(pk=events_of(choir_series)[1].pk).update(author=editor)

    assert browser.post(url).status_code == 403
    assert {event.title for event in events_of(choir_series)} == {"Big choir"}


@pytest.mark.parametrize(
    ("query", "status"), [("", 404), ("?request=%00", 404), ("?request=unknown-request&event=x", 302)]
)
def test_requests_to_undo_are_checked(editor_browser, subscriber, query, status):
    assert editor_browser.post(f"{LIST}undo/{query}").status_code == status
    assert editor_browser.get(f"{LIST}undo/{query}").status_code == 405


def test_trashing_in_the_background_offers_no_undo(editor_browser, choir_series, monkeypatch):
    from events.admin.series import event_actions

    for module in (trashing, event_actions):
        monkeypatch.setattr(module, "MAX_TRASHED_AT_ONCE", 2)

    response = trash(editor_browser, events_of(choir_series)[1], "following")
    at_once = len(columns())
    run_worker()

    assert (undo_urls(response), messages_in(response)) == (
        [],
        [
            "3 events of the series were moved to the trash.",
            "The others follow in the background, within about a minute.",
        ],
    )
    assert (at_once, [row["start_local"] for row in columns()]) == (2, DATES[:1])


# --- History -------------------------------------------------------------------------------------


def test_history_shows_the_fields_of_the_events(editor_browser, choir_series):
    venue, tag = VenueFactory(title="Town hall"), TagFactory(name="Song")
    event = events_of(choir_series)[0]
    save(
        editor_browser,
        event,
        ordered_venues=[venue.pk],
        tags=[tag.pk],
        cost="5 €",
        description="<p>Everybody can join.</p>",
        start="2027-03-16T20:00",
        scope="all",
    )
    newest = Series.history.filter(id=choir_series.pk).latest("history_id")

    page = editor_browser.get(f"{LIST}{choir_series.pk}/history/compare/?state={newest.pk}")
    listed = editor_browser.get(f"{LIST}{choir_series.pk}/history/").content.decode()

    assert [(difference.label, difference.before, difference.after) for difference in page.context["differences"]] == [
        ("First event starts", "16 Mar 2027, 19:00", "16 Mar 2027, 20:00"),
        ("Cost", "", "5€"),
        ("Description", "", "Everybody can join."),
        ("Tags", "", "Song"),
        ("Venues", "", "Town hall"),
    ]
    assert "Fields of the events" in listed
    assert page.context["can_restore"]


def test_history_hides_venues_that_the_reader_may_not_see(author, choir_series):
    Series.objects.update(author=author)
    Event.objects.update(author=author)
    hidden = VenueFactory(title="Secret hall", status="private")
    series = Series.objects.get()
    template = {**series.template, "relations": {**series.template["relations"], "venues": [hidden.pk]}}
    Series.history.filter(id=choir_series.pk).update(template=template)
    revision = Series.history.get(id=choir_series.pk)

    page = browser_for(author).get(f"{LIST}{choir_series.pk}/history/compare/?state={revision.pk}")

    assert "1 not visible to you" in page.content.decode()
    assert "Secret hall" not in page.content.decode()


def test_revision_of_a_series_is_restored_with_its_events(editor_browser, choir_series):
    before = columns()
    first = Series.history.get(id=choir_series.pk)
    venue = VenueFactory()
    event = events_of(choir_series)[0]
    save(editor_browser, event, title="Big choir", ordered_venues=[venue.pk], start="2027-03-16T18:00", scope="all")
    url = f"{LIST}{choir_series.pk}/history/{first.pk}/"
    page = editor_browser.get(url)

    response = editor_browser.post(url, {"newest": page.context["newest"]})

    assert [difference.label for difference in page.context["differences"]] == [
        "Title", "First event starts", "Venues"
    ]  # fmt: skip
    assert (page.context["errors"], page.context["left_out"]) == ([], [])
    assert response.url == f"{LIST}{choir_series.pk}/change/"
    assert columns() == before
    assert not Event.objects.filter(venues=venue).exists()


def test_restoring_does_not_create_detached_events_again(editor_browser, choir_series):
    first = Series.history.get(id=choir_series.pk)
    detached = events_of(choir_series)[1]
    editor_browser.post(f"/admin/events/event/{detached.pk}/detach/")
    save(editor_browser, events_of(choir_series)[0], start="2027-03-16T18:00", scope="all")
    url = f"{LIST}{choir_series.pk}/history/{first.pk}/"

    editor_browser.post(url, {"newest": editor_browser.get(url).context["newest"]})

    assert [event.start_local for event in events_of(choir_series)] == [DATES[0], *DATES[2:]]
    assert Event.objects.count() == 4


def test_restoring_needs_permission_for_all_events(author, choir_series):
    Series.objects.update(author=author)
    Event.objects.filter(pk__in=[event.pk for event in events_of(choir_series)[1:]]).update(author=author)
    revision = Series.history.get(id=choir_series.pk)

    assert browser_for(author).post(f"{LIST}{choir_series.pk}/history/{revision.pk}/").status_code == 403


# --- Passwords and roles of today ----------------------------------------------------------------


@pytest.fixture
def protected_series():
    return SeriesFactory(
        title="Secret choir",
        start="2027-03-16 19:00",
        end="2027-03-16 21:00",
        time_zone="Europe/Rome",
        rrule="FREQ=WEEKLY;COUNT=4;BYDAY=TU",
        password="secret",
        description="Protected",
    )


def test_deleted_series_comes_back_with_its_password(editor_browser, protected_series):
    response = trash(editor_browser, events_of(protected_series)[0], "all")

    editor_browser.post(undo_urls(response)[0])

    assert Series.objects.get().password == "secret"


@pytest.mark.parametrize("position", [0, 2])
def test_series_is_not_recreated_if_its_password_is_not_known(editor_browser, protected_series, position):
    save(editor_browser, events_of(protected_series)[position], password="")

    response = trash(editor_browser, events_of(protected_series)[1], "all")
    undone = editor_browser.post(undo_urls(response)[0], follow=True)

    assert messages_in(undone)[-1] == (
        "Could not be undone, because the password of the series is not stored, and its events do not have the same "
        "one."
    )
    assert not Series.objects.exists()
    assert {event.status for event in Event.objects.all()} == {"trash"}


def test_series_that_was_deleted_without_its_events_is_not_recreated(editor_api, editor_browser, protected_series):
    response = editor_api.delete(f"/cal/events/v1/series/{protected_series.pk}")

    undone = editor_browser.post(f"{LIST}undo/?request={response['X-Request-ID']}", follow=True)

    assert messages_in(undone)[-1] == (
        "Could not be undone, because the events of the series were not moved to the trash with it."
    )
    assert not Series.objects.exists()


def test_undoing_has_the_permissions_of_today(editor, editor_browser, contributor):
    series = SeriesFactory(start="2027-03-16 19:00", end="2027-03-16 21:00", rrule="FREQ=WEEKLY;COUNT=4", author=editor)
    response = trash(editor_browser, events_of(series)[0], "all")
    editor.groups.set(contributor.groups.all())

    editor_browser.post(undo_urls(response)[0])

    assert Series.objects.get().status == "pending"
    assert [event.status for event in events_of(series)] == ["pending"] * 4


def test_restoring_an_event_without_its_former_password_makes_it_a_draft(editor_browser, protected_series):
    event = events_of(protected_series)[0]
    revision = event.history.latest("history_id")
    save(editor_browser, event, password="", description="Public")

    page = f"/admin/events/event/{event.pk}/history/{revision.history_id}/"
    editor_browser.post(page, {"newest": editor_browser.get(page).context["newest"]})

    event.refresh_from_db()
    assert (event.description, event.password, event.status) == ("<p>Protected</p>", "", "draft")


def test_undoing_the_removal_of_a_password_makes_the_series_a_draft(editor_browser, protected_series):
    event = events_of(protected_series)[0]
    response = save(editor_browser, event, password="", description="Public", scope="all")

    editor_browser.post(undo_urls(response)[0])

    assert {(event.description, event.status) for event in events_of(protected_series)} == {
        ("<p>Protected</p>", "draft")
    }
