"""Which requests get the same response for everybody, and can be repeated."""

import pytest
from django.test import RequestFactory

from calendar_site.core.http.public_requests import is_public

EVENTS = "/cal/events/v1/events"


@pytest.mark.parametrize(
    ("method", "path", "headers"),
    [
        ("GET", EVENTS, {}),
        ("HEAD", EVENTS, {}),
        ("GET", f"{EVENTS}?search=open%20air", {"If-None-Match": '"1"', "Origin": "https://example.org"}),
        ("GET", "/administration/", {}),
    ],
)
def test_reads_for_everybody_are_public(method, path, headers):
    assert is_public(RequestFactory().generic(method, path, headers=headers))


@pytest.mark.parametrize(
    ("method", "path", "headers"),
    [
        ("POST", EVENTS, {}),
        ("OPTIONS", EVENTS, {}),
        ("GET", "/admin/login/", {}),
        ("GET", "/admin/invitation/MQ/token/", {}),
        ("GET", EVENTS, {"Authorization": "Bearer abc"}),
        ("GET", EVENTS, {"Cookie": "theme=dark"}),
        ("GET", EVENTS, {"X-Event-Password": ""}),
        ("GET", EVENTS, {"If-Match": "*"}),
        ("GET", EVENTS, {"If-Unmodified-Since": "Wed, 10 Mar 2027 12:00:00 GMT"}),
        ("GET", EVENTS, {"Transfer-Encoding": "chunked"}),
        ("GET", f"{EVENTS}/1?password=secret", {}),
        ("GET", f"{EVENTS}/1?%70assword=secret", {}),
    ],
)
def test_other_requests_are_not_public(method, path, headers):
    assert not is_public(RequestFactory().generic(method, path, headers=headers))


def test_request_with_a_body_is_not_public():
    assert not is_public(RequestFactory().generic("GET", EVENTS, data=b"{}"))
