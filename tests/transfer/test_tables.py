"""Importing tables: CSV files, Excel workbooks and Google Sheets."""

import csv
import io
import os
from datetime import date, datetime, time
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from django.core.management import CommandError
from openpyxl import Workbook

from calendar_site.transfer.models import RunState
from calendar_site.transfer.readers.fetching import csv_address
from events.models import Event
from organizers.models import Organizer
from tests.support.imports import command_output, make_source, report_counts, report_lines, run_import
from venues.models import Venue

pytestmark = [pytest.mark.django_db, pytest.mark.time_machine("2030-05-04 12:00Z", tick=False)]

RECORDED = Path(os.environ.get("REAL_DATA", "../shared/data")) / "source-site"


@pytest.fixture
def table_source(editor):
    return make_source(editor, kind="table")


@pytest.fixture
def read_table(table_source, tmp_path):
    """Return a function that imports a file with this content."""

    def run(content, **options):
        return run_import(table_source, tmp_path, content, **options)

    return run


def times():
    return list(Event.objects.order_by("start").values_list("title", "start_local", "end_local", "all_day"))


def test_all_columns(read_table, editor):
    read_table(
        "Title,Start date,Start time,End time,Venue,Address,City,Organizers,Categories,Tags,Cost,Website,Description,"
        "Status,Featured\n"
        '"Chess, and tea",2030-06-01,7 pm,21:30,Old Mill,Mill Lane 3,Lindenau,Chess Club,"Games, Tea",free,€5,'
        'chess.example.org,"First\n\nSecond",draft,yes\n'
    )

    event = Event.objects.get()
    assert (event.title, event.start_local, event.end_local) == (
        "Chess, and tea", "2030-06-01 19:00:00", "2030-06-01 21:30:00",
    )  # fmt: skip
    assert [(row.title, row.address, row.city) for row in event.venues.all()] == [
        ("Old Mill", "Mill Lane 3", "Lindenau")
    ]
    assert {row.name for row in event.categories.all()} == {"Games", "Tea"}
    assert ([row.title for row in event.organizers.all()], [row.name for row in event.tags.all()]) == (
        ["Chess Club"],
        ["free"],
    )
    assert (event.cost, event.website, event.status) == ("€5", "https://chess.example.org", "draft")
    assert event.description == "<p>First</p>\n\n<p>Second</p>"
    assert (event.featured, event.author) == (True, editor)


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_separators_and_encodings(read_table, separator, encoding):
    text = f"Titel{separator}Datum\nMühlenfest{separator}2030-06-01\n"

    read_table(text.encode(encoding))

    assert times() == [("Mühlenfest", "2030-06-01 00:00:00", "2030-06-01 23:59:59", True)]


@pytest.mark.parametrize(
    ("dates", "options", "starts"),
    [
        # The third date decides about the others.
        (["3/4/2030", "5/6/2030", "25/12/2030"], {}, ["2030-04-03", "2030-06-05", "2030-12-25"]),
        (["3/4/2030", "12/25/2030"], {}, ["2030-03-04", "2030-12-25"]),
        (["3.4.2030", "5.6.30"], {}, ["2030-04-03", "2030-06-05"]),
        (["3/4/2030"], {"date_order": "mdy"}, ["2030-03-04"]),
        (["4 March 2030", "2030-04-05"], {}, ["2030-03-04", "2030-04-05"]),
    ],
)
def test_order_of_day_and_month_is_decided_over_the_whole_file(table_source, read_table, dates, options, starts):
    table_source.options = options
    table_source.save()

    read_table("title,date\n" + "".join(f"Event {number},{text}\n" for number, text in enumerate(dates)))

    assert [start[:10] for start in Event.objects.order_by("pk").values_list("start_local", flat=True)] == starts


@pytest.mark.parametrize(
    ("dates", "message"),
    [
        (["3/4/2030", "5/6/2030"], "Do these dates begin with the day or with the month? 5/6/2030, 3/4/2030. Choose "
         "the order of dates."),
        (["13/4/2030", "4/13/2030"], "Some dates begin with the day, and others with the month: 13/4/2030, 4/13/2030."),
    ],
)  # fmt: skip
def test_ambiguous_dates_are_asked_about(read_table, dates, message):
    run = read_table("title,date\n" + "".join(f"Event,{text}\n" for text in dates))

    assert (run.state, run.message) == (RunState.FAILED, message)
    assert not Event.objects.exists()


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        ("19:00", "21:00", ("19:00:00", "01 21:00:00")),
        ("7pm", "9 p.m.", ("19:00:00", "01 21:00:00")),
        ("19.30 Uhr", "", ("19:30:00", "01 19:30:00")),
        ("22:00", "02:00", ("22:00:00", "02 02:00:00")),
        ("12 am", "12 pm", ("00:00:00", "01 12:00:00")),
    ],
)
def test_times(read_table, start, end, expected):
    read_table(f"title,date,time,end time\nChess,2030-06-01,{start},{end}\n")

    event = Event.objects.get()
    assert (event.start_local[11:], event.end_local[8:]) == expected


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (",2030-06-01,,", "It has no title."),
        ("Chess,soon-ish,,", "“soon-ish” is not a date."),
        ("Chess,2030-06-01,noonish,", "“noonish” is not a time. Use a format such as 19:00."),
        ("Chess,2030-06-01,,gone", "“gone” is not a status. Use one of these: draft, pending, private, publish."),
        ("Chess,31.02.2030,,", ""),
    ],
)
def test_invalid_row_is_rejected_with_its_line(read_table, row, reason):
    run = read_table(f"title,date,time,status\n{row}\nFair,2030-06-02,,\n")

    rejected = run.entries.get(outcome="rejected")
    assert rejected.line == 2
    assert reason in rejected.reason or not rejected.reason.startswith("“")
    assert [event.title for event in Event.objects.all()] == ["Fair"]


