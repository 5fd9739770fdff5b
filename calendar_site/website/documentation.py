"""Addresses of the documentation as people write them: `/docs/quickstart/` leads to `/docs/quickstart.html`.

The middleware for static files serves the pages themselves.
"""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponseRedirect
from django.urls import get_script_prefix

# Pages that have become a part of another page.
MOVED_PAGES = {
    "admin": "administration.html",
    "api/categories": "api/categories-and-tags.html",
    "api/custom-fields": "guides/custom-fields.html",
    "api/event-passwords": "api/events.html#event-passwords",
    "api/permissions": "api/authentication.html#permissions-and-roles",
    "api/tags": "api/categories-and-tags.html",
    "api/tickets": "api/events.html#tickets",
    "api/versioning": "api/requests.html#versions",
}


def documentation_page(request: HttpRequest, page: str) -> HttpResponseRedirect:
    """Redirect to the page of the documentation, written with or without a suffix. Raises Http404 if there is none."""
    file = MOVED_PAGES.get(page, f"{page}.html")
    path, _anchor, _name = file.partition("#")
    if not settings.DOCS_PATH or not (settings.DOCS_ROOT / path).is_file():
        raise Http404
    return HttpResponseRedirect(f"{get_script_prefix()}{settings.DOCS_PATH}/{file}")
