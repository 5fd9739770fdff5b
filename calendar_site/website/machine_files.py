"""Files that browsers and other sites ask for: the web manifest, the icon, and what to show for a link (oEmbed)."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

from django.contrib.staticfiles import finders
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import get_object_or_404
from django.templatetags.static import static

from calendar_site.api.output.loading import load_content_relations
from calendar_site.api.site_urls import urls_for
from calendar_site.core.http.allowed_methods import read_only
from calendar_site.core.slugs import decode_slug
from calendar_site.website.responsive_images import responsive_image
from calendar_site.website.site import icon_of, profile_of
from events.models import Event

OEMBED_PATH = "oembed"


@read_only
def web_manifest(request: HttpRequest) -> HttpResponse:
    """Return what browsers need to put the site on the home screen of a phone."""
    profile, urls = profile_of(request), urls_for(request)
    icon = icon_of(profile, urls)
    own_icon = icon and {"src": icon.url, "type": icon.media_type, "sizes": f"{icon.width}x{icon.height}"}
    manifest = {
        "name": profile.name,
        "short_name": profile.name,
        "start_url": f"{urls.root}/",
        "display": "browser",
        "icons": [own_icon or {"src": static("pages/icon.svg"), "type": "image/svg+xml", "sizes": "any"}],
    }
    return JsonResponse(manifest, content_type="application/manifest+json", headers={"Cache-Control": "no-cache"})


@read_only
def favicon(request: HttpRequest) -> HttpResponse:
    """Redirect programs that ask for the icon without reading a page."""
    icon = icon_of(profile_of(request), urls_for(request))
    response = HttpResponseRedirect(icon.url if icon else static("pages/icon.svg"), content_type="text/plain")
    response["Cache-Control"] = "public, max-age=3600"
    return response


@read_only
def embed_script(request: HttpRequest) -> HttpResponse:
    """Return the script that shows the calendar in other sites, at a URL that does not change with its content."""
    return HttpResponse(
        _embed_script(),
        content_type="text/javascript; charset=utf-8",
        headers={"Cache-Control": "public, max-age=3600"},
    )


@cache
def _embed_script() -> str:
    path = finders.find("pages/embed.js")
    if not isinstance(path, str):
        raise Http404
    return Path(path).read_text(encoding="utf-8")


@read_only
def oembed(request: HttpRequest) -> HttpResponse:
    """Return what other sites show for a link to a public event, as oEmbed. Raises Http404 for any other URL.

    https://oembed.com/ says 501 for a format that a server does not have.
    """
    if request.GET.get("format", "json") != "json":
        return HttpResponse("The format is json.\n", status=501, content_type="text/plain; charset=utf-8")
    urls = urls_for(request)
    try:
        path = urlsplit(request.GET.get("url", "")).path
    except ValueError as error:
        raise Http404 from error
    prefix = f"{urlsplit(urls.root).path}/event/"
    slug = path.removeprefix(prefix).strip("/")
    if not path.startswith(prefix) or "/" in slug or "\0" in slug:
        raise Http404
    event = get_object_or_404(Event.objects.published().not_trashed(), slug=decode_slug(slug))
    answer: dict[str, object] = {
        "version": "1.0",
        "type": "link",
        "title": event.title,
        "url": urls.page_url("event", event.slug),
        "provider_name": profile_of(request).name,
        "provider_url": f"{urls.root}/",
    }
    image = None if event.password else responsive_image(load_content_relations([event]).image_of(event), urls)
    if image:
        answer |= {
            "thumbnail_url": image.src,
            "thumbnail_width": image.src_width,
            "thumbnail_height": image.src_height,
        }
    return JsonResponse(answer, headers={"Cache-Control": "no-cache", "Access-Control-Allow-Origin": "*"})