def test_columns_can_be_chosen_and_others_are_named(table_source, read_table):
    table_source.options = {"columns": {"title": "Was", "start_date": "Wann"}}
    table_source.save()

    run = read_table("Wann,Was,Wer\n2030-06-01,Chess,Us\n")

    assert Event.objects.get().title == "Chess"
    assert report_lines(run, "note") == [("note", "Chess", "The column “Wer” is not used.")]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "The table is empty."),
        ("\n\n", "The table is empty."),
        ("title,where\nChess,Mill\n", "The table has no column “start date”. Its columns are: title, where."),
        ("<!doctype html><p>Sign in", "The answer is a web page, not a table. Check the address."),
        (b"PK\x03\x04broken", "The file is not an Excel workbook (.xlsx)."),
        ("title,date\n", "The source has no events."),
    ],
)
def test_file_that_is_no_table_fails(read_table, content, message):
    run = read_table(content)

    assert (run.state, run.message) == (RunState.FAILED, message)


def workbook(*rows):
    book = Workbook()
    for row in rows:
        book.active.append(row)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def test_workbook_with_dates_numbers_and_formulas(read_table):
    run = read_table(
        workbook(
            ["Title", "Start date", "Start time", "Cost", "Description"],
            ["Chess", date(2030, 6, 1), time(19, 30), 5.0, "=1+1"],
            ["Fair", datetime(2030, 6, 2, 10), None, 2.5, True],
        )
    )

    assert (run.state, run.message) == (RunState.FINISHED, "")
    assert times() == [
        ("Chess", "2030-06-01 19:30:00", "2030-06-01 19:30:00", False),
        ("Fair", "2030-06-02 10:00:00", "2030-06-02 10:00:00", False),
    ]
    assert list(Event.objects.order_by("start").values_list("cost", "description")) == [
        ("$5", "<p>=1+1</p>"),
        ("$2.5", "<p>yes</p>"),
    ]


def test_workbook_that_unpacks_to_much_is_refused(read_table, monkeypatch):
    content = io.BytesIO()
    with ZipFile(content, "w", ZIP_DEFLATED) as archive:
        archive.writestr("xl/sharedStrings.xml", b"\0" * 101 * 1024 * 1024)

    run = read_table(content.getvalue())

    assert (run.state, run.message) == (RunState.FAILED, "The workbook is too large.")


@pytest.mark.parametrize(
    ("url", "address"),
    [
        (
            "https://docs.google.com/spreadsheets/d/1aBcDeFgHiJkLmNoPqRsTuVwXyZ/edit?usp=sharing#gid=7",
            "https://docs.google.com/spreadsheets/d/1aBcDeFgHiJkLmNoPqRsTuVwXyZ/export?format=csv&gid=7",
        ),
        ("https://example.org/table.csv", "https://example.org/table.csv"),
    ],
)
def test_address_of_a_google_sheet(url, address):
    assert csv_address(url) == address


# --- The command -------------------------------------------------------------------------------------


def test_template_can_be_filled_in_and_imported(administrator, tmp_path, capsys):
    (heading,) = command_output(capsys, "import_csv", template=True)
    names = next(csv.reader([heading]))
    row = ["Chess", "2030-06-01", "19:00", *[""] * (len(names) - 3)]
    path = tmp_path / "events.csv"
    path.write_text(f"{heading}\n{','.join(row)}\n")

    lines = command_output(capsys, "import_csv", str(path), user=administrator.username)

    assert lines[-1].endswith(": 1 created.")
    assert times() == [("Chess", "2030-06-01 19:00:00", "2030-06-01 19:00:00", False)]


def test_order_of_dates_is_remembered(administrator, tmp_path, capsys):
    path = tmp_path / "events.csv"
    path.write_text("title,date\nChess,3/4/2030\n")
    options = {"user": administrator.username}

    with pytest.raises(CommandError, match="Do these dates begin with the day or with the month"):
        command_output(capsys, "import_csv", str(path), **options)
    command_output(capsys, "import_csv", str(path), date_order="dmy", **options)
    command_output(capsys, "import_csv", str(path), **options)

    assert times() == [("Chess", "2030-04-03 00:00:00", "2030-04-03 23:59:59", True)]


@pytest.mark.parametrize(
    ("options", "message"),
    [({}, "Name a file or a URL."), ({"column": ["Wann"], "source": __file__}, "“Wann” is not a field and a heading")],
)
def test_wrong_arguments(administrator, capsys, options, message):
    table_source = [options.pop("source")] if "source" in options else []

    with pytest.raises(CommandError, match=message):
        command_output(capsys, "import_csv", *table_source, user=administrator.username, **options)


@pytest.mark.skipif(not RECORDED.is_dir(), reason="the recorded site is not here")
def test_tables_of_the_original_are_imported(table_source, tmp_path):
    for name in ("venues", "organizers", "events"):
        # Without images, which nobody serves here.
        content = (RECORDED / "csv" / f"{name}.csv").read_text().replace("https://events.example.org/wp-content", "")
        run = run_import(table_source, tmp_path, content)
        assert report_lines(run, "rejected") == []
        assert report_counts(run).keys() <= {"created", "updated", "joined", "note", "unchanged"}

    assert (Venue.objects.count(), Organizer.objects.count()) == (15, 10)
    # Two of the 60 are the same.
    assert Event.objects.count() == 59
