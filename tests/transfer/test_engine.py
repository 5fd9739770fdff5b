"""The engine of imports: repeated runs, edits here, rights, previews, absence, undo."""

from datetime import UTC, datetime

import pytest

from calendar_site.audit.models import Channel
from calendar_site.core.choices import Status
from calendar_site.transfer.imports.runs import decide, undo
from calendar_site.transfer.models import Absence, ImportRun, Place, RunState, SourceRecord
from events.choices import EventStatus
from events.models import Event
from events.services import save_event, trash_event
from organizers.models import Organizer
from taxonomy.models import Category
from tests.factories import CategoryFactory, EventFactory, VenueFactory
from tests.support.imports import ics_calendar, make_source, report_counts, report_lines, run_import, vevent
from venues.models import Venue

pytestmark = [pytest.mark.django_db, pytest.mark.time_machine("2030-05-04 12:00Z", tick=False)]

CHOIR = vevent("Choir", "20300510T190000Z", DESCRIPTION="All voices", CATEGORIES="Music", DURATION="PT2H")
FAIR = vevent("Fair", "20300511T080000Z", LOCATION="Market square")
PAST = vevent("Jumble sale", "20200511T080000Z")


@pytest.fixture
def calendar_source(editor):
    return make_source(editor)


@pytest.fixture
def read_calendar(calendar_source, tmp_path):
    """Return a function that imports a calendar of these components."""

    def run(*components, **options):
        return run_import(calendar_source, tmp_path, ics_calendar(*components), **options)

    return run


def test_first_run_creates_events_in_the_name_of_the_owner(read_calendar, editor):
    run = read_calendar(CHOIR, FAIR)

    assert report_counts(run) == {"created": 3, "note": 1}
    choir = Event.objects.get(title="Choir")
    assert (choir.author, choir.status, choir.uid) == (editor, Status.PUBLISH, "Choir")
    assert (choir.start, choir.end) == (
        datetime(2030, 5, 10, 19, tzinfo=UTC),
        datetime(2030, 5, 10, 21, tzinfo=UTC),
    )
    assert choir.description == "<p>All voices</p>"
    assert [category.name for category in choir.categories.all()] == ["Music"]
    revision = choir.history.get()
    assert (revision.history_channel, revision.history_username) == (Channel.IMPORT, editor.username)


def test_second_run_changes_nothing(read_calendar):
    read_calendar(CHOIR, FAIR)
    before = list(Event.objects.order_by("pk").values())

    run = read_calendar(CHOIR, FAIR)

    assert report_counts(run) == {"unchanged": 2}
    assert list(Event.objects.order_by("pk").values()) == before


def test_change_at_the_source_is_written_and_others_stay(read_calendar):
    read_calendar(CHOIR, FAIR)

    run = read_calendar(CHOIR.replace("All voices", "Men only"), FAIR)

    assert report_lines(run) == [("updated", "Choir", "description")]
    assert Event.objects.get(title="Choir").description == "<p>Men only</p>"


def test_field_that_was_edited_here_belongs_to_the_calendar(read_calendar, editor):
    read_calendar(CHOIR)
    event = Event.objects.get()
    save_event(event, changes={"description": "<p>Ours</p>"}, user=editor)

    run = read_calendar(CHOIR.replace("All voices", "Men only").replace("T190000Z", "T200000Z"))

    event.refresh_from_db()
    assert (event.description, event.start) == ("<p>Ours</p>", datetime(2030, 5, 10, 20, tzinfo=UTC))
    assert report_lines(run) == [("kept", "Choir", "description"), ("updated", "Choir", "end, start")]
    assert report_counts(read_calendar(CHOIR.replace("All voices", "Men only").replace("T190000Z", "T200000Z"))) == {
        "unchanged": 1
    }


def test_record_that_was_deleted_or_trashed_here_does_not_return(read_calendar, editor):
    read_calendar(CHOIR, FAIR)
    Event.objects.get(title="Choir").delete()
    trash_event(Event.objects.get(title="Fair"), user=editor)

    run = read_calendar(CHOIR.replace("All", "Some"), FAIR.replace("080000", "090000"))

    assert report_lines(run) == [
        ("skipped", "Choir", "It was deleted here."),
        ("skipped", "Fair", "It is in the trash here."),
    ]
    assert list(Event.objects.values_list("title", "status")) == [("Fair", Status.TRASH)]


def test_preview_says_the_same_as_the_run_and_writes_nothing(read_calendar):
    preview = read_calendar(CHOIR, FAIR, is_preview=True)

    said = report_lines(preview)
    assert (Event.objects.count(), Category.objects.count(), SourceRecord.objects.count()) == (0, 0, 0)
    assert report_lines(read_calendar(CHOIR, FAIR)) == said


