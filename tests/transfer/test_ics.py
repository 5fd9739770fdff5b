"""The reader of iCalendar files: real-world forms of dates, zones, recurrences and broken files."""

from datetime import UTC, datetime
from pathlib import Path

import icalendar
import pytest

from calendar_site.transfer.models import RunState, SourceRecord
from events.choices import AttendanceMode, EventStatus
from events.models import Event, Series
from tests.support.imports import (
    command_output,
    ics_calendar,
    make_source,
    report_counts,
    report_lines,
    run_import,
    vevent,
)

pytestmark = [pytest.mark.django_db, pytest.mark.time_machine("2030-05-04 12:00Z", tick=False)]

BERLIN_RULES = (
    "BEGIN:VTIMEZONE\r\nTZID:{}\r\n"
    "BEGIN:STANDARD\r\nDTSTART:16010101T030000\r\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10\r\n"
    "TZOFFSETFROM:+0200\r\nTZOFFSETTO:+0100\r\nEND:STANDARD\r\n"
    "BEGIN:DAYLIGHT\r\nDTSTART:16010101T020000\r\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3\r\n"
    "TZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\nEND:DAYLIGHT\r\nEND:VTIMEZONE\r\n"
)


@pytest.fixture
def read_ics(editor, tmp_path):
    """Return a function that imports a calendar of these components."""

    def run(*components, **options):
        return run_import(make_source(editor, **options), tmp_path, ics_calendar(*components))

    return run


def event_with(*lines):
    return "BEGIN:VEVENT\r\nUID:1\r\nSUMMARY:Choir\r\n" + "".join(f"{line}\r\n" for line in lines) + "END:VEVENT\r\n"


NEW_YORK = "America/New_York"


@pytest.mark.parametrize(
    ("lines", "start", "end", "zone", "all_day"),
    [
        (["DTSTART:20300510T190000Z"], "10 15:00:00", "10 15:00:00", NEW_YORK, ""),
        (["DTSTART:20300510T190000"], "10 19:00:00", "10 19:00:00", NEW_YORK, ""),
        (["DTSTART;TZID=Europe/Berlin:20300510T190000", "DURATION:PT90M"],
         "10 19:00:00", "10 20:30:00", "Europe/Berlin", ""),
        (["DTSTART;TZID=W. Europe Standard Time:20300510T190000"], "10 19:00:00", "10 19:00:00", "Europe/Berlin", ""),
        (["DTSTART;TZID=/mozilla.org/20050126_1/Europe/Rome:20300510T190000"],
         "10 19:00:00", "10 19:00:00", "Europe/Rome", ""),
        (['DTSTART;TZID="(UTC+01:00) Amsterdam, Berlin, Bern":20300510T190000'],
         "10 19:00:00", "10 19:00:00", "Europe/Amsterdam", ""),
        (["DTSTART;TZID=Nowhere:20300510T190000"], "10 19:00:00", "10 19:00:00", NEW_YORK, ""),
        (["DTSTART;VALUE=DATE:20300510", "DTEND;VALUE=DATE:20300512"],
         "10 00:00:00", "11 23:59:59", NEW_YORK, "all day"),
        (["DTSTART:20300510"], "10 00:00:00", "10 23:59:59", NEW_YORK, "all day"),
        (["DTSTART;VALUE=DATE:20300510T080000"], "10 00:00:00", "10 23:59:59", NEW_YORK, "all day"),
        (["DTSTART;VALUE=DATE:20300510", "DTEND;VALUE=DATE:20300510"],
         "10 00:00:00", "10 23:59:59", NEW_YORK, "all day"),
        (["DTSTART:20300510T190000", "DTEND:20300510T180000"], "10 19:00:00", "10 19:00:00", NEW_YORK, ""),
    ],
)  # fmt: skip
def test_dates_and_zones(read_ics, settings, lines, start, end, zone, all_day):
    settings.SITE_TIME_ZONE = NEW_YORK

    read_ics(event_with(*lines))

    event = Event.objects.get()
    assert (event.start_local, event.end_local) == (f"2030-05-{start}", f"2030-05-{end}")
    assert (event.time_zone, event.all_day) == (zone, bool(all_day))


def test_zone_that_the_file_describes_is_used_under_an_unknown_name(read_ics, settings):
    settings.SITE_TIME_ZONE = "UTC"

    read_ics(BERLIN_RULES.format("Our zone"), event_with("DTSTART;TZID=Our zone:20300710T190000"))

    assert Event.objects.get().start == datetime(2030, 7, 10, 17, tzinfo=UTC)


def test_zone_of_the_calendar_is_the_one_of_times_without_a_zone(read_ics):
    read_ics("X-WR-TIMEZONE:Europe/Berlin\r\n", event_with("DTSTART:20300510T190000"))

    event = Event.objects.get()
    assert (event.start, event.time_zone) == (datetime(2030, 5, 10, 17, tzinfo=UTC), "Europe/Berlin")


