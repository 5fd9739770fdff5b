"""Answers to requests for pages that were elsewhere before, or that are no longer there."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect

from calendar_site.api.site_urls import urls_for
from calendar_site.core.slugs import decode_slug
from calendar_site.former_slugs.services import find_former
from calendar_site.website.error_pages import gone


def respond_to_former_slug(request: HttpRequest, model: Any, path: str, slug: str, rows: Any) -> HttpResponse:
    """Redirect to the page of the record that had this slug; say that the page is gone if nobody sees the record.

    `rows` are those that the user sees, and `path` is that of the pages of such records. Raises Http404 if no record
    had a public page under this slug. Three queries at most.
    """
    pk = find_former(model, decode_slug(slug))
    if pk is None:
        raise Http404
    record = rows.filter(pk=pk).first()
    if record is not None:
        response = HttpResponsePermanentRedirect(urls_for(request).page_url(path, record.slug))
        # Not for ever: the slug may be given to another record.
        response["Cache-Control"] = "no-cache"
        return response
    return gone(request)
