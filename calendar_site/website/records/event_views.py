"""The page of an event, also of one that is not public yet."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from calendar_site.api.output.selection import Selection
from calendar_site.api.site_urls import SiteURLs, urls_for
from calendar_site.core.http.allowed_methods import read_only, with_form
from calendar_site.core.slugs import decode_slug
from calendar_site.feeds.views import feed_url
from calendar_site.website.event_lists import list_parts
from calendar_site.website.machine_files import OEMBED_PATH
from calendar_site.website.moved_pages import respond_to_former_slug
from calendar_site.website.record_display import json_ld_script, status_note, summarize
from calendar_site.website.records.calendar_links import links_to_add, takes_place
from calendar_site.website.records.event_details import make_event_details
from calendar_site.website.records.password_page import check_submitted_password, password_page, reader_of_page
from calendar_site.website.records.related_events import load_related_events
from calendar_site.website.records.structured_data import page_json_ld
from calendar_site.website.rendering import PageHead, redirect_after_post, render_page
from calendar_site.website.responsive_images import responsive_image
from events.assembly import load_record
from events.loading import load_events
from events.models import Event
from events.protection.preview_tokens import event_of_token
from events.protection.protected_fields import Reader, hides_fields
from events.querysets import EventQuerySet


@read_only
def event_preview_page(request: HttpRequest, token: str) -> HttpResponse:
    """Show an unpublished event to everybody who has the link, with only those linked records that they may see."""
    event = event_of_token(token)
    if event is None:
        raise Http404
    if event.is_published:
        # The page has become public meanwhile, and asks for the password if the event has one.
        return redirect_after_post(f"{reverse('event-page', kwargs={'slug': event.slug})}/")
    url = f"{urls_for(request).site}/preview/{token}/"
    response = _render_event(request, event, Reader(request.user, event.password), url=url, is_private=True)
    response["X-Robots-Tag"] = "noindex"
    return response


@with_form
def event_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show an event, or the form that asks for its password and submits to this view."""
    rows = _visible_events(request)
    event = rows.filter(slug=decode_slug(slug)).first()
    if event is None:
        return respond_to_former_slug(request, Event, "event", slug, rows)
    reader = reader_of_page(request, event)
    if request.method == "POST":
        return check_submitted_password(request, event, reader)
    if hides_fields(event, reader):
        return password_page(request, event)
    return _render_event(request, event, reader, is_private=bool(event.password))


def _render_event(
    request: HttpRequest, event: Event, reader: Reader, *, url: str = "", is_private: bool = False
) -> HttpResponse:
    urls = urls_for(request)
    loaded = load_events([event], reader, Selection())
    # The structured data is made from the record of the API, so that both say the same.
    record = load_record(event.pk, reader, urls)
    if record is None:
        raise Http404
    parent = Event.objects.visible_to(request.user).filter(pk=event.parent_id).first() if event.parent_id else None
    listed = Event.objects.visible_to(request.user).listed()
    parts = list_parts(request, listed.filter(parent=event.pk).ordered_by_local_start(), "page")
    head = PageHead(
        event.title,
        is_translated=False,
        url=url or urls.page_url("event", event.slug),
        summary=summarize(event.excerpt or event.description),
        status_note=status_note(event),
        api_url=urls.record_url("events", event.pk),
        json_ld_script=json_ld_script(page_json_ld(record)),
        image=responsive_image(loaded.relations.image_of(event), urls),
        calendar_url=feed_url(urls.page_url("event", event.slug)) if event.is_published else "",
        oembed_url=_oembed_url(urls, event) if event.is_published else "",
    )
    context = {
        "event": make_event_details(loaded.events[0], loaded, parent, urls),
        "related": load_related_events(request, loaded.events[0]),
        "programs": links_to_add(loaded.events[0], head.summary, head.url) if event.is_published else [],
        "takes_place": takes_place(event),
        "parts": parts,
    }
    return render_page(request, "events/event.html", head, context, pages={"page": parts.page}, is_private=is_private)


def _visible_events(request: HttpRequest) -> EventQuerySet:
    # `visible_to` implies `not_trashed`, but the index of slugs needs exactly this condition.
    return Event.objects.visible_to(request.user).not_trashed()


def _oembed_url(urls: SiteURLs, event: Event) -> str:
    return f"{urls.root}/{OEMBED_PATH}?{urlencode({'url': urls.page_url('event', event.slug)})}"
