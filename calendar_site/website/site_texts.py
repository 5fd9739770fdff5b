"""The pages with the texts of the site's owner: imprint, privacy and contact."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse

from calendar_site.api.site_urls import urls_for
from calendar_site.core.http.allowed_methods import read_only
from calendar_site.website.record_display import description_html
from calendar_site.website.rendering import PageHead, render_page
from calendar_site.website.site import profile_of, text_labels


@read_only
def site_text_page(request: HttpRequest, name: str) -> HttpResponse:
    """Show a text. Raises Http404 without one."""
    text = getattr(profile_of(request).saved, name)
    if not text:
        raise Http404
    head = PageHead(text_labels()[name], f"{urls_for(request).site}/{name}/", is_translated=False)
    return render_page(request, "site_text.html", head, {"text": description_html(text)})
