"""The view of the floor."""

from __future__ import annotations

import orjson
from django.http import HttpRequest, HttpResponse

from benchmarks.floor.event_list import event_list, single_event
from benchmarks.floor.lists import category_list, organizer_list, tag_list, venue_list
from benchmarks.floor.request import FloorRequest, sees_drafts

JSON = "application/json"
LISTS = {
    "events": event_list,
    "venues": venue_list,
    "organizers": organizer_list,
    "categories": category_list,
    "tags": tag_list,
}


def view(request: HttpRequest, path: str) -> HttpResponse:
    """Return the response of the service at `path`."""
    if path == "nothing":
        return HttpResponse(b"{}", content_type=JSON)
    floor = FloorRequest(
        request.get_host(), request.GET.dict(), sees_drafts(request.META.get("HTTP_AUTHORIZATION", ""))
    )
    collection, *name = path.split("/")
    if name:
        record = single_event(floor, "slug" if name[0] == "by-slug" else "id", name[-1])
        return HttpResponse(orjson.dumps(record), content_type=JSON)
    headers, body = LISTS[collection](floor)
    return HttpResponse(orjson.dumps(body), content_type=JSON, headers=headers)
