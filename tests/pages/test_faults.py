"""What people read when something fails: pages of the same family, which need nothing that may have failed."""

import pytest
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError
from django.test import Client
from django.urls import include, path

from calendar_site import urls
from tests.pages.reading import read

handler400, handler403 = urls.handler400, urls.handler403
handler404, handler500 = urls.handler404, urls.handler500


def failing(request):
    raise DatabaseError("The disk is full: /secret/place")


def refusing(request):
    raise PermissionDenied("Not you, because of /secret/place")


urlpatterns = [path("failing/", failing), path("refusing/", refusing), path("", include(urls.urlpatterns))]

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


def test_api_says_the_same_in_its_own_words(client):
    response = client.get("/cal/events/v1/events", headers={"Host": "evil.example"})

    assert response.json() == {
        "code": "rest_invalid_body",
        "message": "The body of the request cannot be read.",
        "data": {"status": 400},
    }
