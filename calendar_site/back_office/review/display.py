"""The parts of the review pages that depend on the model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Protocol

from calendar_site.audit.record_services import ContentServices
from calendar_site.back_office.record_admin import RecordModelAdmin
from calendar_site.core.types import AnyUser
from calendar_site.review.services import Decision


class DecideOnGroup(Protocol):
    def __call__(self, decision: Decision, *, user: AnyUser, seen_id: int | None) -> None:
        """Raises the exceptions of `approve()`."""


@dataclass(frozen=True)
class ReviewGroup:
    """Pending records on which one decision can be made: the events of a series."""

    # The number of pending records, with the one that is shown.
    count: int
    page_url: str
    # The id of the newest revision of these records.
    seen_id: int
    decide: DecideOnGroup


class ReviewDisplay(NamedTuple):
    # Returns place and time as one line for the queue.
    summarize: Callable[[Any], str] = lambda row: ""
    # Returns the URL of a preview of the public page.
    preview_url: Callable[[Any], str | None] = lambda row: None
    # Returns the group of a record if the user may decide on all of it.
    group: Callable[[Any, AnyUser], ReviewGroup | None] = lambda row, user: None


class ReviewedModelAdmin(RecordModelAdmin):
    """The ModelAdmin of records that are reviewed before they are published."""

    services: ClassVar[ContentServices[Any]]
    review_display: ClassVar[ReviewDisplay] = ReviewDisplay()
