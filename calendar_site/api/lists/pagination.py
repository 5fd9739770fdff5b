"""Pagination: the envelope of a list, its totals, and the links to the next and previous page."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol


class Page(NamedTuple):
    """One page, counted from 1, of a list with `total` records."""

    number: int
    per_page: int
    total: int

    @property
    def page_count(self) -> int:
        return -(-self.total // self.per_page)

    @property
    def rows(self) -> slice:
        first = (self.number - 1) * self.per_page
        return slice(first, first + self.per_page)

    @property
    def is_past_end(self) -> bool:
        """Return whether the page is past the last one; an empty list has one page."""
        return self.number > max(self.page_count, 1)


class RecordList(Protocol):
    """The records that the parameters of a list ask for."""

    def count(self) -> int:
        """Return the number of records in the whole list."""
        ...

    def rows_of_page(self, page: Page) -> Any:
        """Return the rows of the whole list, as they are found soonest for this page."""
        ...


def envelope(collection: str, records: object, page: Page, url: str, links: dict[str, str]) -> dict[str, Any]:
    """Return the body of a list with these records, or with their JSON, at this URL, with the links of `page_links`."""
    body: dict[str, Any] = {collection: records, "rest_url": url}
    if "next" in links:
        body["next_rest_url"] = links["next"]
    if "prev" in links:
        body["previous_rest_url"] = links["prev"]
    return body | {"total": page.total, "total_pages": page.page_count}


def list_headers(page: Page, links: dict[str, str]) -> dict[str, str]:
    headers = {"X-TEC-Total": str(page.total), "X-TEC-TotalPages": str(page.page_count)}
    if links:
        headers["Link"] = ", ".join(f'<{url}>; rel="{rel}"' for rel, url in links.items())
    return headers


def page_links(page: Page, url: str, query: str) -> dict[str, str]:
    """Return the URLs of the next and the previous page as `next` and `prev`, if these pages exist.

    `query` has the parameters of the list, without `page`.
    """
    links = {}
    if page.number < page.page_count:
        links["next"] = page_url(url, query, page.number + 1)
    if 1 < page.number <= page.page_count + 1 and page.page_count:
        links["prev"] = page_url(url, query, page.number - 1)
    return links


def page_url(url: str, query: str, number: int) -> str:
    """Return the URL of a page, without a number for the first one."""
    parameters = "&".join(filter(None, (query, f"page={number}" if number > 1 else "")))
    return f"{url}?{parameters}" if parameters else url
