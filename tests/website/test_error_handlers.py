"""Error pages: they look like the other pages, but read neither session nor database."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event as Signal

import pytest
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import DatabaseError, OperationalError, connection, connections
from django.test import Client
from django.urls import include, path
from django.views.decorators.debug import sensitive_post_parameters

from calendar_site import urls
from calendar_site.accounts.services import create_user
from calendar_site.core.database.write_lock import write_lock
from tests.support.admin import browser_for, submit_form
from tests.support.html_page import parse_page
from venues.models import Venue

handler400, handler403 = urls.handler400, urls.handler403
handler404, handler500 = urls.handler404, urls.handler500


def failing_view(request):
    raise DatabaseError("The disk is full: /secret/place")


def lock_timeout_view(request):
    raise OperationalError("database is locked")


@sensitive_post_parameters("pin")
def lock_timeout_view_with_a_secret(request):
    raise OperationalError("database is locked")


def forbidden_view(request):
    raise PermissionDenied("Not you, because of /secret/place")


urlpatterns = [
    path("failing/", failing_view),
    path("refusing/", forbidden_view),
    path("waiting/", lock_timeout_view),
    path("secret/", lock_timeout_view_with_a_secret),
    path("", include(urls.urlpatterns)),
]

POLICY = "default-src 'none'; style-src 'self'; "


def heading_and_text(page):
    """Return the heading and the first paragraph of the page."""
    return page.one("h1").text, page.one("main").all("p")[0].text


def assert_error_page(response, status):
    assert response.status_code == status
    assert response["Cache-Control"] == "no-store"
    assert response["Content-Security-Policy"].startswith(POLICY)
    assert "/secret/place" not in response.content.decode()


def test_not_found(db, client, django_assert_num_queries):
    # Paths of imported records, and the site.
    with django_assert_num_queries(2):
        response = client.get("/no/such/page?really=1")

    page = parse_page(response)
    assert_error_page(response, 404)
    assert heading_and_text(page) == (
        "Page not found",
        "This page does not exist or is not public. You can browse the upcoming events instead.",
    )
    assert page.one("title").text == "Page not found – Event calendar"
    assert page.all("link", rel="canonical") == []
    assert [link["href"] for link in page.one("main").all("a")] == ["http://testserver/"]


@pytest.mark.urls(__name__)
def test_server_error(client, caplog):
    client.raise_request_exception = False

    response = client.get("/failing/")

    assert_error_page(response, 500)
    assert heading_and_text(parse_page(response)) == (
        "Something went wrong",
        "The server encountered an error, which has been logged. Please try again later.",
    )
    assert [record.message for record in caplog.records] == ["Internal Server Error: /failing/"]


@pytest.mark.urls(__name__)
def test_server_error_page_costs_no_query(db, client, editor, django_assert_num_queries):
    client.force_login(editor)
    client.raise_request_exception = False

    with django_assert_num_queries(0):
        response = client.get("/failing/")

    assert_error_page(response, 500)


@pytest.mark.urls(__name__)
def test_forbidden(client):
    response = client.get("/refusing/")

    assert_error_page(response, 403)
    assert heading_and_text(parse_page(response)) == (
        "Access denied",
        "You do not have permission to do that. Sign in with an account that has permission.",
    )


def test_admin_shows_the_same_page_when_it_forbids(client, contributor):
    client.force_login(contributor)

    response = client.get("/admin/accounts/user/")

    assert_error_page(response, 403)
    assert heading_and_text(parse_page(response))[0] == "Access denied"


def test_form_without_a_csrf_token():
    response = Client(enforce_csrf_checks=True).post("/admin/login/", {"username": "editor", "password": "x"})

    heading, sentence = heading_and_text(parse_page(response))
    assert_error_page(response, 403)
    assert heading == "The form could not be submitted"
    assert sentence.startswith("The form was sent without a valid security token.")


@pytest.mark.parametrize(
    "body", [{"file": SimpleUploadedFile("a.png", b"x" * 5000)}, {"username": "x" * 3000}], ids=["file", "text"]
)
def test_form_over_the_size_limit(db, settings, django_assert_num_queries, body):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE, settings.UPLOAD_LIMIT = 2048, 4096
    browser = Client(enforce_csrf_checks=True)
    browser.cookies["csrftoken"] = "a" * 32

    with django_assert_num_queries(0):
        response = browser.post("/admin/login/", body)

    assert_error_page(response, 413)
    assert heading_and_text(parse_page(response)) == (
        "Request too large",
        "The data you sent is too large. The limit is 2.0 KB, or 4.0 KB with files. Nothing was saved. Go back and "
        "send less at a time.",
    )


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "[", "a b", "testserver@evil.example"])
def test_refused_host_is_not_repeated(client, host):
    response = client.get("/", headers={"Host": host})

    page = parse_page(response)
    assert_error_page(response, 400)
    assert heading_and_text(page) == (
        "Bad request",
        "The header Host names a host that this service does not serve. Its administrator can add it to ALLOWED_HOSTS.",
    )
    assert "evil" not in response.content.decode()
    assert [link["href"] for link in page.all("a")] == ["#content", "/"]


# --- Lock timeouts -------------------------------------------------------------------------------


def repeated_fields(page):
    """Return the fields that the form of the page submits."""
    return [(field["name"], field["value"]) for field in page.one("form").all("input")]


@pytest.mark.urls(__name__)
def test_busy_page_repeats_the_submitted_fields(db, client, django_assert_num_queries):
    with django_assert_num_queries(0):
        response = client.post("/waiting/", {"title": '"> <b>Jazz</b>\r\nand more', "tags": ["1", "2"], "note": ""})

    page = parse_page(response)
    assert_error_page(response, 503)
    assert (response["Retry-After"], response["Content-Security-Policy"].split("; ")[5]) == ("2", "form-action 'self'")
    assert page.one("h1").text == "The site is busy"
    assert [paragraph.text for paragraph in page.one("main").all("p")] == [
        "Your request timed out because the site is busy. Some of your changes may not have been saved.",
        "Nothing you typed is lost. Wait a moment, then send it again.",
    ]
    # The form submits to the URL of the page, with its query string.
    assert page.one("form").attributes == {"method": "post"}
    assert repeated_fields(page) == [
        ("title", '"> <b>Jazz</b>\r\nand more'),
        ("tags", "1"),
        ("tags", "2"),
        ("note", ""),
    ]


@pytest.mark.urls(__name__)
@pytest.mark.parametrize(
    ("path", "sent"),
    [
        ("/waiting/", None),
        ("/waiting/", {"title": "Jazz", "picture": SimpleUploadedFile("jazz.png", b"x")}),
        ("/secret/", {"name": "editor", "pin": "1234"}),
    ],
)
def test_busy_page_repeats_no_files_and_no_secrets(client, path, sent):
    response = client.get(path) if sent is None else client.post(path, sent)

    page = parse_page(response)
    assert_error_page(response, 503)
    assert page.all("form") == []
    assert page.one("main").all("p")[1].text == "Wait a moment, then reload this page."
    assert "1234" not in response.content.decode()


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
@pytest.mark.usefixtures("plain_static_files")
def test_admin_form_can_be_submitted_again_after_a_lock_timeout(settings):
    settings.WRITE_WAIT_SECONDS = 1
    client = browser_for(create_user("editor", "editor"))
    begun, go_on = Signal(), Signal()

    def write():
        try:
            with write_lock():
                begun.set()
                assert go_on.wait(30)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as threads:
        other = threads.submit(write)
        assert begun.wait(30)
        if connection.vendor == "sqlite":
            # SQLite reads the setting when it connects, and the connection of a test may be open already.
            with connection.cursor() as cursor:
                cursor.execute("PRAGMA busy_timeout = 200")
        refused = submit_form(client, "/admin/venues/venue/add/", title="Hall")
        go_on.set()
        other.result(timeout=30)
    page = parse_page(refused)
    saved = client.post("/admin/venues/venue/add/", dict(repeated_fields(page)))

    assert_error_page(refused, 503)
    assert saved["Location"] == "/admin/venues/venue/"
    assert [venue.title for venue in Venue.objects.all()] == ["Hall"]


@pytest.mark.usefixtures("plain_static_files")
def test_lock_timeout_while_saving_a_session_shows_the_busy_page(db, client):
    create_user("editor", "editor", password="a long password")
    client.raise_request_exception = False

    def locked(execute, sql, *args):
        if sql.startswith("UPDATE") and "django_session" in sql:
            raise OperationalError("database is locked")
        return execute(sql, *args)

    client.get("/admin/login/")
    with connection.execute_wrapper(locked):
        response = client.post("/admin/login/", {"username": "editor", "password": "a long password"})

    assert_error_page(response, 503)
    assert response["Retry-After"] == "2"
    assert "a long password" not in response.content.decode()


def test_errors_of_api_paths_have_the_contracts_shape(client):
    response = client.get("/cal/events/v1/events", headers={"Host": "evil.example"})

    assert response.json() == {
        "code": "rest_invalid_host",
        "message": "The header Host names a host that this service does not serve. Its administrator can add it to "
        "ALLOWED_HOSTS.",
        "data": {"status": 400},
    }
