"""The handler for pages that do not exist: some of them did at the site that the calendar has moved from."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect

from calendar_site.api.site_urls import is_api_path, urls_for
from calendar_site.transfer.imports.old_paths import find_by_old_path
from calendar_site.transfer.imports.records import RecordKind
from calendar_site.website import error_pages

# The path of the pages of each kind of record.
PATHS = {
    RecordKind.EVENT: "event",
    RecordKind.VENUE: "venue",
    RecordKind.ORGANIZER: "organizer",
    RecordKind.CATEGORY: "events/category",
    RecordKind.TAG: "events/tag",
}


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Redirect to the page of the record that was imported from a page of this path; else say that there is none."""
    found = None
    if request.method in ("GET", "HEAD") and not is_api_path(request):
        found = find_by_old_path(request.path_info)
    if found is None:
        return error_pages.not_found(request, exception)
    kind, row = found
    url = urls_for(request).page_url(PATHS[kind], row.slug)
    if url.endswith(request.path_info):
        return error_pages.not_found(request, exception)
    response = HttpResponsePermanentRedirect(url)
    # Not for ever: the record may get another slug.
    response["Cache-Control"] = "no-cache"
    return response