def test_invalid_record_is_reported_and_does_not_stop_the_others(read_calendar):
    broken = vevent("Broken", "20301399T000000Z")
    long = vevent("x" * 300, "20300510T190000Z", DESCRIPTION="y" * 70_000)

    run = read_calendar(broken, long, vevent("", "20300510T190000Z", uid="untitled"), CHOIR)

    assert [entry[1:] for entry in report_lines(run, "rejected")] == [
        ("Broken", "DTSTART: “20301399T000000Z” is not a date."),
        ("x" * 300, "description: Must have at most 64000 characters."),
        ("", "It has no title."),
    ]
    first = run.entries.filter(outcome="rejected").first()
    assert (first.line, first.raw.splitlines()[0]) == (4, "BEGIN:VEVENT")
    assert list(Event.objects.values_list("title", flat=True)) == ["Choir"]


def test_equal_rejections_are_one_line_with_a_count(read_calendar):
    run = read_calendar(*(vevent("", "20300510T190000Z", uid=f"e{number}") for number in range(25)), CHOIR)

    assert list(run.entries.filter(outcome="rejected").values_list("reason", "count")) == [("It has no title.", 25)]


def test_rules_of_the_source_apply_to_new_events(calendar_source, read_calendar):
    calendar_source.category, calendar_source.venue = CategoryFactory(), VenueFactory(title="Town hall")
    calendar_source.new_status, calendar_source.skip_pattern = Status.DRAFT, "empty slot, *(rehearsal)"
    calendar_source.save()

    run = read_calendar(
        vevent("Empty slot 3", "20300510T190000Z"), vevent("Choir (rehearsal)", "20300510T190000Z"), FAIR, PAST
    )

    skipped = run.entries.get(outcome="skipped")
    assert (skipped.title, skipped.reason, skipped.count) == ("Empty slot 3", "The title is one to skip.", 2)
    assert list(Event.objects.order_by("title").values_list("title", "status", "venues__title")) == [
        ("Fair", Status.DRAFT, "Town hall"),
        ("Jumble sale", Status.DRAFT, "Town hall"),
    ]
    assert {event.categories.get() for event in Event.objects.all()} == {calendar_source.category}


def test_owner_without_the_right_imports_nothing(author, tmp_path):
    author.groups.clear()
    calendar_source = make_source(author)

    run = run_import(calendar_source, tmp_path, ics_calendar(CHOIR))

    assert report_lines(run) == [("rejected", "Choir", "The owner of the source may not do this.")]
    assert not Event.objects.exists()


def test_contributor_imports_only_what_a_reviewer_then_approves(tmp_path, contributor):
    calendar_source = make_source(contributor)

    run_import(calendar_source, tmp_path, ics_calendar(FAIR))

    assert Event.objects.get().status == Status.PENDING


def test_records_of_others_are_not_changed_for_an_author(author, editor, tmp_path):
    EventFactory(title="Fair", start="2030-05-11 08:00", author=editor, description="")

    run_import(make_source(author), tmp_path, ics_calendar(FAIR.replace("LOCATION", "DESCRIPTION")))

    assert list(Event.objects.order_by("pk").values_list("author", "description")) == [
        (editor.pk, ""),
        (author.pk, "<p>Market square</p>"),
    ]


def test_event_that_the_calendar_has_is_linked_and_keeps_its_values(read_calendar, editor):
    event = EventFactory(title="CHOIR", start="2030-05-10 19:00", description="<p>Ours</p>", author=editor)
    other = EventFactory(title="Choir", start="2030-05-10 18:00", author=editor)

    run = read_calendar(CHOIR.replace("CATEGORIES:Music", "URL:https://choir.example.org"))

    event.refresh_from_db()
    assert (event.title, event.description, event.website) == ("CHOIR", "<p>Ours</p>", "https://choir.example.org")
    assert report_lines(run) == [("joined", "Choir", "website")]
    assert set(Event.objects.all()) == {event, other}


def test_second_source_of_an_event_fills_in_what_the_first_does_not_have(read_calendar, editor, tmp_path):
    read_calendar(CHOIR)
    second = make_source(editor, name="Church")

    run = run_import(
        second,
        tmp_path,
        ics_calendar(
            vevent("Choir", "20300510T190000Z", uid="other", URL="https://church.example.org", DESCRIPTION="No")
        ),
    )

    event = Event.objects.get()
    assert (event.description, event.website) == ("<p>All voices</p>", "https://church.example.org")
    assert report_counts(run) == {"joined": 1}
    assert SourceRecord.objects.filter(kind="event", record_id=event.pk).count() == 2


