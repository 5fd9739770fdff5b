"""The parts of the review pages that depend on the model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class ReviewDisplay(NamedTuple):
    # Returns place and time as one line for the queue.
    summarize: Callable[[Any], str] = lambda row: ""
    # Returns the URL of a preview of the public page.
    preview_url: Callable[[Any], str | None] = lambda row: None
