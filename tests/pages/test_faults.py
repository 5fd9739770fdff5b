"""What people read when something fails: pages of the same family, which need nothing that may have failed."""

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
from calendar_site.content.transactions import writing
from tests.admin import client_of as admin_client_of
from tests.admin import fill_in
from tests.pages.reading import read
from venues.models import Venue

handler400, handler403 = urls.handler400, urls.handler403
handler404, handler500 = urls.handler404, urls.handler500


def failing(request):
    raise DatabaseError("The disk is full: /secret/place")


def waiting(request):
    raise OperationalError("database is locked")


@sensitive_post_parameters("pin")
def waiting_with_a_secret(request):
    raise OperationalError("database is locked")


def refusing(request):
    raise PermissionDenied("Not you, because of /secret/place")


urlpatterns = [
    path("failing/", failing),
    path("refusing/", refusing),
    path("waiting/", waiting),
    path("secret/", waiting_with_a_secret),
    path("", include(urls.urlpatterns)),
]

POLICY = "default-src 'none'; style-src 'self'; "


def words(page):
    """The heading and the sentence of the page."""
    return page.one("h1").text, page.one("main").one("p").text


def assert_is_fault(response, status):
    assert response.status_code == status
    assert response["Cache-Control"] == "no-store"
    assert response["Content-Security-Policy"].startswith(POLICY)
    assert "/secret/place" not in response.content.decode()


def test_unknown_address(db, client, django_assert_num_queries):
    with django_assert_num_queries(0):
        response = client.get("/no/such/page?really=1")

    page = read(response)
    assert_is_fault(response, 404)
    assert words(page) == (
        "Page not found",
        "There is no such page, or it is not public. The coming events may lead you on.",
    )
    assert page.one("title").text == "Page not found – Event calendar"
    assert page.all("link", rel="canonical") == []
    assert [link["href"] for link in page.one("main").all("a")] == ["http://testserver/"]


@pytest.mark.urls(__name__)
def test_failure(client, caplog):
    client.raise_request_exception = False

    response = client.get("/failing/")

    assert_is_fault(response, 500)
    assert words(read(response)) == (
        "Something went wrong",
        "Something went wrong here, and the fault has been recorded. Please try again later.",
    )
    assert [record.message for record in caplog.records] == ["Internal Server Error: /failing/"]


@pytest.mark.urls(__name__)
def test_failure_of_the_database_itself_is_a_page_too(db, client, editor, django_assert_num_queries):
    client.force_login(editor)
    client.raise_request_exception = False

    with django_assert_num_queries(0):
        response = client.get("/failing/")

    assert_is_fault(response, 500)


@pytest.mark.urls(__name__)
def test_refusal(client):
    response = client.get("/refusing/")

    assert_is_fault(response, 403)
    assert words(read(response)) == (
        "Not allowed",
        "You are not allowed to do that. Sign in with an account that is.",
    )


def test_editors_read_the_same_page_where_the_admin_refuses_them(client, contributor):
    client.force_login(contributor)

    response = client.get("/admin/accounts/user/")

    assert_is_fault(response, 403)
    assert words(read(response))[0] == "Not allowed"


def test_form_without_its_token():
    response = Client(enforce_csrf_checks=True).post("/admin/login/", {"username": "editor", "password": "x"})

    heading, sentence = words(read(response))
    assert_is_fault(response, 403)
    assert heading == "The form was not accepted"
    assert sentence.startswith("It came without the token that shows that it was yours.")


@pytest.mark.parametrize(
    "body", [{"file": SimpleUploadedFile("a.png", b"x" * 5000)}, {"username": "x" * 3000}], ids=["file", "text"]
)
def test_form_that_is_too_large(db, settings, django_assert_num_queries, body):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE, settings.UPLOAD_LIMIT = 2048, 4096
    browser = Client(enforce_csrf_checks=True)
    browser.cookies["csrftoken"] = "a" * 32

    with django_assert_num_queries(0):
        response = browser.post("/admin/login/", body)

    assert_is_fault(response, 413)
    assert words(read(response)) == (
        "Too large",
        "What you sent is larger than this site accepts: 2.0 KB at the most, or 4.0 KB with files. Nothing of it was "
        "saved. Go back and send less at once.",
    )


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "[", "a b", "testserver@evil.example"])
def test_host_that_is_not_ours_is_not_repeated(client, host):
    response = client.get("/", headers={"Host": host})

    page = read(response)
    assert_is_fault(response, 400)
    assert words(page) == (
        "Bad request",
        "This request cannot be answered: it is not as this site expects it.",
    )
    assert "evil" not in response.content.decode()
    assert [link["href"] for link in page.all("a")] == ["#content", "/"]


