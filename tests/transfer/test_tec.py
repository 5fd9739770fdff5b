"""Importing sites of the original by their REST API."""

import io
import os
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.management import CommandError

from calendar_site.core import clock
from calendar_site.media.models import Image
from calendar_site.transfer.imports.runs import execute, start_run, undo
from calendar_site.transfer.models import ImportRun, RunState, SourceRecord
from calendar_site.transfer.readers import fetching
from calendar_site.transfer.readers.registry import make_reader
from events.models import Event
from events.services import save_event
from organizers.models import Organizer
from taxonomy.models import Category, Tag
from tests.factories import EventFactory
from tests.support.imports import command_output, make_source, report_counts, report_lines
from tests.support.remote_site import RecordedSite, json_answer
from tests.support.tec_site import API, CHESS, HOST, MARKET, TecSiteAnswers
from venues.models import Venue

pytestmark = [pytest.mark.django_db, pytest.mark.time_machine("2030-05-04 12:00Z", tick=False)]

RECORDED = Path(os.environ.get("REAL_DATA", "../shared/data")) / "source-site"


@pytest.fixture
def answers():
    return TecSiteAnswers()


@pytest.fixture
def served_site(serve_site, media_folder, answers):
    return serve_site(answers)


@pytest.fixture
def tec_source(administrator):
    return make_source(administrator, kind="tec", url=f"{HOST}/calendar/")


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch):
    """Record how long the reader waits for a busy server, instead of waiting."""
    waited = []
    # Not of the whole module: processes of images wait as well.
    monkeypatch.setattr(fetching, "time", SimpleNamespace(sleep=waited.append))
    return waited


def read(tec_source, **options):
    run = start_run(tec_source, user=tec_source.owner)
    return execute(run, make_reader(tec_source), **options)


def test_records_of_all_kinds_are_imported(served_site, tec_source):
    run = read(tec_source)

    assert (run.state, report_counts(run)) == (RunState.FINISHED, {"created": 7})
    chess, market = Event.objects.order_by("start")
    assert (chess.title, chess.slug, chess.cost, chess.featured) == ("Chess – night", "chess-night", "5€", True)
    assert (chess.start, chess.time_zone) == (datetime(2030, 6, 1, 17, tzinfo=UTC), "Europe/Berlin")
    assert chess.published_at == datetime(2029, 1, 2, 8, tzinfo=UTC)
    # The identifier that calendars have of it.
    assert chess.uid == "101-1906570800-1906578000@old.example.org"
    assert (market.all_day, market.start_local, market.end_local) == (
        True,
        "2030-06-02 00:00:00",
        "2030-06-02 23:59:59",
    )
    # The original names its own page if there is no website.
    assert (chess.website, market.website) == ("https://chess.example.org", "")
    venue, organizer = chess.venues.get(), chess.organizers.get()
    assert (venue.title, venue.address, venue.zip, venue.province, venue.state_province) == (
        "Old Mill", "Mill Lane 3", "04711", "Aueland", "Aueland",
    )  # fmt: skip
    assert (venue.show_map, venue.show_map_link, venue.phone) == (True, False, "+49 341 5550")
    assert (organizer.title, organizer.email) == ("Chess Club", "club@example.org")
    category, tag = chess.categories.get(), chess.tags.get()
    assert (category.name, category.slug, category.parent.name) == ("Chess & more", "chess", "Games")
    assert (tag.name, tag.slug) == ("free", "free")


def test_links_in_texts_lead_to_the_pages_here(served_site, tec_source, answers):
    links = f'<p><a href="{HOST}/venue/old-mill/">Mill</a> <a href="{HOST}/shop/">Shop</a></p>'
    answers.events = [CHESS, {**MARKET, "description": links}]

    run = read(tec_source)

    market = Event.objects.get(slug="market")
    rel = 'rel="noopener noreferrer"'
    assert market.description.strip() == links.replace(f"{HOST}/venue", "/venue").replace('/">', f'/" {rel}>')
    assert report_counts(read(tec_source)) == {"unchanged": 7}
    undo(run, tec_source.owner)
    assert not Event.objects.exists()
    # Images that no record has are gone as well.
    assert not Image.objects.exists()


