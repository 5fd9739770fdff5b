"""What the pages for people share: how they are answered, cut into pages, and what is said when something fails."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.core.paginator import EmptyPage, Page, Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.shortcuts import render
from django.urls import get_script_prefix
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from calendar_site.api.links import Links, links_for, root_path
from calendar_site.content.choices import Status
from calendar_site.content.custom_values import Fact, in_words
from calendar_site.content.html import as_text
from calendar_site.content.models import CustomField
from calendar_site.content.transactions import COME_BACK_AFTER

View = Callable[..., HttpResponse]

ROWS_PER_PAGE = 20
SUMMARY_LENGTH = 200

# Descriptions may show images of other sites, and so may MEDIA_URL; nothing may run, and nothing else comes from
# elsewhere.
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "style-src 'self'",
        "img-src 'self' http: https:",
        "base-uri 'none'",
        "form-action {forms}",
        "frame-ancestors 'none'",
    )
)

_PAGE_NUMBER = re.compile(r"[1-9][0-9]{0,8}")
_HEADING = re.compile(r"(</?h)([1-6])\b")
# What could end a script element, or begin a comment in it, in the spelling of JSON.
_IN_SCRIPT = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


class Pager(NamedTuple):
    """Where a list stands among its pages; the addresses are "" where there is no such page."""

    number: int
    total: int
    previous: str
    next: str


class Version(NamedTuple):
    """A page in one of the languages; `language` is its name in itself."""

    code: str
    language: str
    url: str
    is_shown: bool


def read_only(view: View) -> View:
    """A view for GET and HEAD alone."""
    return _for_methods(("GET", "HEAD"), view)


def with_form(view: View) -> View:
    """A view whose page has a form, which comes back to it by POST with its token."""
    return _for_methods(("GET", "HEAD", "POST"), csrf_protect(view))


def _for_methods(methods: tuple[str, ...], view: View) -> View:
    """The view, with other methods refused in a line of text, whether they bring a token or not."""

    @csrf_exempt
    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method not in methods:
            refusal = _("This page can only be read.")
            return HttpResponseNotAllowed(methods, f"{refusal}\n", content_type="text/plain; charset=utf-8")
        return view(request, *args, **kwargs)

    return checked


def answer_page(
    request: HttpRequest,
    template: str,
    *,
    title: str,
    address: str,
    pages: Mapping[str, Page] | None = None,
    status: int = 200,
    is_private: bool = False,
    has_form: bool = False,
    **context: Any,
) -> HttpResponse:
    """A page of the template family at its one `address`, with the `pages` of its lists by their parameters.

    `is_private` for what depends on more than the account of the reader.
    """
    pages = pages or {}
    numbers = {parameter: page.number for parameter, page in pages.items()}
    canonical = _page_address(address, numbers)
    versions = links_for(request).versions(canonical)
    response = _render(
        request,
        template,
        title=title,
        canonical=canonical,
        in_any_language=versions[""],
        versions=[
            Version(code, language, versions[code], is_shown=code == get_language())
            for code, language in settings.LANGUAGES
        ],
        page_note=_page_note(numbers),
        pagers={parameter: _pager(address, numbers, parameter, page) for parameter, page in pages.items()},
        status=status,
        has_form=has_form,
        **context,
    )
    response["Cache-Control"] = "private, no-store" if is_private or request.user.is_authenticated else "no-cache"
    return response


def see_other(path: str) -> HttpResponse:
    """Leads on from a form that did its work."""
    response = HttpResponseRedirect(path, status=303)
    response["Cache-Control"] = "private, no-store"
    return response


def page_of(request: HttpRequest, rows: QuerySet, parameter: str) -> Page:
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


def _pager(address: str, numbers: dict[str, int], parameter: str, page: Page) -> Pager:
    def at(number: int) -> str:
        return _page_address(address, {**numbers, parameter: number})

    return Pager(
        page.number,
        page.paginator.num_pages,
        at(page.number - 1) if page.has_previous() else "",
        at(page.number + 1) if page.has_next() else "",
    )


def _page_address(address: str, numbers: dict[str, int]) -> str:
    """`address` with the numbers of the pages shown; first pages are not named."""
    named = {parameter: number for parameter, number in numbers.items() if number > 1}
    return f"{address}?{urlencode(named)}" if named else address


def _page_note(numbers: dict[str, int]) -> str:
    """Which page this is, in words; "" where every list shows its first one."""
    number = max(numbers.values(), default=1)
    return _("page %(number)s") % {"number": number} if number > 1 else ""


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


def prose(markup: str) -> SafeString:
    """A description, which was sanitised when it was saved, with its headings below that of the page."""
    levels = sorted({level for _tag, level in _HEADING.findall(markup)})
    below = {level: str(min(rank, 6)) for rank, level in enumerate(levels, start=2)}
    return SafeString(_HEADING.sub(lambda tag: tag[1] + below[tag[2]], markup))


def custom_facts(record: dict[str, Any], declared: Iterable[CustomField]) -> list[Fact]:
    """What a record (as the API answers it) holds in its custom fields, in the order of these."""
    held = record["custom_fields"]
    return [in_words(field, held[field.name]["value"]) for field in declared if field.name in held]


# --- What is said when something fails -----------------------------------------------------------


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _answer_fault(request, "400.html", title=_("Bad request"), status=400)


def too_large(request: HttpRequest) -> HttpResponse:
    limits = {"limit": settings.DATA_UPLOAD_MAX_MEMORY_SIZE, "limit_with_files": settings.UPLOAD_LIMIT}
    return _answer_fault(request, "413.html", title=_("Too large"), status=413, **limits)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _answer_fault(request, "403.html", title=_("Not allowed"), status=403)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """For a form without its token. Why is in the log: the sender of a forged one learns nothing."""
    return _answer_fault(request, "403_csrf.html", title=_("The form was not accepted"), status=403)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _answer_fault(request, "404.html", title=_("Page not found"), status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    return _answer_fault(request, "500.html", title=_("Something went wrong"), status=500)


def busy(request: HttpRequest) -> HttpResponse:
    """For a write whose turn did not come. What was sent stands in the page, to be sent again.

    Not so files, which pages cannot give back, and passwords, which they should not.
    """
    is_kept_back = bool(request.FILES) or hasattr(request, "sensitive_post_parameters")
    sent = [] if is_kept_back else [(name, value) for name, values in request.POST.lists() for value in values]
    response = _answer_fault(
        request,
        "503.html",
        title=_("One moment, please"),
        status=503,
        has_form=bool(sent),
        sent=sent,
    )
    response["Retry-After"] = str(COME_BACK_AFTER)
    return response


def _answer_fault(request: HttpRequest, template: str, *, title: str, status: int, **context: Any) -> HttpResponse:
    """Reads neither session nor database, which may be what failed."""
    response = _render(request, template, status=status, title=title, **context)
    response["Cache-Control"] = "no-store"
    return response


def _render(
    request: HttpRequest, template: str, *, status: int = 200, has_form: bool = False, **context: Any
) -> HttpResponse:
    shared = {
        "site_name": settings.SITE_NAME,
        "site_zone": settings.SITE_TIME_ZONE.replace("_", " "),
        "links": _links(request),
    }
    response = render(request, template, {**shared, **context}, status=status)
    response["Content-Security-Policy"] = CONTENT_SECURITY_POLICY.format(forms="'self'" if has_form else "'none'")
    return response


def _links(request: HttpRequest) -> Links:
    try:
        return links_for(request)
    except DisallowedHost:
        # A refused host is not repeated: what links there are stay relative.
        return Links(site=get_script_prefix().rstrip("/"), api="", root=root_path(request))
