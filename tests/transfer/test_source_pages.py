"""The pages of sources and imports in the admin."""

from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from calendar_site.core.choices import Status
from calendar_site.transfer.models import Absence, ImportRun, Place, RunState, Source, SourceRecord, UploadedFile
from calendar_site.transfer.tasks import delete_old_reports, read_overdue_sources
from events.models import Event
from events.services import save_event
from tests.factories import VenueFactory
from tests.support.background_tasks import run_worker
from tests.support.html_page import parse_page
from tests.support.imports import ics_calendar, make_source, report_counts, run_import, vevent

pytestmark = [pytest.mark.django_db, pytest.mark.time_machine("2030-05-04 12:00Z", tick=False)]

ADD = "/admin/transfer/source/add/"
CHOIR = vevent("Choir", "20300510T190000Z", DESCRIPTION="All voices", LOCATION="Hall")
BROKEN = vevent("Broken", "x")
FORM = {
    "name": "Town hall",
    "kind": "ics",
    "url": "",
    "new_status": "publish",
    "skip_pattern": "",
    "read_times_as": "",
    "header": "",
    "interval_hours": "",
    "absence": "keep",
    "date_order": "",
}


def upload(*components):
    return SimpleUploadedFile("town.ics", ics_calendar(*components).encode(), "text/calendar")


def page_of(client, url):
    response = client.get(url)
    assert response.status_code == 200
    return parse_page(response)


def text_of(page):
    return " ".join(page.one("main").text.split()) if page.all("main") else " ".join(page.text.split())


@pytest.fixture
def open_form(editor_browser):
    """Return a function that sends the form of a new source, and returns the URL of the run that it leads to."""

    def send(**values):
        response = editor_browser.post(ADD, {**FORM, **values})
        assert response.status_code == 302, parse_page(response).text
        return response["Location"]

    return send


def test_upload_is_previewed_imported_and_undone(editor_browser, open_form, editor):
    url = open_form(file=upload(CHOIR, BROKEN))
    assert "Preview: waiting" in text_of(page_of(editor_browser, url))

    run_worker()

    preview = text_of(page_of(editor_browser, url))
    assert "Preview: finished 2 of 2 records read created: 1rejected: 1notes: 1" in preview
    assert "DTSTART: “x” is not a date." in preview
    assert not Event.objects.exists()

    url = editor_browser.post(url, {"action": "import"})["Location"]
    run_worker()

    page = page_of(editor_browser, url)
    event = Event.objects.get()
    assert "Import: finished" in text_of(page)
    links = page.all("a", **{"class": "quiet-link"})
    assert f"/admin/events/event/{event.pk}/change/" in [link["href"] for link in links]
    assert event.author == editor

    editor_browser.post(url, {"action": "undo"})
    run_worker()

    assert "Import: undone" in text_of(page_of(editor_browser, url))
    assert not Event.objects.exists()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, "Enter a URL, or choose a file."),
        ({"url": "https://a.example.org/x.ics", "file": upload(CHOIR)}, "Enter a URL or choose a file, not both."),
        ({"kind": "tec", "file": upload(CHOIR)}, "A site is read from its URL. A file of it is a WordPress export."),
        ({"url": "file:///etc/passwd"}, "Enter a URL that starts with http:// or https://."),
        ({"url": "https://a.example.org/", "header": "nonsense"}, "Enter a name and a value"),
        ({"url": "https://a.example.org/", "header": "Host: x"}, "Enter a name and a value"),
        ({"url": "https://a.example.org/", "skip_pattern": "*"}, "Enter words to look for"),
        ({"url": "https://a.example.org/", "read_times_as": "Nowhere"}, "Not a valid time zone."),
        ({"url": "https://a.example.org/", "interval_hours": "0"}, "greater than or equal to 1"),
        ({"file": upload(CHOIR), "interval_hours": "24"}, "Only a source with a URL can be read again."),
    ],
)
def test_invalid_source_is_not_saved(editor_browser, values, message):
    response = editor_browser.post(ADD, {**FORM, **values})

    assert response.status_code == 200
    assert message in unescape(response.text)
    assert not Source.objects.exists()


@pytest.mark.parametrize("role", ["author", "contributor"])
def test_others_may_neither_see_nor_start_imports(request, editor, tmp_path, role):
    run = run_import(make_source(editor), tmp_path, ics_calendar(CHOIR))
    browser = request.getfixturevalue(f"{role}_browser")

    page = f"/admin/transfer/source/{run.source_id}"
    pages = (f"{page}/change/", f"{page}/delete/", f"/admin/transfer/source/import/{run.pk}/")
    for url in ("/admin/transfer/source/", ADD, *pages):
        assert browser.get(url).status_code == 403, url
    for url in (ADD, f"{page}/change/", f"{page}/delete/"):
        assert browser.post(url, {**FORM, "name": "Forged", "post": "yes"}).status_code == 403, url
    assert [source.name for source in Source.objects.all()] == ["Town hall"]
    assert browser.post(f"/admin/transfer/source/import/{run.pk}/", {"action": "undo"}).status_code == 403
    assert Event.objects.exists()


