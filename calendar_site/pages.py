"""What the pages for people share: how they are answered, cut into pages, and what is said when something fails."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.core.paginator import EmptyPage, Page, Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from calendar_site.api.links import links_for
from calendar_site.content.choices import Status
from calendar_site.content.html import as_text

ROWS_PER_PAGE = 20
SUMMARY_LENGTH = 200

# Descriptions may show images of other sites; nothing may run.
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'self'",
        "img-src 'self' https: data:",
        "script-src 'none'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)

_PAGE_NUMBER = re.compile(r"[1-9][0-9]{0,8}")
# What could end a script element, or begin a comment in it, in the spelling of JSON.
_IN_SCRIPT = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


def answer_page(
    request: HttpRequest, template: str, *, title: str, canonical: str = "", status: int = 200, **context: Any
) -> HttpResponse:
    """A page of the template family; `canonical` is the one address that it is to be known by."""
    shared = {"site_name": settings.SITE_NAME, "site_zone": settings.SITE_TIME_ZONE, "links": links_for(request)}
    response = render(request, template, {**shared, "title": title, "canonical": canonical, **context}, status=status)
    response["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
    return response


def page_of(request: HttpRequest, rows: QuerySet, parameter: str = "page") -> Page:
    """The page of ordered `rows` that the query asks for, the first unless it does. Costs a query.

    Raises Http404 for what is no number of a page and for a page beyond the last.
    """
    given = request.GET.get(parameter, "1")
    if not _PAGE_NUMBER.fullmatch(given):
        raise Http404
    try:
        return Paginator(rows, ROWS_PER_PAGE).page(int(given))
    except EmptyPage as error:
        raise Http404 from error


def page_address(address: str, pages: dict[str, Page]) -> str:
    """`address` with the numbers of the pages shown, by their parameters; first pages are not named."""
    numbers = {parameter: page.number for parameter, page in pages.items() if page.number > 1}
    return f"{address}?{urlencode(numbers)}" if numbers else address


def status_note(record: dict[str, Any]) -> str:
    """The status of a record that not everybody may see, in words; "" for a published one."""
    return "" if record["status"] == Status.PUBLISH else str(Status(record["status"]).label)


def summary(record: dict[str, Any]) -> str:
    """The first words of a record's excerpt or description, without markup."""
    return Truncator(as_text(record.get("excerpt") or record["description"])).chars(SUMMARY_LENGTH)


def data_block(data: dict[str, Any]) -> SafeString:
    """Structured data for search engines as a script element that no text in it can end."""
    return format_html(
        '<script type="application/ld+json">{}</script>', SafeString(json.dumps(data).translate(_IN_SCRIPT))
    )


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return answer_page(request, "404.html", title=_("Page not found"), status=404)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return answer_page(request, "403.html", title=_("Not allowed"), status=403)


def server_error(request: HttpRequest) -> HttpResponse:
    return answer_page(request, "500.html", title=_("Something went wrong"), status=500)
