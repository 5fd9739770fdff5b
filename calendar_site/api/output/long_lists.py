"""Lists of any length in responses: long ones wait in a temporary file, so that they take little memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from tempfile import TemporaryFile
from typing import IO, Any

import orjson
from django.http import StreamingHttpResponse

# Longer lists are written to a file.
MAX_LENGTH_IN_MEMORY = 10_000_000
READ_SIZE = 256 * 1024
# The place of the list in the rest of the response. JSON text never contains it.
_PLACE = b"\0"


class LongList:
    """The JSON of a list in a temporary file, which is deleted when it is closed."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self.file: IO[bytes] = TemporaryFile()  # noqa: SIM115 - the response closes it
        try:
            self.file.write(b"[")
            for index, chunk in enumerate(chunks):
                self.file.writelines((b",", chunk) if index else (chunk,))
            self.file.write(b"]")
        except BaseException:
            self.file.close()
            raise


def collect_list(chunks: Iterable[bytes]) -> orjson.Fragment | LongList:
    """Return the list whose items the chunks contain, as JSON separated by commas."""
    chunks = iter(chunks)
    parts: list[bytes] = []
    length = 0
    for chunk in chunks:
        parts.append(chunk)
        length += len(chunk)
        if length > MAX_LENGTH_IN_MEMORY:
            return LongList(chain(_drain(parts), chunks))
    return orjson.Fragment(b"[" + b",".join(parts) + b"]")


def _drain(parts: list[bytes]) -> Iterator[bytes]:
    """Yield the parts, and free the memory of each."""
    parts.reverse()
    while parts:
        yield parts.pop()


class LongListResponse(StreamingHttpResponse):
    """A response whose body has a long list as the value of `key`."""

    def __init__(self, body: Mapping[str, Any], key: str, headers: Mapping[str, str]) -> None:
        long_list: LongList = body[key]
        before, after = orjson.dumps({**body, key: orjson.Fragment(_PLACE)}).split(_PLACE)
        length = len(before) + long_list.file.tell() + len(after)
        super().__init__(
            _FileParts(before, long_list.file, after),
            content_type="application/json",
            headers={**headers, "Content-Length": str(length)},
        )


class _FileParts:
    """The parts of a body with a file in its middle."""

    def __init__(self, before: bytes, file: IO[bytes], after: bytes) -> None:
        self.before, self.file, self.after = before, file, after

    def __iter__(self) -> Iterator[bytes]:
        yield self.before
        self.file.seek(0)
        while part := self.file.read(READ_SIZE):
            yield part
        yield self.after

    def close(self) -> None:
        self.file.close()
