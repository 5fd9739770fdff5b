"""The size of lists: no response has more than 10 MB, whatever is stored (D53)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import orjson

# The JSON of the records of a list, in bytes. Records without their long fields have a few kB, a hundred of them 1 MB.
MAX_LIST_BYTES = 8_000_000
# How many bytes are used before each record is measured.
UNMEASURED_BYTES = 2_000_000
# The values of left out fields: at first texts, and then whatever else may be long.
TEXTS: Mapping[str, Any] = {"description": "", "excerpt": ""}
LONG_FIELDS: Mapping[str, Any] = {
    **TEXTS,
    **{name: [] for name in ("venue", "organizer", "categories", "tags", "tickets", "custom_fields")},
}


def join_list(chunks: Iterable[bytes]) -> orjson.Fragment:
    """Return the list whose items the chunks contain, as JSON separated by commas."""
    return orjson.Fragment(b"[" + b",".join(chunks) + b"]")


class ListBudget:
    """What the records of one response may still use. Records that are too long lose their long fields."""

    def __init__(self) -> None:
        self.used = 0
        # How many records lost fields.
        self.shortened = 0

    @property
    def is_measured(self) -> bool:
        """Return whether so much is used that each record has to be measured."""
        return self.used > UNMEASURED_BYTES

    def use(self, length: int) -> None:
        self.used += length

    def fit(self, record: bytes) -> bytes:
        """Return the JSON of a record, without its long fields if there is no room for them."""
        if self.used + len(record) > MAX_LIST_BYTES:
            self.shortened += 1
            record = self._shorten(record)
        self.use(len(record))
        return record

    def fit_all(self, records: Iterable[Any]) -> Iterator[bytes]:
        """Yield the JSON of each record."""
        for record in records:
            yield self.fit(orjson.dumps(record))

    def _shorten(self, record: bytes) -> bytes:
        values = orjson.loads(record)
        for fields in (TEXTS, LONG_FIELDS):
            record = orjson.dumps({**values, **{name: fields[name] for name in fields.keys() & values.keys()}})
            if self.used + len(record) <= MAX_LIST_BYTES:
                break
        return record
