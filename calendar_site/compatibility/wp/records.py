"""Events, venues and organizers in `wp/v2`: lists and single reads."""

from __future__ import annotations

from typing import Any, ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from calendar_site.api.description.arguments import Arguments, describe_filters
from calendar_site.api.description.operations import ID_IN_PATH
from calendar_site.compatibility.addresses import OriginalURLs
from calendar_site.compatibility.bare_lists import bare_list, read_page_of_ids, valid_filters
from calendar_site.compatibility.errors import denied, no_such_page, unknown_record
from calendar_site.compatibility.kinds import EVENTS, Kind
from calendar_site.compatibility.posts import Record, hides_fields, terms_of_event, to_post
from calendar_site.compatibility.tribe.records import CURIES
from calendar_site.compatibility.wp.filtersets import WPContentFilterSet, WPEventFilterSet
from calendar_site.compatibility.wp.views import WPView
from calendar_site.core import permissions
from calendar_site.core.compiled_queries.querysets import CompiledQuerySet

# The names of the stored fields in the original, by the keys of the contract.
META_OF_VENUES = {
    "_VenueAddress": "address", "_VenueCity": "city", "_VenueCountry": "country", "_VenueProvince": "province",
    "_VenueState": "state", "_VenueStateProvince": "stateprovince", "_VenueZip": "zip", "_VenuePhone": "phone",
    "_VenueURL": "website",
}  # fmt: skip
META_OF_ORGANIZERS = {"_OrganizerEmail": "email", "_OrganizerPhone": "phone", "_OrganizerWebsite": "website"}


class WPContentView(WPView):
    """A view of records of one kind."""

    kind: ClassVar[Kind] = EVENTS

    @property
    def url(self) -> str:
        return f"{self.urls.wp}/{self.kind.post_type}"

    def represent(self, record: Record) -> dict[str, Any]:
        post = to_post(record, self.kind, self.urls, with_raw=self.is_for_editing)
        if self.kind is EVENTS:
            post |= terms_of_event(record)
        return {**post, "meta": meta_of(record, self.kind), "_links": links_of(record, self.kind, self.urls)}


class WPContentList(WPContentView):
    def get(self, request: Request, **path: str) -> Response:
        self.check_context(permissions.has_model_permission(request.user, "change", self.kind.model))
        filterset_class = WPEventFilterSet if self.kind is EVENTS else WPContentFilterSet
        filterset = valid_filters(filterset_class(self.arguments, CompiledQuerySet(self.kind.model), request=request))
        self.ignore_arguments_except(filterset.filters)
        page, ids = read_page_of_ids(filterset)
        if page.is_past_end:
            raise no_such_page("rest_post_invalid_page_number", 400)
        records = self.kind.load(ids, request.user, self.urls)
        return bare_list(map(self.represent, records), page, self.url, filterset, self.selection)

    def get_arguments(self, method: str) -> Arguments:
        return describe_filters(WPEventFilterSet if self.kind is EVENTS else WPContentFilterSet)


class WPContentItem(WPContentView):
    def get(self, request: Request, id: str, **path: str) -> Response:  # the name in the pattern
        self.ignore_arguments_except()
        row = find_by_id(self.kind.model.objects.all(), id)
        if row is None:
            raise unknown_record("rest_post_invalid_id")
        if not permissions.can_read(request.user, row):
            raise denied(request, "rest_forbidden")
        self.check_context(permissions.can_edit(request.user, row))
        records = self.kind.load([row.pk], request.user, self.urls)
        if not records:
            raise unknown_record("rest_post_invalid_id")
        return Response(self.selection.apply(self.represent(records[0])))

    def get_path_arguments(self) -> Arguments:
        return {"id": ID_IN_PATH}


def find_by_id(rows: Any, pk: str) -> Any:
    """Return the row with the id in a path, None without one. Databases have no ids of more digits."""
    return rows.filter(pk=int(pk)).first() if len(pk) <= 18 else None


def meta_of(record: Record, kind: Kind) -> dict[str, Any]:
    """Return the stored fields of a record by their names in the original; "" for those that are not set."""
    if kind is EVENTS:
        return _meta_of_event(record)
    names = META_OF_VENUES if "venue" in record else META_OF_ORGANIZERS
    return {name: record[key] for name, key in names.items()}


def _meta_of_event(event: Record) -> dict[str, Any]:
    is_hidden = hides_fields(event)
    venues = event["venue"] if isinstance(event["venue"], list) else [event["venue"]]
    return {
        "_EventStartDate": event["start_date"],
        "_EventEndDate": event["end_date"],
        "_EventStartDateUTC": event["utc_start_date"],
        "_EventEndDateUTC": event["utc_end_date"],
        "_EventTimezone": event["timezone"],
        "_EventURL": "" if is_hidden or event["website"] == event["url"] else event["website"],
        "_EventCost": event["cost"],
        "_EventAllDay": bool(event["all_day"]),
        "_EventShowMap": bool(event["show_map"]),
        "_EventShowMapLink": bool(event["show_map_link"]),
        "_EventVenueID": [venue["id"] for venue in venues],
        "_EventOrganizerID": [organizer["id"] for organizer in event["organizer"]],
    }


def links_of(record: Record, kind: Kind, urls: OriginalURLs) -> dict[str, Any]:
    """Return the `_links` of a record."""
    records, pk = f"{urls.wp}/{kind.post_type}", record["id"]
    links: dict[str, Any] = {
        "self": [{"href": f"{records}/{pk}"}],
        "collection": [{"href": records}],
        "about": [{"href": f"{urls.wp}/types/{kind.post_type}"}],
        "author": [{"embeddable": True, "href": f"{urls.wp}/users/{record['author']}"}],
    }
    if record["image"]:
        links["wp:featuredmedia"] = [{"embeddable": True, "href": f"{urls.wp}/media/{record['image']['id']}"}]
    if kind is EVENTS:
        links["wp:term"] = [
            {"taxonomy": taxonomy, "embeddable": True, "href": f"{urls.wp}/{base}?post={pk}"}
            for taxonomy, base in (("post_tag", "tags"), ("tribe_events_cat", "tribe_events_cat"))
        ]
    return links | {"curies": CURIES}
