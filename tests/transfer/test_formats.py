"""Exports for other programs, and what is stored about a person."""

import csv
import io
import json
import os
from pathlib import Path

import icalendar
import pytest
from django.core.management import CommandError

from calendar_site.submissions.services import report_mistake
from calendar_site.transfer.imports.kinds import KINDS, current_values
from events.models import Event
from events.services import event_services
from organizers.models import Organizer
from taxonomy.models import Category, Tag
from tests.factories import CategoryFactory, EventFactory, OrganizerFactory, TagFactory, VenueFactory
from tests.support.imports import command_output, make_source, report_counts, report_lines, run_import
from tests.support.remote_site import RecordedSite
from venues.models import Venue

pytestmark = [pytest.mark.django_db, pytest.mark.time_machine("2030-05-04 12:00Z", tick=False)]

RECORDED = Path(os.environ.get("REAL_DATA", "../shared/data")) / "source-site"


@pytest.fixture(autouse=True)
def public_url(settings):
    settings.PUBLIC_URL = "https://calendar.example.org"


@pytest.fixture
def chess(administrator):
    venue = VenueFactory(title="Old, old Mill", address="Mill Lane 3", city="Lindenau", geo_lat=51.3, geo_lng=12.4)
    games = CategoryFactory(name="Games & tea")
    EventFactory(title="Draft", status="draft", start="2030-07-01 10:00", author=administrator)
    EventFactory(title="Locked", password="seeds", start="2030-07-02 10:00", author=administrator)
    return EventFactory(
        title="=Chess", description="<p>Bring a <b>board</b>.</p>", start="2030-06-01 19:00", end="2030-06-01 21:00",
        time_zone="Europe/Berlin", cost="€5", website="https://chess.example.org", featured=True,
        venues=[venue], organizers=[OrganizerFactory(title="Club, the")], categories=[games],
        tags=[TagFactory(name="free")], author=administrator,
    )  # fmt: skip


def export(tmp_path, capsys, name):
    path = tmp_path / f"export-{name}"
    lines = command_output(capsys, "export", path, format=name)
    return path, lines


def test_csv_is_imported_again_without_a_loss(chess, administrator, tmp_path, capsys):
    path, lines = export(tmp_path, capsys, "csv")
    before = exported_values()
    assert lines == [f"{path}: 3 records."]

    Event.objects.all().delete()
    run = run_import(make_source(administrator, kind="table"), tmp_path, path.read_bytes())

    assert report_lines(run, "rejected") == []
    # A password is in no table.
    before["Locked"]["password"] = ""
    assert exported_values() == before


def exported_values():
    names = (
        "title", "description", "start", "end", "time_zone", "all_day", "cost", "website", "featured", "status",
        "password", "venues", "organizers", "categories", "tags",
    )  # fmt: skip
    values = current_values("event", Event.objects.all()).values()
    return {value["title"]: {name: value[name] for name in names} for value in values}


def test_csv_has_nothing_that_a_spreadsheet_computes(chess, tmp_path, capsys):
    path, _lines = export(tmp_path, capsys, "csv")

    rows = list(csv.DictReader(io.StringIO(path.read_text("utf-8-sig"))))

    assert [row["Title"] for row in rows] == ["'=Chess", "Draft", "Locked"]


def test_calendar_has_the_public_events(chess, tmp_path, capsys):
    path, lines = export(tmp_path, capsys, "ics")

    calendar = icalendar.Calendar.from_ical(path.read_bytes())
    (event,) = calendar.walk("VEVENT")
    assert lines == [f"{path}: 1 records."]
    assert (event["SUMMARY"], event["DTSTART"].to_ical(), event["DTSTART"].params["TZID"]) == (
        "=Chess", b"20300601T190000", "Europe/Berlin",
    )  # fmt: skip
    assert event["URL"] == f"https://calendar.example.org/event/{chess.slug}/"
    assert event["LOCATION"] == "Old, old Mill, Mill Lane 3, Lindenau"
    assert [str(zone["TZID"]) for zone in calendar.walk("VTIMEZONE")] == ["Europe/Berlin"]


@pytest.mark.parametrize(("name", "kind"), [("ics", "ics"), ("jsonld", "jsonld")])
def test_public_formats_are_read_again(chess, administrator, tmp_path, capsys, name, kind):
    path, _lines = export(tmp_path, capsys, name)
    start = chess.start
    Event.objects.all().delete()

    run_import(make_source(administrator, kind=kind), tmp_path, path.read_bytes())

    event = Event.objects.get()
    assert (event.title, event.start, event.venues.get().title[:13]) == ("=Chess", start, "Old, old Mill")


