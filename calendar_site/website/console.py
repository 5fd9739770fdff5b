"""The API console: Swagger UI, served from this site, to read the OpenAPI document and try its operations."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from calendar_site.api.site_urls import SiteURLs
from calendar_site.core.http import security_headers
from calendar_site.website.rendering import PageHead, render_page


def api_console(request: HttpRequest, urls: SiteURLs) -> HttpResponse:
    """Show the console of the API at `urls.api`."""
    head = PageHead(_("Try the API"), url=f"{urls.api}/doc")
    response = render_page(request, "console.html", head, {"is_console": True, "api": urls.api}, has_script=False)
    # PUBLIC_URL may put the API on another host than the request.
    api = urlsplit(urls.api)
    response[security_headers.HEADER] = security_headers.console_policy(f"{api.scheme}://{api.netloc}")
    return response
