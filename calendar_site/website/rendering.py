"""Rendering the templates of the pages for visitors: the frame around their content, and their headers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import quote

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.core.paginator import Page
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import get_script_prefix
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from calendar_site.api.site_urls import SiteURLs, root_path, urls_for
from calendar_site.core.http import security_headers
from calendar_site.site_profile.current import CurrentProfile
from calendar_site.website.pagination import add_page_numbers, make_pager, page_number_note
from calendar_site.website.responsive_images import ResponsiveImage
from calendar_site.website.site import default_profile, icon_of, logo_of, profile_of, style_of, text_links

# The statuses in the design of the site's owner, if `render_page()` is not called. Other errors may be those of the
# database, or of a client that should cost nothing.
WITH_PROFILE = {200, 404, 410}


class ProgramLink(NamedTuple):
    """The name of a calendar program, and the URL that subscribes to a calendar in it."""

    name: str
    url: str


class PageHead(NamedTuple):
    """The metadata in the `<head>` of a page, and the heading and notices above its content.

    `url` is the canonical URL without page numbers, `api_url` the URL of the same record in the API, and `calendar_url`
    that of a calendar in the format iCalendar, "" for none.
    """

    title: str
    url: str
    summary: str = ""
    status_note: str = ""
    api_url: str = ""
    json_ld_script: SafeString | str = ""
    image: ResponsiveImage | None = None
    calendar_url: str = ""
    # What other sites show for a link to the page.
    oembed_url: str = ""
    # Whether the content is in each language, not only the frame around it.
    is_translated: bool = True

    @property
    def subscription_url(self) -> str:
        """The URL by which calendar programs subscribe to the calendar, instead of downloading it once."""
        return f"webcal:{self.calendar_url.partition(':')[2]}" if self.calendar_url else ""

    @property
    def program_links(self) -> list[ProgramLink]:
        """The URLs by which single programs subscribe to the calendar, which do not know `webcal`."""
        url, webcal = quote(self.calendar_url, safe=""), quote(self.subscription_url, safe="")
        by_url = f"url={url}&name={quote(self.title, safe='')}"
        return [
            ProgramLink("Google Calendar", f"https://calendar.google.com/calendar/render?cid={webcal}"),
            ProgramLink("Outlook.com", f"https://outlook.live.com/calendar/0/addfromweb?{by_url}"),
            ProgramLink("Microsoft 365", f"https://outlook.office.com/calendar/0/addfromweb?{by_url}"),
            # It removes the scheme of other URLs.
            ProgramLink("Outlook (Windows)", f"webcal:{self.calendar_url}"),
        ]


class LanguageVersion(NamedTuple):
    """A page in one of the languages. `name` is the name of the language in that language."""

    code: str
    name: str
    url: str
    is_current: bool


def render_page(
    request: HttpRequest,
    template: str,
    head: PageHead,
    context: Mapping[str, object],
    *,
    pages: Mapping[str, Page[Any]] | None = None,
    status: int = 200,
    is_private: bool = False,
    has_form: bool = False,
    has_script: bool = True,
) -> HttpResponse:
    """Render a page. `context` is its content; `pages` maps query parameters to the current pages of its lists.

    Set `is_private` for a page that depends on more than the user, so that no cache stores it.
    """
    pages = pages or {}
    numbers = {parameter: page.number for parameter, page in pages.items()}
    canonical_url = add_page_numbers(head.url, numbers)
    urls_by_language = urls_for(request).language_versions(canonical_url)
    shared = {
        # Without translations, search engines would find the same content once for each language.
        "canonical_url": canonical_url if head.is_translated else urls_by_language[""],
        "default_language_url": urls_by_language[""],
        "language_versions": [
            LanguageVersion(code, name, urls_by_language[code], is_current=code == get_language())
            for code, name in settings.LANGUAGES
        ],
        "page_number_note": page_number_note(numbers),
        "pagers": {parameter: make_pager(head.url, numbers, parameter, page) for parameter, page in pages.items()},
    }
    response = render_template(
        request,
        template,
        head,
        {**shared, **context},
        status=status,
        has_form=has_form,
        has_script=has_script,
        profile=profile_of(request),
    )
    response["Cache-Control"] = "private, no-store" if is_private or request.user.is_authenticated else "no-cache"
    return response


def render_template(
    request: HttpRequest,
    template: str,
    head: PageHead,
    context: Mapping[str, object],
    *,
    status: int = 200,
    has_form: bool = False,
    has_script: bool = False,
    profile: CurrentProfile | None = None,
) -> HttpResponse:
    """Render a template that extends `base.html`, without a session. One query, none for most errors."""
    if profile is None:
        profile = profile_of(request) if status in WITH_PROFILE else default_profile()
    urls, style = _urls(request), style_of(profile)
    shared = {
        "site_name": profile.name,
        "site_zone": settings.SITE_TIME_ZONE.replace("_", " "),
        "site": profile,
        "site_style": style.css,
        "logo": logo_of(profile, urls),
        "icon": icon_of(profile, urls),
        "can_submit": settings.PUBLIC_SUBMISSIONS,
        "site_texts": text_links(profile, urls),
        "urls": urls,
        "head": head,
        "has_script": has_script,
    }
    response = render(request, template, {**shared, **context}, status=status)
    response[security_headers.HEADER] = security_headers.page_policy(
        has_form=has_form, has_script=has_script, style_hash=style.hash
    )
    # For middleware that adds to pages.
    response.page_head = head  # type: ignore[attr-defined]
    return response


def redirect_after_post(path: str) -> HttpResponse:
    """Redirect to the result of a form."""
    response = HttpResponseRedirect(path, status=303)
    response["Cache-Control"] = "private, no-store"
    return response


def _urls(request: HttpRequest) -> SiteURLs:
    try:
        return urls_for(request)
    except DisallowedHost:
        # Do not repeat a rejected host in the page: its links stay relative.
        return SiteURLs(site=get_script_prefix().rstrip("/"), api="", root=root_path(request))
