"""Undoing that venues or organizers were moved to the trash or merged: they have their events again."""

from datetime import timedelta

import pytest
from django.utils import timezone

from calendar_site.revisions.diff import side_effects
from events.models import Event, Series
from tests.factories import EventFactory, SeriesFactory, VenueFactory
from tests.support.admin import browser_for, run_action, undo, undo_url
from tests.support.api_client import API
from tests.support.content_kinds import ORGANIZER, VENUE
from tests.support.history import last_revision
from tests.support.records import save_as, venue_titles

pytestmark = pytest.mark.django_db

LINKED_KINDS = pytest.mark.parametrize("linked_kind", [VENUE, ORGANIZER], ids=str)
VENUES = "/admin/venues/venue/"
CHANGED = "They were changed or deleted in the meantime, or you may not change them."


def titles_of(row):
    return sorted(row.events.values_list("title", flat=True))


@LINKED_KINDS
def test_records_from_the_trash_have_their_events_again(linked_kind, editor_browser, editor):
    name, factory, path = linked_kind
    hall, other = factory(title="Hall"), factory(title="Other")
    for title in ("First", "Second", "Deleted", "Again"):
        EventFactory(title=title, **{f"{name}s": [hall]})
    EventFactory(title="Elsewhere", **{f"{name}s": [other]})
    before = list(Event.history.values_list("history_id", flat=True))
    response = run_action(editor_browser, path, "move_to_trash", [hall])
    Event.objects.get(title="Deleted").delete()
    getattr(Event.objects.get(title="Again"), f"{name}s").add(hall)

    texts = undo(editor_browser, response)

    assert texts == [
        "Undone: Hall.",
        "2 events are linked again.",
        f"2 events are not linked again. {CHANGED}",
    ]
    assert (titles_of(hall), titles_of(other)) == (["Again", "First", "Second"], ["Elsewhere"])
    hall.refresh_from_db()
    assert (hall.status, last_revision(hall).history_kind) == ("publish", "restored")
    relinked = Event.objects.filter(title__in=["First", "Second"]).order_by("pk").values_list("pk", flat=True)
    assert last_revision(hall).history_extra == {"relinked_events": list(relinked)}
    # As when the links were removed, only the history of the record tells it.
    assert list(Event.history.values_list("history_id", flat=True)) == before


def test_history_names_the_events_that_are_linked_again(editor_browser, editor):
    hall = VenueFactory(title="Hall")
    EventFactory(title="Concert", venues=[hall])
    undo(editor_browser, run_action(editor_browser, VENUES, "move_to_trash", [hall]))

    shown = side_effects(last_revision(hall), editor)
    assert [tuple(effect) for effect in shown] == [("Linked to these events again", "Concert")]


def test_venues_are_linked_again_in_their_places(editor_browser, editor_api):
    rows = {title: VenueFactory(title=title) for title in ("A", "B", "C")}
    event = EventFactory(venues=[rows["B"], rows["A"], rows["C"]])
    changed = EventFactory(venues=[rows["A"]])
    response = run_action(editor_browser, VENUES, "move_to_trash", [rows["A"], rows["B"]])
    changed.venues.add(rows["C"])
    path = f"{API}/events/{event.pk}"
    assert editor_api.get(path).json()["venue"]["venue"] == "C"

    texts = undo(editor_browser, response)

    assert sorted(texts) == ["3 events are linked again.", "Undone: B, A."]
    assert venue_titles(event) == ["B", "A", "C"]
    assert sorted(venue_titles(changed)) == ["A", "C"]
    assert [venue["venue"] for venue in editor_api.get(path).json()["venue"]] == ["B", "A", "C"]


