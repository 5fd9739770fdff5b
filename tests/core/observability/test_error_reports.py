"""Reports of errors to Sentry, collected by a transport without a network."""

import json
import logging

import pytest
import sentry_sdk
from sentry_sdk.transport import Transport

from calendar_site.core.observability.error_reports import start_error_reports
from tests.support.api_client import API

CANARY = "canary-q7w3e9"
DSN = "https://key@sentry.example.org/1"


@pytest.fixture
def reports():
    """Return the events that the process would send to Sentry."""
    sent = []

    class Collector(Transport):
        def capture_envelope(self, envelope):
            sent.append(envelope.get_event())

    start_error_reports(DSN, transport=Collector)
    yield sent
    sentry_sdk.init()


@pytest.mark.django_db
def test_error_is_reported_with_its_request_and_without_secrets(editor_api, reports, monkeypatch):
    def fail(*_args, **_kwargs):
        password = CANARY
        raise RuntimeError(f"password={password} of {CANARY}@example.org")

    monkeypatch.setattr("events.views.EventViewSet.get_queryset", fail)
    response = editor_api.get(
        f"{API}/events/1?password={CANARY}", headers={"Cookie": f"sessionid={CANARY}", "X-Event-Password": CANARY}
    )

    (report,) = reports
    assert report["tags"] == {"request_id": response.json()["data"]["request_id"]}
    assert report["logentry"] == {"message": "Internal error: RuntimeError"}
    assert [error["value"] for error in report["exception"]["values"]] == ["password=*** of ***"]
    assert report.keys() & {"request", "user", "extra", "server_name", "breadcrumbs"} == set()
    # The source lines of the test name the variable, not its value.
    assert CANARY not in json.dumps(report, default=str)


def test_arguments_of_messages_are_masked(reports):
    logging.getLogger("calendar_site").error("Cannot reach redis://user:%s@host", CANARY)
    logging.getLogger("calendar_site").warning("Not an error")

    assert [report["logentry"] for report in reports] == [{"message": "Cannot reach redis://user:***@host"}]
