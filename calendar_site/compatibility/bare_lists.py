"""Lists of `wp/v2` and `tec/v1`: a bare array, with the total in the headers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import urlencode

import orjson
from rest_framework.response import Response

from calendar_site.api.errors import ContractError, InvalidParams
from calendar_site.api.lists.filtersets import ContractFilterSet
from calendar_site.api.lists.pagination import Page, page_url
from calendar_site.api.output.list_budget import ListBudget, join_list
from calendar_site.api.output.selection import Selection
from calendar_site.compatibility.addresses import OriginalURLs
from calendar_site.core.compiled_queries.querysets import count_rows, fetch_columns
from calendar_site.core.types import AnyUser
from events.assembly import assemble_events
from events.protection.protected_fields import Reader


class NoSuchPage(ContractError):
    """The page is past the last one."""


def valid_filters(filterset: ContractFilterSet) -> ContractFilterSet:
    """Return the filters. Raises InvalidParams with all that are wrong."""
    if not filterset.is_valid():
        raise InvalidParams.from_errors(filterset.errors)
    return filterset


def read_page(filterset: ContractFilterSet) -> tuple[Page, list[Any]]:
    """Return the page that is asked for, and the rows on it. Two queries, one if there are no rows on it."""
    page = Page(filterset.get("page", 1), filterset.page_size, count_rows(filterset.qs))
    return page, list(filterset.qs[page.rows]) if not page.is_past_end and page.total else []


def read_page_of_ids(filterset: ContractFilterSet) -> tuple[Page, list[int]]:
    """Return the page that is asked for, and the ids of the rows on it. Two queries, one if there are no rows on it."""
    page = Page(filterset.get("page", 1), filterset.page_size, count_rows(filterset.qs))
    if page.is_past_end or not page.total:
        return page, []
    return page, [pk for (pk,) in fetch_columns(filterset.qs, ("pk",), page.rows)]


def load_event_records(ids: list[int], user: AnyUser, urls: OriginalURLs) -> list[dict[str, Any]]:
    """Return the records of the contract of these events, in this order. See `assemble_events` for the queries."""
    if not ids:
        return []
    budget = ListBudget()
    found: list[dict[str, Any]] = []
    for chunk in assemble_events(ids, Reader(user), urls, Selection(), budget=budget):
        found += orjson.loads(b"[%b]" % chunk)
    return found


def bare_list(
    records: Iterable[Any], page: Page, url: str, filterset: ContractFilterSet, selection: Selection
) -> Response:
    """Return the response with the records of a page of the list at `url`."""
    query = urlencode({**filterset.link_arguments(), **selection.link_arguments()})
    headers = {"X-WP-Total": str(page.total), "X-WP-TotalPages": str(page.page_count)}
    if links := ", ".join(_page_links(page, url, query)):
        headers["Link"] = links
    budget = ListBudget()
    body = join_list(budget.fit_all(selection.apply(record) for record in records))
    if budget.shortened:
        headers["X-Shortened-Records"] = str(budget.shortened)
    return Response(body, headers=headers)


def _page_links(page: Page, url: str, query: str) -> Iterator[str]:
    """Yield the links to the previous and to the next page, which name page 1, too."""
    if 1 < page.number <= page.page_count + 1 and page.page_count:
        first = page_url(url, query, 1)
        separator = "&" if "?" in first else "?"
        previous = f"{first}{separator}page=1" if page.number == 2 else page_url(url, query, page.number - 1)
        yield f'<{previous}>; rel="prev"'
    if page.number < page.page_count:
        yield f'<{page_url(url, query, page.number + 1)}>; rel="next"'
