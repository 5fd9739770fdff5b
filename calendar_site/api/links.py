"""The addresses that answers name."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import quote, urljoin, urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.urls import get_script_prefix


class Links(NamedTuple):
    """Where this request's answer says that things are; no slash at the ends."""

    site: str
    api: str

    def page(self, kind: str, slug: str) -> str:
        """The address of a record's page for people, such as `…/event/open-air/`."""
        return f"{self.site}/{kind}/{slug if slug.isascii() else quote(slug)}/"

    def item(self, collection: str, pk: int) -> str:
        return f"{self.api}/{collection}/{pk}"

    def media(self, name: str) -> str:
        """The address of a stored file."""
        return urljoin(f"{self.site}/", settings.MEDIA_URL) + quote(name)

    def global_id(self, kind: str, pk: int) -> str:
        """An id that no other record of any site has."""
        return f"{urlsplit(self.site).netloc}?type={kind}&id={pk}"


def links_for(request: HttpRequest, api_base: str = "") -> Links:
    """Links from `PUBLIC_URL`, else from the request; `api_base` is the API's path as it was asked for."""
    site = settings.PUBLIC_URL or f"{request.scheme}://{request.get_host()}{get_script_prefix().rstrip('/')}"
    return Links(site, f"{site}/{api_base or own_base()}")


def own_base() -> str:
    """The API's path below the site; aliases apart."""
    return f"{settings.REST_ROOT}/{settings.API_NAMESPACE}".lstrip("/")
