"""`/robots.txt`: what crawlers of search engines leave out."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from calendar_site.api.site_urls import urls_for
from calendar_site.core.http.admin_path import ADMIN_PATH
from calendar_site.core.http.allowed_methods import read_only


@read_only
def robots_txt(request: HttpRequest) -> HttpResponse:
    """Return the rules for crawlers.

    Calendars are allowed, because Google Calendar does not fetch one that the rules leave out. Search engines do not
    list them: see their header `X-Robots-Tag`.
    """
    sitemap = f"{urls_for(request).root}/sitemap.xml"
    rules = ["User-agent: *", f"Disallow: {ADMIN_PATH}", "Disallow: /preview/", "Allow: /"]
    lines = [*rules, "", f"Sitemap: {sitemap}", ""]
    return HttpResponse(
        "\n".join(lines), content_type="text/plain; charset=utf-8", headers={"Cache-Control": "no-cache"}
    )
