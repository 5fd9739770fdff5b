"""`/.well-known/security.txt` (RFC 9116): how to report a vulnerability of this site."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse

from calendar_site.api.site_urls import urls_for
from calendar_site.core import clock
from calendar_site.core.http.allowed_methods import read_only

# RFC 9116 recommends less than a year, so that an abandoned file is recognized.
VALID_FOR = timedelta(days=180)


@read_only
def security_txt(request: HttpRequest) -> HttpResponse:
    """Show the contact for security reports, 404 without SECURITY_CONTACT."""
    if not settings.SECURITY_CONTACT:
        raise Http404
    # At midnight, so that the file changes once a day.
    expires = datetime.combine(clock.today(UTC) + VALID_FOR, time(), UTC)
    fields = [
        ("Contact", settings.SECURITY_CONTACT),
        ("Expires", f"{expires:%Y-%m-%dT%H:%M:%SZ}"),
        ("Encryption", settings.SECURITY_ENCRYPTION_URL),
        ("Policy", settings.SECURITY_POLICY_URL),
        ("Preferred-Languages", ", ".join(settings.SECURITY_LANGUAGES)),
        ("Canonical", f"{urls_for(request).root}/.well-known/security.txt"),
    ]
    text = "".join(f"{name}: {value}\n" for name, value in fields if value)
    response = HttpResponse(text, content_type="text/plain; charset=utf-8")
    response["Cache-Control"] = "public, max-age=86400"
    return response