def test_schema_org_has_places_and_prices(chess, tmp_path, capsys):
    path, _lines = export(tmp_path, capsys, "jsonld")

    (node,) = json.loads(path.read_text())
    assert node["location"] == [
        {
            "@type": "Place",
            "name": "Old, old Mill",
            "address": {"@type": "PostalAddress", "streetAddress": "Mill Lane 3", "addressLocality": "Lindenau"},
            "geo": {"@type": "GeoCoordinates", "latitude": 51.3, "longitude": 12.4},
        }
    ]
    assert (node["startDate"], node["offers"]) == ("2030-06-01T19:00:00+02:00", [{"@type": "Offer", "price": "5"}])


def test_wordpress_export_is_imported_again_without_a_loss(chess, administrator, tmp_path, capsys):
    path, _lines = export(tmp_path, capsys, "wxr")
    before = exported_values()
    for model in (Event, Venue, Organizer, Category, Tag):
        model.objects.all().delete()

    run = run_import(make_source(administrator, kind="wxr"), tmp_path, path.read_bytes())

    assert report_lines(run, "rejected", "note") == []
    after = exported_values()
    for values in (*before.values(), *after.values()):
        for relation in ("venues", "organizers", "categories", "tags"):
            values[relation] = len(values[relation])
    assert after == before
    assert Venue.objects.get().geo_lat == 51.3


def test_tables_of_the_original(chess, tmp_path, capsys):
    path, lines = export(tmp_path, capsys, "tec-csv")

    tables = {
        name: list(csv.DictReader(io.StringIO((path / name).read_text("utf-8-sig")))) for name in os.listdir(path)
    }
    assert lines == [f"{path}: 5 records."]
    assert {name: len(rows) for name, rows in tables.items()} == {
        "venues.csv": 1, "organizers.csv": 1, "events.csv": 3,
    }  # fmt: skip
    event = tables["events.csv"][0]
    assert (event["Event Name"], event["Event Start Time"], event["Event Cost"], event["Event Currency Symbol"]) == (
        "=Chess", "19:00:00", "5", "€",
    )  # fmt: skip


@pytest.mark.parametrize("name", ["csv", "ics", "jsonld", "wxr", "tec-csv"])
def test_empty_calendar_and_existing_file(db, tmp_path, capsys, name):
    path, lines = export(tmp_path, capsys, name)

    assert lines == [f"{path}: 0 records."]
    with pytest.raises(CommandError, match="exists"):
        export(tmp_path, capsys, name)


def test_person(chess, author, tmp_path, capsys):
    author.email = "mia@example.org"
    author.save()
    event = EventFactory(title="By Mia", author=author)
    event_services.save(event, changes={"title": "Still by Mia"}, user=author)
    report_mistake(chess, "Wrong time", "MIA@example.org")
    path = tmp_path / "mia.json"

    lines = command_output(capsys, "export", path, person="mia@example.org")

    stored = json.loads(path.read_text())
    assert [account["username"] for account in stored["accounts"]] == [author.username]
    assert stored["records"] == [{"kind": "event", "id": event.pk, "title": "Still by Mia"}]
    assert [report["text"] for report in stored["reports"]] == ["Wrong time"]
    assert [change["id"] for change in stored["changes"]] == [event.pk]
    assert "password" not in stored["accounts"][0]
    assert lines == [f"{path}: 4 records."]


@pytest.mark.skipif(not RECORDED.is_dir(), reason="the recorded site is not here")
def test_recorded_site_comes_back_as_it_was(administrator, serve_site, media_folder, tmp_path, capsys, settings):
    """From the original to here, back, and here again: every value of every record is the same."""
    serve_site(RecordedSite(RECORDED))
    source = make_source(administrator, kind="wxr", options={"keep_ids": True})
    content = (RECORDED / "wxr" / "all.xml").read_text().replace("https://events", "http://events")
    run_import(source, tmp_path, content)
    path, _lines = export(tmp_path, capsys, "wxr")
    before = all_values()
    for model in (Event, Venue, Organizer, Category, Tag):
        model.objects.all().delete()

    run = run_import(make_source(administrator, kind="wxr", options={"keep_ids": True}), tmp_path, path.read_bytes())

    assert report_lines(run, "rejected") == []
    assert report_counts(run)["created"] == 185
    assert all_values() == before


def all_values():
    left_out = {"created_at", "modified_at", "image", "image_id", "search_text", "cost_values", "uid"}
    return {
        kind: {
            pk: {name: value for name, value in values.items() if name not in left_out}
            for pk, values in current_values(kind, KINDS[kind].model.objects.all()).items()
        }
        for kind in ("category", "tag", "venue", "organizer", "event")
    }