def test_ids_there_and_here_are_a_file(editor_browser, author_browser, editor):
    source = make_source(editor, kind="wxr")
    SourceRecord.objects.create(source=source, kind="event", key="=1+1", record_id=7, url_path="event/choir")
    SourceRecord.objects.create(source=make_source(editor), kind="event", key="2", record_id=8)
    page = f"/admin/transfer/source/{source.pk}/ids/"

    response = editor_browser.get(page)

    assert response.text.splitlines() == [
        "kind,id at the source,id here,page at the source",
        "event,'=1+1,7,/event/choir",
    ]
    assert response["Content-Disposition"] == 'attachment; filename="calendar-ids.csv"'
    assert author_browser.get(page).status_code == 403
    assert editor_browser.get(f"/admin/transfer/source/{source.pk + 1}/ids/").status_code == 404


def test_unknown_run_and_action(editor_browser, editor, tmp_path):
    run = run_import(make_source(editor), tmp_path, ics_calendar(CHOIR))
    url = f"/admin/transfer/source/import/{run.pk}/"

    assert editor_browser.get("/admin/transfer/source/import/999/").status_code == 404
    assert (
        "This is not possible any more." in parse_page(editor_browser.post(url, {"action": "accept"}, follow=True)).text
    )
    assert editor_browser.post(url, {"action": "give_back", "entry": "9" * 30}).status_code == 302


def test_header_is_kept_and_never_shown(editor_browser, open_form):
    open_form(url="https://a.example.org/x.ics", header="Authorization: Bearer abc")
    source = Source.objects.get()

    response = editor_browser.get(f"/admin/transfer/source/{source.pk}/change/")
    editor_browser.post(f"/admin/transfer/source/{source.pk}/change/", {**FORM, "url": source.url, "name": "New"})

    assert "Bearer abc" not in response.text
    assert "A header is set." in response.text
    source.refresh_from_db()
    assert (source.name, source.header) == ("New", "Authorization: Bearer abc")


def test_owner_is_the_user_who_adds_the_source(open_form, editor, administrator):
    open_form(file=upload(CHOIR), owner=administrator.pk)

    assert Source.objects.get().owner == editor
    assert UploadedFile.objects.get().name == "town.ics"


def test_run_that_is_held_asks_for_a_decision(editor_browser, editor, tmp_path):
    source = make_source(editor, absence=Absence.TRASH)
    events = [vevent(f"Event {number}", f"203006{number:02}T100000Z") for number in range(1, 11)]
    run_import(source, tmp_path, ics_calendar(*events))
    run = run_import(source, tmp_path, ics_calendar(*events[:3]))
    url = f"/admin/transfer/source/import/{run.pk}/"

    assert "7 upcoming events are not in the source any more." in text_of(page_of(editor_browser, url))
    editor_browser.post(url, {"action": "accept"})
    run_worker()

    assert Event.objects.filter(status=Status.TRASH).count() == 7
    assert ImportRun.objects.get(pk=run.pk).state == RunState.FINISHED


def test_field_that_was_edited_here_can_be_given_back(editor_browser, editor, tmp_path):
    source = make_source(editor)
    run_import(source, tmp_path, ics_calendar(CHOIR))
    save_event(Event.objects.get(), changes={"description": "<p>Ours</p>"}, user=editor)
    changed = ics_calendar(CHOIR.replace("All voices", "Men only"))
    run = run_import(source, tmp_path, changed)
    entry = run.entries.get(outcome="kept")

    editor_browser.post(f"/admin/transfer/source/import/{run.pk}/", {"action": "give_back", "entry": entry.pk})
    run_import(source, tmp_path, changed)

    assert Event.objects.get().description.startswith("<p>Men only</p>")


def test_venue_of_an_unknown_place_is_chosen_on_the_page_of_the_source(editor_browser, editor, tmp_path):
    source, venue = make_source(editor, url="https://a.example.org/x.ics"), VenueFactory(title="Great hall")
    run_import(source, tmp_path, ics_calendar(CHOIR))
    place = Place.objects.get()

    editor_browser.post(
        f"/admin/transfer/source/{source.pk}/change/",
        {
            **FORM,
            "url": source.url,
            "places-TOTAL_FORMS": 1,
            "places-INITIAL_FORMS": 1,
            "places-0-id": place.pk,
            "places-0-source": source.pk,
            "places-0-venue": venue.pk,
        },
    )

    place.refresh_from_db()
    assert place.venue == venue


