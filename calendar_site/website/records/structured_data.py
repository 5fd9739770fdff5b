"""The structured data of an event page, by the rules that search engines document for events."""

from __future__ import annotations

from typing import Any

from events.representation import EventRecord, event_json_ld


def page_json_ld(event: EventRecord) -> dict[str, Any]:
    """Return an event as schema.org's Event.

    Unlike `json_ld` of the API, it has dates without times for whole days, which Google asks for, and no end if the end
    is not known: https://developers.google.com/search/docs/appearance/structured-data/event
    """
    data = event_json_ld(event)
    if event["all_day"]:
        return {**data, "startDate": event["start_date"][:10], "endDate": event["end_date"][:10]}
    if event["start"] == event["end"]:
        del data["endDate"]
    return data
