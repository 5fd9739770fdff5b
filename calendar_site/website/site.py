"""The profile of the site for the pages of a request."""

from __future__ import annotations

import base64
import hashlib
from typing import NamedTuple

from django.db import DatabaseError
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from calendar_site.api.site_urls import SiteURLs
from calendar_site.media.models import Image
from calendar_site.site_profile.current import CurrentProfile, load_profile
from calendar_site.site_profile.links import SiteLink
from calendar_site.site_profile.models import SiteProfile

# The texts of the owner that have pages of their own, by their paths.
TEXTS = ("imprint", "privacy", "contact")


class SiteImage(NamedTuple):
    """The logo or the icon, in pixels."""

    url: str
    width: int
    height: int
    media_type: str


class PageStyle(NamedTuple):
    """The style sheet of the site's owner in a page, and its hash for the content security policy; "" without one."""

    css: SafeString
    hash: str


def profile_of(request: HttpRequest) -> CurrentProfile:
    """Return the profile. One query for each request. Defaults if the database fails, so that error pages work."""
    known: CurrentProfile | None = getattr(request, "site_profile", None)
    if known is None:
        try:
            known = CurrentProfile(load_profile())
        except DatabaseError:
            return default_profile()
        request.site_profile = known  # type: ignore[attr-defined]
    return known


def default_profile() -> CurrentProfile:
    return CurrentProfile(SiteProfile())


def style_of(profile: CurrentProfile) -> PageStyle:
    css = profile.style_sheet
    if not css:
        return PageStyle(SafeString(""), "")
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    # `clean_css()` and the colors leave no character that could end the element.
    return PageStyle(SafeString(css), digest)


def logo_of(profile: CurrentProfile, urls: SiteURLs) -> SiteImage | None:
    return _site_image(profile.saved.logo, urls, "medium", "medium_large", "large")


def icon_of(profile: CurrentProfile, urls: SiteURLs) -> SiteImage | None:
    return _site_image(profile.saved.icon, urls, "thumbnail")


def _site_image(image: Image | None, urls: SiteURLs, *renditions: str) -> SiteImage | None:
    if image is None:
        return None
    found = image.first_rendition(*renditions)
    return SiteImage(urls.media_url(found["file"]), found["width"], found["height"], found["media_type"])


def text_labels() -> dict[str, str]:
    return {"imprint": _("Imprint"), "privacy": _("Privacy"), "contact": _("Contact")}


def text_links(profile: CurrentProfile, urls: SiteURLs) -> list[SiteLink]:
    """Return links to the texts of the owner that exist."""
    return [
        SiteLink(label, f"{urls.site}/{name}/") for name, label in text_labels().items() if getattr(profile.saved, name)
    ]
