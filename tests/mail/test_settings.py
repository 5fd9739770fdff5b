"""The settings of the mail server, and the check of its encryption."""

import pytest
from django.core.checks import run_checks

from calendar_site.configuration.environment import MailServer, read_mail_server
from calendar_site.mail.checks import check_encryption


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("", None),
        ("smtp://localhost", MailServer("localhost", 25, "", "", uses_starttls=False, uses_tls=False)),
        (
            "smtp+tls://calendar%40example.org:p%2Fw%24@mail.example.org",
            MailServer("mail.example.org", 587, "calendar@example.org", "p/w$", uses_starttls=True, uses_tls=False),
        ),
        ("smtp+ssl://u:p@[::1]:4650", MailServer("::1", 4650, "u", "p", uses_starttls=False, uses_tls=True)),
    ],
)
def test_url_of_the_server_is_read(monkeypatch, url, server):
    monkeypatch.setenv("EMAIL_URL", url)

    assert read_mail_server("EMAIL_URL") == server


@pytest.mark.parametrize(
    ("host", "password", "is_encrypted", "ids"),
    [
        ("mail.example.org", "secret", False, ["mail.W001"]),
        ("mail.example.org", "secret", True, []),
        ("mail.example.org", "", False, []),
        ("localhost", "secret", False, []),
    ],
)
def test_deployment_check_warns_about_a_password_without_encryption(settings, host, password, is_encrypted, ids):
    settings.EMAIL_HOST, settings.EMAIL_HOST_PASSWORD, settings.EMAIL_USE_TLS = host, password, is_encrypted

    found = run_checks(include_deployment_checks=True, tags=["security"])

    assert [message.id for message in found if message.id.startswith("mail.")] == ids
    assert [message.id for message in check_encryption(None)] == ids
