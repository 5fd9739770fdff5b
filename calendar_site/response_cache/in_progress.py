"""Responses that threads of this process are making."""

from __future__ import annotations

from threading import Event, Lock

from calendar_site.derived.content_version import Version
from calendar_site.response_cache.requests import RequestKey

# A thread that has waited this long builds the response itself.
MAX_WAIT_SECONDS = 2.0


class ResponsesInProgress:
    """Lets one thread make a response that others need as well. When many clients ask for it, it is made once."""

    def __init__(self) -> None:
        self._ends: dict[tuple[RequestKey, Version], Event] = {}
        self._lock = Lock()

    def begin(self, key: RequestKey, version: Version) -> bool:
        """Return True if the caller must make the response for this content version, and then call `end()`.

        If another thread makes it, return False once it has ended. There may be no stored response then, so the caller
        must not wait again: responses that are not stored would be made one after the other.
        """
        with self._lock:
            end = self._ends.get((key, version))
            if end is None:
                self._ends[key, version] = Event()
                return True
        end.wait(MAX_WAIT_SECONDS)
        return False

    def end(self, key: RequestKey, version: Version) -> None:
        with self._lock:
            end = self._ends.pop((key, version))
        end.set()
