"""The lines of an export: a head, one JSON object for each record, and an end that tells a complete file from a part.

Records have the form of Django's serializers: `{"model": "events.event", "pk": 7, "fields": {...}}`. Times are in UTC.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, BinaryIO, NamedTuple

from django.core.serializers.json import DjangoJSONEncoder

from calendar_site.transfer.exports.errors import ExportError

FORMAT = 1
HEAD, END = "calendar_export", "records"
# More than any record: texts have at most some hundred thousand characters.
MAX_LINE_BYTES = 20_000_000


class Head(NamedTuple):
    with_people: bool
    with_history: bool


class _Encoder(DjangoJSONEncoder):
    """Keeps microseconds, which Django's encoder cuts to milliseconds."""

    def default(self, value: Any) -> Any:
        if isinstance(value, datetime):
            return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
        return super().default(value)


def encode(line: dict[str, Any]) -> bytes:
    # Without escapes, so that people can read the file.
    return json.dumps(line, cls=_Encoder, ensure_ascii=False, sort_keys=True).encode() + b"\n"


def encode_head(head: Head) -> bytes:
    return encode({HEAD: FORMAT, "history": head.with_history, "people": head.with_people})


def encode_end(counts: dict[str, int]) -> bytes:
    return encode({END: counts})


def read_head(file: BinaryIO) -> Head:
    """Read the first line. Raises ExportError."""
    line = _parse(file.readline(MAX_LINE_BYTES), 1)
    if HEAD not in line:
        raise ExportError("The file is no export of a calendar.")
    if line[HEAD] != FORMAT:
        raise ExportError(f"The export has format {line[HEAD]}, which this version does not know.")
    return Head(with_people=bool(line.get("people")), with_history=bool(line.get("history")))


def read_records(file: BinaryIO) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the number and the record of each further line. Raises ExportError unless the end is that of the file."""
    counts: dict[str, int] = {}
    number = 1
    while content := file.readline(MAX_LINE_BYTES):
        number += 1
        line = _parse(content, number)
        if END in line:
            _check_end(line[END], counts, file)
            return
        model = str(line.get("model"))
        counts[model] = counts.get(model, 0) + 1
        yield number, line
    raise ExportError(f"The export ends early, after line {number}.")


def _check_end(stated: object, counts: dict[str, int], file: BinaryIO) -> None:
    if stated != counts:
        raise ExportError("The export does not have as many records as its last line says.")
    if file.read(1):
        raise ExportError("The export continues after its end.")


def _parse(content: bytes, number: int) -> dict[str, Any]:
    try:
        line = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise ExportError(f"Line {number} is no JSON.") from error
    if not isinstance(line, dict):
        raise ExportError(f"Line {number} is no record.")
    return line