def test_images_are_fetched_once_and_texts_show_them(served_site, tec_source):
    read(tec_source)
    read(tec_source)

    chess = Event.objects.get(slug="chess-night")
    assert chess.image.alt == "A chess board"
    assert f'src="/media/{chess.image.file.name}"' in chess.description
    assert HOST not in chess.description
    assert Image.objects.count() == 2
    assert sorted(path for path in served_site.requests if "uploads" in path) == [
        "/wp-content/uploads/board.png",
        "/wp-content/uploads/mill.png",
    ]


def test_missing_image_is_a_note(served_site, tec_source, answers):
    del answers.images["board.png"]

    run = read(tec_source)

    assert report_lines(run, "note", "rejected") == [
        (
            "note",
            "Chess – night",
            f"The image is missing: {HOST}/wp-content/uploads/board.png: The remote server responded with status 404.",
        )
    ]
    assert Event.objects.get(slug="chess-night").image is None


def test_kept_ids_are_those_of_the_site(served_site, tec_source, client):
    tec_source.options = {"keep_ids": True}
    tec_source.save()

    read(tec_source)

    for model, ids in ((Event, [101, 102]), (Venue, [20]), (Organizer, [30]), (Category, [7, 8]), (Tag, [9])):
        assert list(model.objects.order_by("pk").values_list("pk", flat=True)) == ids
    assert client.get("/cal/events/v1/events/101").json()["title"] == "Chess – night"
    # New records get ids after them.
    assert EventFactory().pk > 102


def test_taken_id_stops_an_import_that_keeps_ids_before_anything_is_written(served_site, tec_source):
    tec_source.options = {"keep_ids": True}
    tec_source.save()
    save_event(
        Event(pk=102), changes={"title": "Ours", "start": clock.now(), "end": clock.now()}, user=tec_source.owner
    )

    run = read(tec_source)

    assert run.state == RunState.FAILED
    assert run.message == (
        "These IDs are taken here: event 102. Import into an empty calendar, or do not keep the IDs."
    )
    assert [event.title for event in Event.objects.all()] == ["Ours"]
    assert not Category.objects.exists()


def test_pages_of_the_old_site_are_found_under_their_paths(served_site, tec_source, client):
    read(tec_source)

    for path in ("/event/chess-night/", "/venue/old-mill/", "/organizer/chess-club/", "/events/category/games/chess/"):
        assert client.get(path, follow=True).status_code == 200, path
    moved = client.get("/events/category/games/chess/")
    assert (moved.status_code, moved["Location"]) == (301, "http://testserver/events/category/chess/")


def test_old_path_of_an_event_with_another_slug_leads_to_its_page(served_site, tec_source, client, settings):
    read(tec_source)
    SourceRecord.objects.filter(kind="event", key="101").update(url_path="veranstaltung/schach")
    event = Event.objects.get(slug="chess-night")

    moved = client.get("/veranstaltung/schach/")

    assert (moved.status_code, moved["Location"]) == (301, "http://testserver/event/chess-night/")
    save_event(event, changes={"status": "draft"}, user=tec_source.owner)
    assert client.get("/veranstaltung/schach/").status_code == 404


def test_unpublished_records_are_imported_with_credentials(served_site, administrator, monkeypatch, capsys, tmp_path):
    monkeypatch.setattr("sys.stdin", io.StringIO("abcd efgh\n"))
    table = tmp_path / "ids.csv"

    said = command_output(
        capsys, "import_tec", f"{HOST}/calendar/", user=administrator.username, login="editor", id_table=table
    )

    assert said[-1] == f"The ids there and here are in {table}."
    rows = table.read_text().splitlines()
    assert rows[0] == "kind,id at the source,id here,page at the source"
    draft = Event.objects.get(slug="draft")
    assert f"event,103,{draft.pk},/event/draft" in rows
    assert len(rows) == 1 + SourceRecord.objects.exclude(kind="image").count()

    assert Event.objects.get(slug="draft").status == "draft"
    locked = Event.objects.get(slug="locked")
    assert (locked.password, locked.description) == ("seeds", "<p>In the greenhouse</p>")


@pytest.mark.parametrize(
    ("path", "fault", "waits"),
    [
        (f"{API}/events", (500, {}, b""), [1.0]),
        (f"{API}/events", (429, {"Retry-After": "7"}, b""), [7]),
        (f"{API}/venues", (503, {"Retry-After": "100000"}, b""), [60]),
    ],
)
def test_busy_site_is_asked_again(served_site, tec_source, no_waiting, path, fault, waits):
    served_site.faults[path] = [fault]

    run = read(tec_source)

    assert (run.state, no_waiting) == (RunState.FINISHED, waits)
    assert Event.objects.count() == 2


