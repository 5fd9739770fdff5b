"""The page on which people read the API's document and try its calls: Swagger UI, from this site's own files."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from calendar_site.api.links import Links
from calendar_site.pages import answer_page


def console(request: HttpRequest, links: Links) -> HttpResponse:
    """The console of the API that `links` lead to."""
    response = answer_page(request, "console.html", title=_("Try the API"), address=f"{links.api}/doc", api=links.api)
    response["Content-Security-Policy"] = _content_security_policy(links)
    return response


def _content_security_policy(links: Links) -> str:
    """Nothing runs, and nothing is asked, but what is this site's own; the API may be at its public address."""
    parts = urlsplit(links.api)
    return "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            # Swagger UI has its signs in its style sheet.
            "img-src 'self' data:",
            f"connect-src 'self' {parts.scheme}://{parts.netloc}",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        )
    )
