"""The envelope of lists: records, totals, and links to the neighbouring pages."""

from __future__ import annotations

from typing import Any, NamedTuple
from urllib.parse import urlencode


class Page(NamedTuple):
    """One page of a list of `total` records, cut `per_page` at a time; pages are counted from 1."""

    number: int
    per_page: int
    total: int

    @property
    def pages(self) -> int:
        return -(-self.total // self.per_page)

    @property
    def rows(self) -> slice:
        first = (self.number - 1) * self.per_page
        return slice(first, first + self.per_page)

    @property
    def is_beyond(self) -> bool:
        return self.number > max(self.pages, 1)


def envelope(
    collection: str, records: list[Any], page: Page, address: str, arguments: dict[str, str]
) -> dict[str, Any]:
    """The contract's list: `arguments` are those in force, `page` apart."""
    links = page_links(page, address, arguments)
    body: dict[str, Any] = {collection: records, "rest_url": page_url(address, arguments, page.number)}
    if "next" in links:
        body["next_rest_url"] = links["next"]
    if "prev" in links:
        body["previous_rest_url"] = links["prev"]
    return body | {"total": page.total, "total_pages": page.pages}


def page_links(page: Page, address: str, arguments: dict[str, str]) -> dict[str, str]:
    """The addresses of the `next` and `prev` pages, where there are such pages."""
    links = {}
    if page.number < page.pages:
        links["next"] = page_url(address, arguments, page.number + 1)
    if 1 < page.number <= page.pages + 1 and page.pages:
        links["prev"] = page_url(address, arguments, page.number - 1)
    return links


def page_url(address: str, arguments: dict[str, str], number: int) -> str:
    """The address of a page; that of the first page names no number."""
    query = urlencode(arguments | ({"page": str(number)} if number > 1 else {}))
    return f"{address}?{query}" if query else address


def list_headers(page: Page, address: str, arguments: dict[str, str]) -> dict[str, str]:
    links = ", ".join(f'<{url}>; rel="{rel}"' for rel, url in page_links(page, address, arguments).items())
    headers = {"X-TEC-Total": str(page.total), "X-TEC-TotalPages": str(page.pages)}
    return headers | ({"Link": links} if links else {})