def test_times_are_read_in_the_zone_that_the_source_says(read_ics):
    # The digits of the local time, marked as UTC by mistake.
    read_ics(event_with("DTSTART:20300510T190000Z"), read_times_as="Europe/Berlin")

    assert Event.objects.get().start == datetime(2030, 5, 10, 17, tzinfo=UTC)


def test_properties(read_ics):
    read_ics(
        event_with(
            "DTSTART:20300510T190000Z",
            "DTEND:20300510T210000Z",
            "DESCRIPTION:First line\\nwith a\\, comma &amp; https://choir.exam",
            " ple.org",
            "URL:https://choir.example.org/may",
            "CATEGORIES:Music,Free\\, outside",
            "STATUS:CANCELLED",
            "ORGANIZER;CN=Town%20choir:mailto:info@choir.example.org",
            "LOCATION:https://meet.example.org/1",
        )
    )

    event = Event.objects.get()
    assert event.description == (
        '<p>First line<br>with a, comma &amp; <a href="https://choir.example.org" rel="noopener noreferrer">https://choir.example.org</a></p>'
    )
    assert (event.website, event.event_status) == ("https://choir.example.org/may", EventStatus.CANCELLED)
    assert {category.name for category in event.categories.all()} == {"Music", "Free, outside"}
    assert [(row.title, row.email) for row in event.organizers.all()] == [("Town choir", "")]
    assert (event.online_url, event.attendance_mode) == ("https://meet.example.org/1", AttendanceMode.ONLINE)
    assert not event.venues.exists()


def test_place_with_coordinates_becomes_a_venue(read_ics):
    read_ics(event_with("DTSTART:20300510T190000Z", "LOCATION:Old mill", "GEO:51.3;12.4"))

    venue = Event.objects.get().venues.get()
    assert (venue.title, venue.geo_lat, venue.geo_lng) == ("Old mill", 51.3, 12.4)


@pytest.mark.parametrize("kind", ["PRIVATE", "confidential"])
def test_private_events_are_skipped(read_ics, kind):
    run = read_ics(event_with("DTSTART:20300510T190000Z", f"CLASS:{kind}"))

    assert report_lines(run) == [("skipped", "Choir", "It is private.")]
    assert not Event.objects.exists()


def test_tentative_event_is_a_draft(read_ics):
    read_ics(event_with("DTSTART:20300510T190000Z", "STATUS:TENTATIVE"))

    assert Event.objects.get().status == "draft"


def test_invalid_url_is_left_out_with_a_note(read_ics):
    run = read_ics(event_with("DTSTART:20300510T190000Z", "URL:message:%3C1%3E"))

    assert Event.objects.get().website == ""
    assert report_lines(run, "note") == [
        ("note", "Choir", "The URL is left out, because it is not valid: message:%3C1%3E")
    ]


def test_broken_lines_and_components_do_not_stop_the_others(read_ics):
    run = read_ics(
        "BEGIN:VEVENT\r\nUID:2\r\nSUMMARY:Without an end\r\nDTSTART:20300511T100000Z\r\n",
        event_with("DTSTART:20300510T190000Z", "X-BROKEN;=;;:", "DESCRIPTION:A line", "that is not folded"),
        "BEGIN:VALARM\r\nEND:VALARM\r\n",
    )

    assert report_counts(run) == {"created": 2}
    assert Event.objects.get(title="Choir").description == "<p>A line<br>that is not folded</p>"


# --- Recurrence --------------------------------------------------------------------------------------


def test_recurring_event_becomes_a_series(read_ics):
    read_ics(
        event_with(
            "DTSTART;TZID=Europe/Berlin:20300507T190000",
            "DTEND;TZID=Europe/Berlin:20300507T210000",
            "RRULE:FREQ=WEEKLY;COUNT=4;BYDAY=TU",
            "EXDATE;VALUE=DATE:20300514",
            "RDATE;TZID=Europe/Berlin:20300515T190000",
        )
    )

    series = Series.objects.get()
    assert (series.rrule, series.time_zone) == ("FREQ=WEEKLY;COUNT=4;BYDAY=TU", "Europe/Berlin")
    assert list(Event.objects.order_by("start").values_list("start_local", flat=True)) == [
        "2030-05-07 19:00:00",
        "2030-05-15 19:00:00",
        "2030-05-21 19:00:00",
        "2030-05-28 19:00:00",
    ]


def test_start_that_the_rule_leaves_out_is_an_occurrence(read_ics):
    read_ics(event_with("DTSTART:20300506T190000Z", "RRULE:FREQ=WEEKLY;COUNT=2;BYDAY=TU"))

    assert list(Event.objects.order_by("start").values_list("start_local", flat=True)) == [
        "2030-05-06 19:00:00",
        "2030-05-07 19:00:00",
        "2030-05-14 19:00:00",
    ]


