"""URLs as browsers open them (D48), and the message for each fault."""

import pytest
from django.core.exceptions import ValidationError

from calendar_site.core.validators import validate_http_url, with_scheme
from events.models import Event
from tests.factories import EventFactory
from tests.support.admin import form_errors, submit_form
from tests.support.api_client import API, invalid_params
from tests.support.api_writes import created_record, event_data

SCHEME = "Enter a URL that starts with http:// or https://."
SPACES = "A URL cannot contain spaces. Write them as %20."
HOST = "The host of the URL is not valid. Check the part after ://."


@pytest.mark.parametrize(
    "url",
    [
        "https://my_site.example.org/",
        "http://localhost:8000",
        "https://müller.example/straße?a=ü",
        "https://☕.example/",
        "https://例え.テスト/",
        "https://1.2.3.4/",
        "https://[::1]:8080/",
        "https://user:password@host/x",
        "HTTPS://EXAMPLE.ORG",
        "https://example.org./",
    ],
)
def test_urls_that_browsers_open_are_valid(url):
    assert validate_http_url(url) is None


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("www.example.org", SCHEME),
        ("ftp://example.org/", SCHEME),
        ("javascript:alert(1)", SCHEME),
        ("https://example.org/a b", SPACES),
        ("https://example.org/\n", SPACES),
        ("https://", HOST),
        ("https:///path", HOST),
        ("https://-a.example/", HOST),
        ("https://a..example/", HOST),
        ("https://1.2.3.999/", HOST),
        ("https://[::1/", HOST),
        ("https://a.example:99999/", HOST),
        ("https://<b>.example/", HOST),
        (f"https://{'a' * 64}.example/", HOST),
        ("https://a.example:0/", "The port of the URL is not valid."),
    ],
)
def test_message_names_the_fault(url, message):
    with pytest.raises(ValidationError) as error:
        validate_http_url(url)

    assert error.value.messages == [message]


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("www.example.org", "https://www.example.org"),
        ("example.org:8080/a?b#c", "https://example.org:8080/a?b#c"),
        ("http://example.org", "http://example.org"),
        ("mailto:a@example.org", "mailto:a@example.org"),
        ("a@example.org", "a@example.org"),
        ("javascript:alert(1)", "javascript:alert(1)"),
        ("nowhere", "nowhere"),
        ("two words.org", "two words.org"),
    ],
)
def test_scheme_is_added_to_a_host(typed, url):
    assert with_scheme(typed) == url


@pytest.mark.django_db
def test_api_says_what_is_wrong_with_a_url(editor_api):
    response = editor_api.post(f"{API}/events", event_data(website="https://example.org/a b"))
    created = created_record(editor_api.post(f"{API}/events", event_data(website="https://my_site.example.org/")))

    assert invalid_params(response) == {"website": SPACES}
    assert created["website"] == "https://my_site.example.org/"


@pytest.mark.django_db
@pytest.mark.usefixtures("plain_static_files")
def test_admin_adds_https(editor_browser):
    event = EventFactory()

    refused = submit_form(editor_browser, f"/admin/events/event/{event.pk}/change/", website="nowhere")
    submit_form(editor_browser, f"/admin/events/event/{event.pk}/change/", website=" www.example.org/a ")

    assert form_errors(refused) == {"website": [SCHEME]}
    assert Event.objects.get().website == "https://www.example.org/a"
