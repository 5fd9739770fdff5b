"""The API console: Swagger UI, served from this site, to read the OpenAPI document and try its operations."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from calendar_site.api.site_urls import SiteURLs
from calendar_site.pages.rendering import PageHead, render_page


def api_console(request: HttpRequest, urls: SiteURLs) -> HttpResponse:
    """Show the console of the API at `urls.api`."""
    head = PageHead(_("Try the API"), url=f"{urls.api}/doc")
    response = render_page(request, "console.html", head, {"is_console": True, "api": urls.api})
    response["Content-Security-Policy"] = _content_security_policy(urls)
    return response


def _content_security_policy(urls: SiteURLs) -> str:
    """Allow scripts and requests of this site only; PUBLIC_URL may put the API on another host than the request."""
    parts = urlsplit(urls.api)
    return "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            # The style sheet of Swagger UI contains its icons.
            "img-src 'self' data:",
            f"connect-src 'self' {parts.scheme}://{parts.netloc}",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        )
    )
