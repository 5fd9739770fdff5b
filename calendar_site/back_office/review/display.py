"""The parts of the review pages that depend on the model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class ReviewDisplay(NamedTuple):
    # Where and when, in a line of the queue.
    summarize: Callable[[Any], str] = lambda row: ""
    # The URL at which the record is shown as its public page will be.
    preview_url: Callable[[Any], str | None] = lambda row: None
