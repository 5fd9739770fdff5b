"""The order of a list: `orderby` and `order`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

ORDERS = ["asc", "desc"]
# Keys of `orderby` whose default is descending: the newest and the most relevant records come first.
DESCENDING = {"date", "modified", "relevance"}
RELEVANCE = "relevance"


class Order(NamedTuple):
    """The key and the direction of a list, and those that decide among equally relevant records."""

    key: str
    direction: str
    default_key: str
    default_direction: str
    # The columns of each key but `relevance`.
    columns: Mapping[str, tuple[str, ...]]
    # What is searched for.
    text: str = ""

    @property
    def is_descending(self) -> bool:
        return self.direction == "desc"

    def apply(self, rows: Any) -> Any:
        """Return the rows in this order, and by id if they are equal."""
        if self.key == RELEVANCE:
            return rows.ordered_by_relevance(
                self.text,
                *self.columns[self.default_key],
                best_first=self.is_descending,
                descending=self.default_direction == "desc",
            )
        return rows.ordered_by(*self.columns[self.key], descending=self.is_descending)