def test_events_that_the_user_may_not_change_are_not_linked_again(author, author_browser):
    hall = VenueFactory(title="Hall", author=author)
    EventFactory(title="Own", author=author, venues=[hall])
    EventFactory(title="Other", venues=[hall])

    texts = undo(author_browser, run_action(author_browser, VENUES, "move_to_trash", [hall]))

    assert texts == [
        "Undone: Hall.",
        "1 event is linked again.",
        "1 event is not linked again. It was changed or deleted in the meantime, or you may not change it.",
    ]
    assert titles_of(hall) == ["Own"]


def test_records_of_others_are_not_undone(editor_browser, administrator):
    hall = VenueFactory()
    EventFactory(venues=[hall])
    url = undo_url(run_action(editor_browser, VENUES, "move_to_trash", [hall]))

    browser_for(administrator).post(url)

    hall.refresh_from_db()
    assert (hall.status, titles_of(hall)) == ("trash", [])


@LINKED_KINDS
def test_events_that_are_full_by_now_are_not_linked_again(linked_kind, editor_browser, monkeypatch):
    name, factory, path = linked_kind
    monkeypatch.setattr(Event, f"MAX_{name.upper()}S", 2)
    kept, hall, barn, attic = (factory(title=title) for title in ("Kept", "Hall", "Barn", "Attic"))
    EventFactory(title="Replaced", **{f"{name}s": [hall, barn]})
    EventFactory(title="Room", **{f"{name}s": [hall, kept]})
    full = EventFactory(title="Full", **{f"{name}s": [kept, hall]})
    response = run_action(editor_browser, path, "merge", [kept, hall], kept=kept.pk)
    getattr(full, f"{name}s").add(attic)

    texts = undo(editor_browser, response)

    assert sorted(texts) == [
        "1 event is not linked again. It was changed or deleted in the meantime, or you may not change it.",
        "2 events are linked again.",
        "Undone: Hall, Kept.",
    ]
    assert {row.title: titles_of(row) for row in (kept, hall, barn, attic)} == {
        "Kept": ["Full", "Room"], "Hall": ["Replaced", "Room"], "Barn": ["Replaced"], "Attic": ["Full"],
    }  # fmt: skip


@pytest.mark.parametrize("count", [1, 40])
def test_undo_costs_the_same_however_many_events_there_are(editor_browser, count, django_assert_max_num_queries):
    hall = VenueFactory()
    EventFactory.create_batch(count, venues=[hall])
    url = undo_url(run_action(editor_browser, VENUES, "move_to_trash", [hall]))

    with django_assert_max_num_queries(40):
        editor_browser.post(url)

    assert hall.events.count() == count


# --- Merging


@LINKED_KINDS
def test_a_merge_is_undone(linked_kind, editor_browser):
    name, factory, path = linked_kind
    kept, other, third = (factory(title=title) for title in ("Hall", "The hall", "Third"))
    filled = factory(title="Filled", phone="123")
    links = f"{name}s"
    EventFactory(title="Of kept", **{links: [kept]})
    EventFactory(title="Of other", **{links: [third, other]})
    EventFactory(title="Of both", **{links: [filled, other, kept]})
    EventFactory(title="Of two", **{links: [other, filled]})

    def links_of_events():
        return {event.title: [row.title for row in ordered_links(event, name)] for event in Event.objects.all()}

    before = links_of_events()
    response = run_action(editor_browser, path, "merge", [kept, other, filled], kept=kept.pk)
    merged = links_of_events()

    texts = undo(editor_browser, response)

    assert merged == {
        "Of kept": ["Hall"], "Of other": ["Third", "Hall"], "Of both": ["Hall"], "Of two": ["Hall"],
    }  # fmt: skip
    assert sorted(texts) == ["5 events are linked again.", "Undone: Filled, The hall, Hall."]
    assert links_of_events() == before
    rows = type(kept).objects.order_by("pk").values_list("title", "status", "phone")
    assert list(rows) == [
        ("Hall", "publish", ""),
        ("The hall", "publish", ""),
        ("Third", "publish", ""),
        ("Filled", "publish", "123"),
    ]


