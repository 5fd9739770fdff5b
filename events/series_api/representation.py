"""Series as the API represents them."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from calendar_site.api.output.representation import PublicationRecord, represent_publication
from calendar_site.api.site_urls import SiteURLs
from events.models import Series


class SeriesRow(NamedTuple):
    """The columns of a series that responses need."""

    id: int
    author_id: int
    status: str
    published_at: datetime
    modified_at: datetime
    title: str
    start_local: str
    end_local: str
    time_zone: str
    all_day: bool
    rrule: str
    rdate: list[str]
    exdate: list[str]
    outdated: list[dict[str, Any]]


class SeriesRecord(PublicationRecord):
    id: int
    rest_url: str
    events_url: str
    title: str
    start_date: str
    end_date: str
    timezone: str
    all_day: bool
    rrule: str
    rdate: list[str]
    exdate: list[str]
    is_complete: bool


def represent_series(row: Series | SeriesRow, urls: SiteURLs) -> SeriesRecord:
    return {
        "id": row.id,
        **represent_publication(row),
        "rest_url": urls.record_url("series", row.id),
        "events_url": f"{urls.api}/events?series={row.id}",
        "title": row.title,
        "start_date": row.start_local,
        "end_date": row.end_local,
        "timezone": row.time_zone,
        "all_day": row.all_day,
        "rrule": row.rrule,
        "rdate": row.rdate,
        "exdate": row.exdate,
        "is_complete": not row.outdated,
    }
