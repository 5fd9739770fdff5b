"""The page on which people choose the columns of a table."""

import pytest

from calendar_site.transfer.models import ImportRun, RunState, Source, UploadedFile
from events.models import Event
from tests.support.admin import form_data
from tests.support.background_tasks import run_worker
from tests.support.html_page import parse_page
from tests.support.imports import make_source

pytestmark = [pytest.mark.django_db, pytest.mark.time_machine("2030-05-04 12:00Z", tick=False)]

TABLE = "What,When,Where,Note\nChoir,2030-06-01 19:00,Hall,secret\nFair,2030-06-02 10:00,Market,secret\n"


@pytest.fixture
def table(editor):
    source = make_source(editor, kind="table")
    UploadedFile.objects.create(source=source, name="events.csv", content=TABLE.encode())
    return source


def columns_url(source):
    return f"/admin/transfer/source/{source.pk}/columns/"


def chosen_columns(response):
    return {name: value[0] for name, value in form_data(response).items()}


def test_chosen_columns_are_remembered(table, editor_browser):
    response = editor_browser.get(columns_url(table))
    assert "Where (Hall · Market)" in parse_page(response).text
    columns = chosen_columns(response)
    assert set(columns.values()) == {"-"}

    columns |= {"title": "What", "start_date": "When", "venue": "Where"}
    preview = editor_browser.post(columns_url(table), columns)["Location"]
    run_worker()

    text = parse_page(editor_browser.get(preview)).text
    assert "Saturday 1 June 2030, 19:00" in text
    assert "The column “Note” is not used." in text
    editor_browser.post(preview, {"action": "import"})
    run_worker()
    assert list(Event.objects.order_by("start").values_list("title", "start_local")) == [
        ("Choir", "2030-06-01 19:00:00"),
        ("Fair", "2030-06-02 10:00:00"),
    ]
    assert chosen_columns(editor_browser.get(columns_url(table))) == columns


def test_table_with_unknown_columns_leads_to_the_page(table, editor_browser):
    run = ImportRun.objects.create(source=table, state=RunState.FAILED, started_at="2030-05-04T12:00Z", message="?")

    response = editor_browser.get(f"/admin/transfer/source/import/{run.pk}/")

    assert f'href="{columns_url(table)}"' in response.text


def test_title_and_date_are_required(table, editor_browser):
    columns = chosen_columns(editor_browser.get(columns_url(table)))

    page = parse_page(editor_browser.post(columns_url(table), columns))

    assert page.text.count("Every event needs it.") == 2
    assert not ImportRun.objects.exists()


def test_unknown_column_is_refused(table, editor_browser):
    columns = chosen_columns(editor_browser.get(columns_url(table)))

    editor_browser.post(columns_url(table), {**columns, "title": "Forged", "start_date": "When"})

    assert not ImportRun.objects.exists()


def test_source_without_a_table_has_no_such_page(table, editor, editor_browser):
    calendar = make_source(editor)

    assert editor_browser.get(columns_url(calendar)).status_code == 404
    Source.objects.filter(pk=table.pk).update(url="")
    UploadedFile.objects.all().delete()
    page = parse_page(editor_browser.get(columns_url(table), follow=True))
    assert "The file is not kept any more. Upload it again." in page.text


@pytest.mark.parametrize("role", ["author", "contributor"])
def test_others_may_not_choose_columns(request, table, role):
    browser = request.getfixturevalue(f"{role}_browser")

    assert browser.get(columns_url(table)).status_code == 403
    assert browser.post(columns_url(table), {"title": "What"}).status_code == 403