def ordered_links(event, name):
    links = getattr(event, f"event{name}_set").order_by("position", "pk")
    return [getattr(link, name) for link in links]


def test_undoing_a_merge_keeps_what_others_have_changed(editor_browser, administrator):
    kept, other = VenueFactory(title="Hall"), VenueFactory(title="The hall", phone="123")
    restored = VenueFactory(title="Taken back")
    moved, of_restored = EventFactory(venues=[other]), EventFactory(venues=[restored])
    changed = EventFactory(venues=[other])
    new = EventFactory(venues=[kept])
    elsewhere = VenueFactory(title="Elsewhere")
    response = run_action(editor_browser, VENUES, "merge", [kept, other, restored], kept=kept.pk)
    save_as(administrator, kept, city="Graz")
    save_as(administrator, restored, status="draft")
    save_as(administrator, changed, venues=[elsewhere])

    texts = undo(editor_browser, response)

    assert sorted(texts) == [
        "1 event is linked again.",
        "1 event is not linked again. It was changed or deleted in the meantime, or you may not change it.",
        "Could not be undone (changed in the meantime): Taken back, Hall.",
        "Undone: The hall.",
    ]
    kept.refresh_from_db()
    assert (kept.city, kept.phone) == ("Graz", "123")
    assert [venue_titles(event) for event in (moved, of_restored, changed, new)] == [
        ["The hall"],
        ["Hall"],
        ["Elsewhere"],
        ["Hall"],
    ]


def test_an_old_merge_is_not_undone(editor_browser, time_machine):
    kept, other = VenueFactory(title="Hall"), VenueFactory(title="The hall")
    event = EventFactory(venues=[other])
    url = undo_url(run_action(editor_browser, VENUES, "merge", [kept, other], kept=kept.pk))
    time_machine.move_to(timezone.now() + timedelta(minutes=61))

    editor_browser.post(url)

    assert venue_titles(event) == ["Hall"]


def test_series_have_the_restored_record_again(editor_browser):
    kept, hall, barn = (VenueFactory(title=title) for title in ("Kept", "Hall", "Barn"))
    series = SeriesFactory(start="2030-05-04 18:00", end="2030-05-04 20:00", rrule="FREQ=WEEKLY;COUNT=2", venues=[hall])
    other = SeriesFactory(start="2030-05-04 18:00", end="2030-05-04 20:00", rrule="FREQ=WEEKLY;COUNT=2", venues=[kept])
    response = run_action(editor_browser, VENUES, "merge", [kept, hall, barn], kept=kept.pk)

    def venues_of_templates():
        rows = []
        for row in (series, other):
            row.refresh_from_db()
            rows.append(row.template["relations"]["venues"])
        return rows

    assert venues_of_templates() == [[kept.pk], [kept.pk]]

    undo(editor_browser, response)

    assert venues_of_templates() == [[hall.pk], [kept.pk]]
    assert [venue_titles(event) for event in series.events.all()] == [["Hall"], ["Hall"]]


@pytest.mark.parametrize("count", [1, 20])
def test_undo_of_a_merge_reads_the_history_of_all_series_at_once(editor_browser, count, django_assert_max_num_queries):
    dates = {"start": "2030-05-04 18:00", "end": "2030-05-04 20:00", "rrule": "FREQ=WEEKLY;COUNT=1"}
    kept, hall = VenueFactory(title="Kept"), VenueFactory(title="Hall")
    for _number in range(count):
        SeriesFactory(**dates, venues=[kept])
    moved = SeriesFactory(**dates, venues=[hall])
    url = undo_url(run_action(editor_browser, VENUES, "merge", [kept, hall], kept=kept.pk))

    with django_assert_max_num_queries(60):
        editor_browser.post(url)

    found = Series.objects.order_by("pk").values_list("template__relations__venues", flat=True)
    assert list(found) == [[kept.pk]] * count + [[hall.pk]]
    assert moved.events.get().venues.get() == hall
