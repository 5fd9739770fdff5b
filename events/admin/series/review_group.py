"""The events of a pending series, for the review page of one of them."""

from __future__ import annotations

from functools import partial

from calendar_site.back_office.review.display import ReviewGroup
from calendar_site.back_office.urls import admin_url
from calendar_site.core.choices import Status
from calendar_site.core.types import AnyUser
from events.models import Event, Series
from events.series.reviews import decide_on_series, newest_revision_of_pending, pending_events
from events.series.services import can_edit_series


def review_group(event: Event, user: AnyUser) -> ReviewGroup | None:
    """Return the pending events of the series if it is pending, and the user may change all of it. Four queries."""
    series = event.series
    if series is None or series.status != Status.PENDING:
        return None
    count = pending_events(series).count()
    if count < 2 or not can_edit_series(user, series):
        return None
    return ReviewGroup(
        count=count,
        page_url=admin_url(Series, "change", series.pk),
        seen_id=newest_revision_of_pending(series),
        decide=partial(decide_on_series, series),
    )