@pytest.mark.parametrize(
    ("path", "fault", "message"),
    [
        (f"{API}/events", (403, {}, b""), "The remote server responded with status 403. The server refuses programs or "
         "needs credentials: set an HTTP header of the source."),
        (f"{API}/events", (200, {"Content-Length": 1000}, b'{"events": ['), "The URL could not be fetched."),
        (f"{API}/events", (200, {}, b"<html>Sign in</html>"), "did not answer with JSON."),
        (f"{API}/events", json_answer([]), "is not the API of The Events Calendar."),
        (f"{API}/tags", (500, {}, b""), "The remote server responded with status 500."),
    ],
)  # fmt: skip
def test_broken_answer_fails_before_anything_is_written(served_site, tec_source, path, fault, message):
    served_site.faults[path] = [fault] * 4

    run = read(tec_source)

    assert run.state == RunState.FAILED
    assert run.message.endswith(message)
    assert not Event.objects.exists()
    assert not Category.objects.exists()


def test_record_that_cannot_be_read_is_rejected_with_its_text(served_site, tec_source, answers):
    answers.events = [{**MARKET, "utc_start_date": None}, answers.events[0]]

    run = read(tec_source)

    rejected = run.entries.get(outcome="rejected")
    assert (rejected.title, rejected.key) == ("Market", "102")
    assert '"id": 102' in rejected.raw
    assert Event.objects.get().slug == "chess-night"


def test_equal_ids_of_two_sites_are_different_events(served_site, tec_source, administrator, answers):
    read(tec_source)
    other = make_source(administrator, kind="tec", url="http://other.example.org/calendar/")
    answers.events = [{**MARKET, "id": 101, "title": "Elsewhere", "slug": "elsewhere"}]

    read(other)

    assert {event.title for event in Event.objects.all()} == {"Chess – night", "Market", "Elsewhere"}


def test_interrupted_import_goes_on(served_site, tec_source):
    class Killed(BaseException):
        pass

    def kill(run):
        if run.read_count > 2:
            raise Killed

    with pytest.raises(Killed):
        read(tec_source, progress=kill)
    interrupted = ImportRun.objects.get()
    assert interrupted.state == RunState.RUNNING

    run = read(tec_source)

    assert (run.pk, run.state) == (interrupted.pk, RunState.FINISHED)
    assert report_counts(run)["created"] == 7
    undo(run, tec_source.owner)
    assert not any(model.objects.exists() for model in (Event, Venue, Organizer, Category, Tag))


@pytest.mark.parametrize("name", ["nowhere.ics", "ftp://old.example.org"])
def test_command_refuses_what_is_no_file_or_url(administrator, capsys, name):
    with pytest.raises(CommandError, match="is neither a file nor a URL"):
        command_output(capsys, "import_tec", name, user=administrator.username)


def test_command_refuses_unknown_users_and_categories(administrator, capsys):
    with pytest.raises(CommandError, match=r"There is no active user “nobody”\."):
        command_output(capsys, "import_tec", HOST, user="nobody")
    with pytest.raises(CommandError, match=r"There is no category with the slug “x”\."):
        command_output(capsys, "import_tec", HOST, user=administrator.username, category="x")


@pytest.mark.skipif(not RECORDED.is_dir(), reason="the recorded site is not here")
def test_recorded_site_is_imported_as_a_whole(serve_site, media_folder, administrator, monkeypatch, capsys):
    serve_site(RecordedSite(RECORDED))
    monkeypatch.setattr("sys.stdin", io.StringIO("abcd efgh\n"))

    lines = command_output(
        capsys, "import_tec", "http://events.example.org/", user=administrator.username, login="x", keep_ids=True
    )

    assert lines[-1].endswith(": 183 created.")
    # All but the event in the trash, and two hidden ones that the recorded answers do not have.
    assert Event.objects.count() == 120
    assert (Venue.objects.count(), Organizer.objects.count()) == (18, 12)
    assert (Category.objects.count(), Tag.objects.count()) == (18, 15)
    assert Event.objects.get(pk=171).password == "seeds"
    assert Event.objects.get(pk=150).hide_from_listings
