"""`/.well-known/security.txt`."""

import pytest

PATH = "/.well-known/security.txt"

pytestmark = pytest.mark.time_machine("2030-05-04 12:00Z", tick=False)


def test_without_a_contact_it_is_not_found(db, client):
    assert client.get(PATH).status_code == 404


def test_contact_and_expiry(client, settings):
    settings.SECURITY_CONTACT = "mailto:security@example.org"

    response = client.get(PATH)

    assert (response.status_code, response["Content-Type"], response["Cache-Control"]) == (
        200,
        "text/plain; charset=utf-8",
        "public, max-age=86400",
    )
    assert response.content.decode() == (
        "Contact: mailto:security@example.org\n"
        "Expires: 2030-10-31T00:00:00Z\n"
        "Canonical: http://testserver/.well-known/security.txt\n"
    )


def test_optional_fields(client, settings):
    settings.SECURITY_CONTACT = "https://example.org/report"
    settings.SECURITY_POLICY_URL = "https://example.org/security"
    settings.SECURITY_ENCRYPTION_URL = "https://example.org/key.asc"
    settings.SECURITY_LANGUAGES = ["en", "fr"]

    assert client.get(PATH).content.decode() == (
        "Contact: https://example.org/report\n"
        "Expires: 2030-10-31T00:00:00Z\n"
        "Encryption: https://example.org/key.asc\n"
        "Policy: https://example.org/security\n"
        "Preferred-Languages: en, fr\n"
        "Canonical: http://testserver/.well-known/security.txt\n"
    )


def test_it_cannot_be_written(client, settings):
    settings.SECURITY_CONTACT = "mailto:security@example.org"

    assert client.post(PATH).status_code == 405