# --- Places ------------------------------------------------------------------------------------------


def test_place_without_a_venue_is_kept_as_text_and_listed_once(read_calendar):
    run = read_calendar(FAIR, vevent("Concert", "20300512T080000Z", LOCATION="market  SQUARE"))

    assert [event.description for event in Event.objects.all()] == [
        "<p>Place: Market square</p>",
        "<p>Place: market SQUARE</p>",
    ]
    assert [place.text for place in Place.objects.all()] == ["Market square"]
    assert [entry[2] for entry in report_lines(run, "note")] == [
        "There is no venue “Market square”.",
        "There is no venue “market SQUARE”.",
    ]


@pytest.mark.parametrize(
    ("known", "note"),
    [
        ({"title": "market Square"}, []),
        ({"title": "Market squares"}, ["“Market square” is taken for “Market squares”."]),
        ({"title": "Somewhere", "address": "1 Main St"}, []),
    ],
)
def test_venue_of_a_place_is_found_by_its_name_or_a_similar_one(read_calendar, editor, known, note):
    venue = VenueFactory(author=editor, **known)

    run = read_calendar(FAIR)

    is_found = known["title"] != "Somewhere"
    assert list(Event.objects.get().venues.all()) == ([venue] if is_found else [])
    if is_found:
        assert [entry[2] for entry in report_lines(run, "note")] == note


def test_venue_of_a_place_is_found_by_its_address(read_calendar, editor):
    venue = VenueFactory(title="Town hall", address="1 Main St", author=editor)

    run = read_calendar(vevent("Fair", "20300511T080000Z", LOCATION=r"Room 3\, 1 Main St"))

    assert list(Event.objects.get().venues.all()) == [venue]
    assert report_lines(run, "note") == [("note", "Fair", "“Room 3, 1 Main St” is at the address of “Town hall”.")]


def test_chosen_venue_of_a_place_is_remembered(read_calendar, editor):
    read_calendar(FAIR)
    venue = VenueFactory(title="Somewhere else", author=editor)
    Place.objects.update(venue=venue)

    read_calendar(vevent("Concert", "20300512T080000Z", LOCATION="Market square"))

    concert = Event.objects.get(title="Concert")
    assert (list(concert.venues.all()), concert.description) == ([venue], "")


def test_venues_are_created_if_the_source_says_so(calendar_source, read_calendar):
    calendar_source.creates_venues = True
    calendar_source.save()

    read_calendar(FAIR, vevent("Concert", "20300512T080000Z", LOCATION="Market square"))

    assert [venue.title for venue in Venue.objects.all()] == ["Market square"]
    assert Event.objects.filter(venues__title="Market square").count() == 2


# --- Absence -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("absence", "status", "event_status"),
    [
        (Absence.KEEP, Status.PUBLISH, EventStatus.SCHEDULED),
        (Absence.CANCEL, Status.PUBLISH, EventStatus.CANCELLED),
        (Absence.TRASH, Status.TRASH, EventStatus.SCHEDULED),
    ],
)
def test_coming_event_that_vanishes_is_treated_as_the_source_says(
    calendar_source, read_calendar, absence, status, event_status
):
    calendar_source.absence = absence
    calendar_source.save()
    read_calendar(CHOIR, FAIR, PAST)

    run = read_calendar(CHOIR)

    fair, past = Event.objects.get(title="Fair"), Event.objects.get(title="Jumble sale")
    assert (fair.status, fair.event_status) == (status, event_status)
    # Events of the past are never touched.
    assert (past.status, past.event_status) == (Status.PUBLISH, EventStatus.SCHEDULED)
    assert run.state == RunState.FINISHED

    read_calendar(CHOIR, FAIR, PAST)

    fair.refresh_from_db()
    assert (fair.status, fair.event_status) == (Status.PUBLISH, EventStatus.SCHEDULED)


def test_status_that_was_edited_here_stays_when_the_event_vanishes(calendar_source, read_calendar, editor):
    calendar_source.absence = Absence.CANCEL
    calendar_source.save()
    read_calendar(CHOIR, FAIR)
    save_event(Event.objects.get(title="Fair"), changes={"event_status": EventStatus.POSTPONED}, user=editor)

    read_calendar(CHOIR)

    assert Event.objects.get(title="Fair").event_status == EventStatus.POSTPONED