def test_list_shows_what_people_should_know(editor_browser, editor, tmp_path):
    source = make_source(editor, failures=3)
    run_import(source, tmp_path, ics_calendar(vevent("Jumble sale", "20200511T080000Z")))
    Source.objects.update(failures=3)

    text = page_of(editor_browser, "/admin/transfer/source/").text

    assert "The last 3 readings failed." in text
    assert "It has no upcoming events." in text


@pytest.mark.parametrize("count", [1, 3])
def test_queries_of_the_run_page(editor_browser, editor, tmp_path, count, django_assert_max_num_queries):
    events = [vevent(f"Event {number}", f"203006{number:02}T100000Z") for number in range(1, count + 1)]
    run = run_import(make_source(editor), tmp_path, ics_calendar(*events))

    with django_assert_max_num_queries(24):
        editor_browser.get(f"/admin/transfer/source/import/{run.pk}/")


# --- Schedule ----------------------------------------------------------------------------------------


@pytest.fixture
def town(serve_site):
    """Return the answers of a site with a calendar, the last of which stays."""
    answers = [(200, {"ETag": '"1"', "Content-Type": "text/calendar"}, ics_calendar(CHOIR).encode())]

    def respond(path, parameters, headers):
        if headers.get("If-None-Match") == '"1"' and answers[0][0] == 200:
            return 304, {}, b""
        return answers[0]

    return answers, serve_site(respond)


def test_source_is_read_on_its_schedule_and_only_if_it_has_changed(town, open_form, time_machine):
    _answers, site = town
    open_form(url="http://town.example.org/a.ics", interval_hours="6")
    run_worker()
    assert not Event.objects.exists()

    time_machine.move_to("2030-05-04 18:01Z")
    run_worker()

    assert Event.objects.get().title == "Choir"
    source = Source.objects.get()
    assert (source.etag, source.next_run_at.isoformat()) == ('"1"', "2030-05-05T00:01:00+00:00")

    time_machine.move_to("2030-05-05 00:02Z")
    run_worker()

    run = ImportRun.objects.filter(is_preview=False).first()
    assert (run.state, run.message) == (RunState.FINISHED, "The source has not changed since it was read last.")
    assert len(site.requests) == 3


def test_failed_readings_are_repeated_later_and_later(town, open_form, time_machine):
    answers, _site = town
    answers[0] = (404, {}, b"")
    open_form(url="http://town.example.org/a.ics", interval_hours="6")
    moments = []
    for moment in ("2030-05-04 18:01Z", "2030-05-05 06:02Z"):
        time_machine.move_to(moment)
        run_worker()
        moments.append(Source.objects.get().next_run_at.isoformat())

    assert moments == ["2030-05-05T06:01:00+00:00", "2030-05-06T06:02:00+00:00"]
    assert Source.objects.get().failures == 2


def test_source_whose_reading_is_not_in_the_queue_is_found_by_the_daily_task(town, editor, time_machine):
    make_source(editor, url="http://town.example.org/a.ics", interval_hours=6, next_run_at="2030-05-04T11:00Z")

    read_overdue_sources.enqueue()
    run_worker()

    assert SourceRecord.objects.get(kind="event").record_id == Event.objects.get().pk


def test_old_previews_and_reports_are_deleted(editor, tmp_path, time_machine):
    source = make_source(editor)
    run_import(source, tmp_path, ics_calendar(CHOIR))
    last = run_import(source, tmp_path, ics_calendar(CHOIR))
    run_import(source, tmp_path, ics_calendar(CHOIR), is_preview=True)
    time_machine.move_to("2030-05-10 12:00Z")
    delete_old_reports.func()
    assert ImportRun.objects.count() == 3

    time_machine.move_to("2031-05-05 12:00Z")
    delete_old_reports.func()

    assert list(ImportRun.objects.all()) == [last]
    # The next import still knows what it has read.
    assert report_counts(run_import(source, tmp_path, ics_calendar(CHOIR)))["unchanged"] == 1


def test_source_of_a_closed_account_is_not_read(town, editor):
    make_source(editor, url="http://town.example.org/a.ics", interval_hours=6, next_run_at="2030-05-04T11:00Z")
    editor.is_active = False
    editor.save()

    read_overdue_sources.enqueue()
    run_worker()

    assert not ImportRun.objects.exists()
