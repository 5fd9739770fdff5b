"""Pagination of the lists on a page. A page may have several lists, each with its own query parameter."""

from __future__ import annotations

import re
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.core.paginator import EmptyPage, Page, Paginator
from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _

ROWS_PER_PAGE = 20

_PAGE_NUMBER = re.compile(r"[1-9][0-9]{0,8}")


class Pager(NamedTuple):
    """The current page of a list, and the URLs of the pages before and after it, "" if there is none."""

    number: int
    total: int
    previous_url: str
    next_url: str


def get_page(request: HttpRequest, rows: Any, parameter: str) -> Page[Any]:
    """Return the requested page of ordered `rows`, by default the first. They are what Django's paginator accepts.

    Raises Http404 if the parameter is not a page number, or if the page is beyond the last.
    """
    number = request.GET.get(parameter, "1")
    if not _PAGE_NUMBER.fullmatch(number):
        raise Http404
    try:
        return Paginator(rows, ROWS_PER_PAGE).page(int(number))
    except EmptyPage as error:
        raise Http404 from error


def make_pager(url: str, numbers: dict[str, int], parameter: str, page: Page[Any]) -> Pager:
    """Return the pager of one list. Its URLs keep the current pages of the other lists."""

    def url_of(number: int) -> str:
        return add_page_numbers(url, {**numbers, parameter: number})

    return Pager(
        page.number,
        page.paginator.num_pages,
        url_of(page.number - 1) if page.has_previous() else "",
        url_of(page.number + 1) if page.has_next() else "",
    )


def add_page_numbers(url: str, numbers: dict[str, int]) -> str:
    """Return the URL with the page numbers of its lists by parameter, leaving out the number 1."""
    query = {parameter: number for parameter, number in numbers.items() if number > 1}
    return f"{url}{'&' if '?' in url else '?'}{urlencode(query)}" if query else url


def page_number_note(numbers: dict[str, int]) -> str:
    """Return the addition to the title of a page such as “page 2”, "" if all lists show their first page."""
    number = max(numbers.values(), default=1)
    return _("page %(number)s") % {"number": number} if number > 1 else ""