# --- A turn that does not come -------------------------------------------------------------------


def sent_again(page):
    """What the page's form sends."""
    return [(field["name"], field["value"]) for field in page.one("form").all("input")]


@pytest.mark.urls(__name__)
def test_what_was_sent_can_be_sent_again(db, client, django_assert_num_queries):
    with django_assert_num_queries(0):
        response = client.post("/waiting/", {"title": '"> <b>Jazz</b>\r\nand more', "tags": ["1", "2"], "note": ""})

    page = read(response)
    assert_is_fault(response, 503)
    assert (response["Retry-After"], response["Content-Security-Policy"].split("; ")[4]) == ("2", "form-action 'self'")
    assert page.one("h1").text == "One moment, please"
    assert [paragraph.text for paragraph in page.one("main").all("p")] == [
        "Others are writing at this moment, and your turn did not come in time. What you wanted is not done yet, or "
        "not all of it.",
        "Nothing that you typed is lost: wait a moment, and send it again.",
    ]
    # In the page's own address, whatever that asks for.
    assert page.one("form").attributes == {"method": "post"}
    assert sent_again(page) == [
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
def test_pages_repeat_neither_files_nor_secrets(client, path, sent):
    response = client.get(path) if sent is None else client.post(path, sent)

    page = read(response)
    assert_is_fault(response, 503)
    assert page.all("form") == []
    assert page.one("main").all("p")[1].text == "Wait a moment, and load this page again."
    assert "1234" not in response.content.decode()


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
@pytest.mark.usefixtures("plain_static_files")
def test_form_of_the_admin_waits_its_turn_and_is_sent_again(settings):
    settings.WRITE_WAIT_SECONDS = 1
    client = admin_client_of(create_user("editor", "editor"))
    begun, go_on = Signal(), Signal()

    def write():
        try:
            with writing():
                begun.set()
                assert go_on.wait(30)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as threads:
        other = threads.submit(write)
        assert begun.wait(30)
        if connection.vendor == "sqlite":
            # There the setting counts when a connection is made, and that of a test may be made already.
            with connection.cursor() as cursor:
                cursor.execute("PRAGMA busy_timeout = 200")
        refused = fill_in(client, "/admin/venues/venue/add/", title="Hall")
        go_on.set()
        other.result(timeout=30)
    page = read(refused)
    saved = client.post("/admin/venues/venue/add/", dict(sent_again(page)))

    assert_is_fault(refused, 503)
    assert saved["Location"] == "/admin/venues/venue/"
    assert [venue.title for venue in Venue.objects.all()] == ["Hall"]


@pytest.mark.usefixtures("plain_static_files")
def test_a_session_that_is_not_saved_in_time_is_no_failure(db, client):
    create_user("editor", "editor", password="a long password")
    client.raise_request_exception = False

    def locked(execute, sql, *args):
        if sql.startswith("UPDATE") and "django_session" in sql:
            raise OperationalError("database is locked")
        return execute(sql, *args)

    client.get("/admin/login/")
    with connection.execute_wrapper(locked):
        response = client.post("/admin/login/", {"username": "editor", "password": "a long password"})

    assert_is_fault(response, 503)
    assert response["Retry-After"] == "2"
    assert "a long password" not in response.content.decode()


def test_api_says_the_same_in_its_own_words(client):
    response = client.get("/cal/events/v1/events", headers={"Host": "evil.example"})

    assert response.json() == {
        "code": "rest_invalid_body",
        "message": "The body of the request cannot be read.",
        "data": {"status": 400},
    }