@pytest.mark.parametrize("accept", [True, False])
def test_run_is_held_if_many_coming_events_vanish(calendar_source, read_calendar, accept):
    calendar_source.absence = Absence.TRASH
    calendar_source.save()
    events = [vevent(f"Event {number}", f"203006{number:02}T100000Z") for number in range(1, 13)]
    read_calendar(*events)

    run = read_calendar(*events[:6])

    assert run.state == RunState.HELD
    assert run.message == "6 upcoming events are not in the source any more. Decide what happens to them."
    assert not Event.objects.filter(status=Status.TRASH).exists()

    decide(run, accept=accept)

    assert ImportRun.objects.get(pk=run.pk).state == RunState.FINISHED
    assert Event.objects.filter(status=Status.TRASH).count() == (6 if accept else 0)


@pytest.mark.parametrize(
    "content",
    [
        "",
        ics_calendar(),
        ics_calendar(CHOIR).replace("END:VCALENDAR\r\n", ""),
        "<!DOCTYPE html><title>Sign in</title>",
        "BEGIN:VCALENDAR",
    ],
)
def test_empty_or_incomplete_answer_fails_and_touches_nothing(calendar_source, read_calendar, tmp_path, content):
    calendar_source.absence = Absence.TRASH
    calendar_source.save()
    read_calendar(CHOIR, FAIR)

    run = run_import(calendar_source, tmp_path, content)

    assert run.state == RunState.FAILED
    assert run.message
    assert not Event.objects.filter(status=Status.TRASH).exists()
    calendar_source.refresh_from_db()
    assert calendar_source.failures == 1


# --- Undo --------------------------------------------------------------------------------------------


def test_undo_deletes_what_the_run_created(read_calendar, editor):
    other = CategoryFactory(name="Other")
    run = read_calendar(
        CHOIR.replace("CATEGORIES:", "ORGANIZER;CN=Singers:mailto:a@b.example\r\nCATEGORIES:Other,"), FAIR
    )

    undo(run, editor)

    assert (Event.objects.count(), Organizer.objects.count(), SourceRecord.objects.count()) == (0, 0, 0)
    assert list(Category.objects.all()) == [other]
    assert ImportRun.objects.get(pk=run.pk).state == RunState.UNDONE
    assert report_counts(read_calendar(CHOIR, FAIR))["created"] == 3


def test_undo_gives_changed_events_their_former_values(calendar_source, read_calendar, editor):
    calendar_source.absence = Absence.CANCEL
    calendar_source.save()
    read_calendar(CHOIR, FAIR)
    run = read_calendar(CHOIR.replace("All voices", "Men only").replace("CATEGORIES:Music", "CATEGORIES:Song"))

    undo(run, editor)

    choir, fair = Event.objects.get(title="Choir"), Event.objects.get(title="Fair")
    assert choir.description == "<p>All voices</p>"
    assert [category.name for category in choir.categories.all()] == ["Music"]
    assert fair.event_status == EventStatus.SCHEDULED
    assert not Category.objects.filter(name="Song").exists()


def test_undo_keeps_what_was_edited_since(read_calendar, editor):
    read_calendar(CHOIR)
    run = read_calendar(CHOIR.replace("All voices", "Men only").replace("T190000Z", "T200000Z"), FAIR)
    save_event(Event.objects.get(title="Choir"), changes={"description": "<p>Ours</p>"}, user=editor)
    save_event(Event.objects.get(title="Fair"), changes={"excerpt": "<p>Ours</p>"}, user=editor)

    undo(run, editor)

    choir, fair = Event.objects.get(title="Choir"), Event.objects.get(title="Fair")
    assert (choir.description, choir.start) == ("<p>Ours</p>", datetime(2030, 5, 10, 19, tzinfo=UTC))
    assert (fair.status, fair.excerpt) == (Status.TRASH, "<p>Ours</p>")
    assert [reason for _outcome, title, reason in report_lines(run, "created") if title == "Fair"] == [
        "It was edited here since, and is in the trash."
    ]


def test_undo_of_another_user_changes_nothing_that_they_may_not_change(read_calendar, author):
    run = read_calendar(CHOIR)

    undo(run, author)

    assert Event.objects.get().title == "Choir"
    assert report_lines(run, "created")[-1][2] == "Could not be undone: you may not change this record."


def test_undone_source_is_not_read_by_itself_any_more(calendar_source, read_calendar, editor):
    calendar_source.url, calendar_source.interval_hours = "https://source.example.org/a.ics", 24
    calendar_source.save()
    run = read_calendar(CHOIR)
    calendar_source.refresh_from_db()
    assert calendar_source.next_run_at == datetime(2030, 5, 5, 12, tzinfo=UTC)

    undo(run, editor)

    calendar_source.refresh_from_db()
    assert (calendar_source.next_run_at, calendar_source.interval_hours) == (None, None)