@pytest.mark.parametrize(
    "recurrence_id", ["RECURRENCE-ID:20300514T190000Z", "RECURRENCE-ID;VALUE=DATE:20300514",
                      "RECURRENCE-ID;TZID=Asia/Tokyo:20300515T040000"]
)  # fmt: skip
def test_changed_occurrence_deviates_from_its_series(read_ics, recurrence_id):
    weekly = event_with("DTSTART:20300507T190000Z", "RRULE:FREQ=WEEKLY;COUNT=3")
    changed = event_with("DTSTART:20300514T200000Z", recurrence_id).replace("SUMMARY:Choir", "SUMMARY:Concert")

    # The exception may stand before its series.
    run = read_ics(changed, weekly)

    assert report_counts(run) == {"created": 1, "updated": 1}
    assert list(Event.objects.order_by("start").values_list("title", "start_local")) == [
        ("Choir", "2030-05-07 19:00:00"),
        ("Concert", "2030-05-14 20:00:00"),
        ("Choir", "2030-05-21 19:00:00"),
    ]


def test_change_of_a_series_reaches_its_events_and_a_second_run_none(editor, tmp_path):
    source = make_source(editor)
    weekly = event_with("DTSTART:20300507T190000Z", "RRULE:FREQ=WEEKLY;COUNT=3", "DESCRIPTION:Old")
    run_import(source, tmp_path, ics_calendar(weekly))

    assert report_counts(run_import(source, tmp_path, ics_calendar(weekly))) == {"unchanged": 1}

    run = run_import(source, tmp_path, ics_calendar(weekly.replace("Old", "New")))

    assert report_lines(run) == [("updated", "Choir", "description")]
    assert set(Event.objects.values_list("description", flat=True)) == {"<p>New</p>"}


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["RRULE:FREQ=SECONDLY"], "Not a valid recurrence rule: “FREQ=SECONDLY”."),
        (["RRULE:FREQ=DAILY;COUNT=1000000000"], "Not a valid recurrence rule: “COUNT=1000000000”."),
        (["RRULE:FREQ=DAILY", "EXDATE:" + ",".join(["20300510T190000Z"] * 5000)], "EXDATE has more than 1000 dates."),
        (["RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"], "No day ever matches the recurrence rule"),
        (["RRULE:FREQ=DAILY", "RRULE:FREQ=WEEKLY"], "It has more than one recurrence rule."),
    ],
)
def test_expensive_or_impossible_recurrences_are_rejected_at_once(read_ics, lines, reason):
    run = read_ics(event_with("DTSTART:20300510T190000Z", *lines))

    assert report_lines(run)[0][2].startswith(reason)
    assert not Event.objects.exists()


# --- Identifiers -------------------------------------------------------------------------------------


def test_identifiers_that_change_at_every_reading_create_no_event_twice(editor, tmp_path):
    source = make_source(editor)
    days = range(10, 20)
    run_import(
        source, tmp_path, ics_calendar(*(vevent(f"Event {day}", f"203005{day}T100000Z", uid=f"a{day}") for day in days))
    )

    run = run_import(
        source,
        tmp_path,
        ics_calendar(
            *(vevent(f"Event {day}", f"203005{day}T100000Z", uid=f"b{day}", DESCRIPTION="New") for day in days)
        ),
    )

    assert report_counts(run) == {"updated": 10}
    assert Event.objects.count() == 10
    assert set(SourceRecord.objects.values_list("key", flat=True)) == {f"b{day}" for day in days}


def test_same_identifier_twice_is_one_event(read_ics):
    run = read_ics(event_with("DTSTART:20300510T190000Z"), event_with("DTSTART:20300510T200000Z"))

    assert report_counts(run) == {"created": 1, "updated": 1}
    assert Event.objects.get().start_local == "2030-05-10 20:00:00"


# --- Files -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_encodings(editor, tmp_path, encoding):
    content = ics_calendar(event_with("DTSTART:20300510T190000Z", "DESCRIPTION:Café “Mühle”"))

    run_import(make_source(editor), tmp_path, content.encode(encoding))

    assert Event.objects.get().description == "<p>Café “Mühle”</p>"


CORPUS = sorted(Path(icalendar.__file__).parent.rglob("*.ics"))


def test_no_calendar_of_the_library_raises(editor, tmp_path):
    assert len(CORPUS) > 100
    states = {}
    for path in CORPUS:
        run = run_import(make_source(editor, name=path.name), tmp_path, path.read_bytes(), is_preview=True)
        states[path.name] = run.state

    assert set(states.values()) == {RunState.FINISHED, RunState.FAILED}
    assert sum(state == RunState.FINISHED for state in states.values()) > 80


# --- The command -------------------------------------------------------------------------------------


def test_command_reports_and_repeats(admin_user, tmp_path, capsys):
    path = tmp_path / "town.ics"
    path.write_text(ics_calendar(event_with("DTSTART:20300510T190000Z"), vevent("Broken", "x")))

    rejected = "rejected: event “Broken” (line 9): DTSTART: “x” is not a date."
    assert command_output(capsys, "import_ics", str(path), dry_run=True) == [
        "created: event “Choir” (line 4): Friday 10 May 2030, 19:00",
        rejected,
        "Would import: 1 created, 1 rejected.",
    ]
    assert command_output(capsys, "import_ics", str(path))[0] == rejected
    assert command_output(capsys, "import_ics", str(path))[1].endswith(": 1 unchanged, 1 rejected.")
    assert Event.objects.get().author == admin_user
