"""The addresses that answers name."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import quote, urljoin, urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.urls import get_script_prefix


class Links(NamedTuple):
    """Where this request's answer says that things are; no slash at the ends.

    `site` and `api` are in the language that the request's address names, `root` is in none.
    """

    site: str
    api: str
    root: str

    def page(self, kind: str, slug: str) -> str:
        """The address of a record's page for people, such as `…/event/open-air/`."""
        return f"{self.site}/{kind}/{slug if slug.isascii() else quote(slug)}/"

    def item(self, collection: str, pk: int) -> str:
        return f"{self.api}/{collection}/{pk}"

    def media(self, name: str) -> str:
        """The address of a stored file."""
        return urljoin(f"{self.root}/", settings.MEDIA_URL) + quote(name)

    @property
    def way_in(self) -> str:
        """Where the API begins and where it is described, as a header `Link` (RFC 8288, RFC 8631)."""
        return f'<{self.api}>; rel="index", <{self.api}/doc>; rel="service-desc"'

    def versions(self, address: str) -> dict[str, str]:
        """An address of this site in each language, and under "" the one that names none."""
        path = address.removeprefix(self.site)
        return {"": f"{self.root}{path}"} | {code: f"{self.root}/{code}{path}" for code, _name in settings.LANGUAGES}

    def global_id(self, kind: str, pk: int) -> str:
        """An id that no other record of any site has."""
        return f"{urlsplit(self.site).netloc}?type={kind}&id={pk}"


def links_for(request: HttpRequest, api_base: str = "") -> Links:
    """Links from `PUBLIC_URL`, else from the request; `api_base` is the API's path as it was asked for."""
    language = language_path(request)
    root = settings.PUBLIC_URL or f"{request.scheme}://{request.get_host()}{root_path(request)}"
    return Links(f"{root}{language}", f"{root}{language}/{api_base or own_base()}", root)


def language_path(request: HttpRequest) -> str:
    """The language that the request's address begins with, as in `/de`; "" where it names none."""
    return getattr(request, "language_path", "")


def root_path(request: HttpRequest) -> str:
    """The path that the site is served under, in no language; no slash at its end."""
    return get_script_prefix().rstrip("/").removesuffix(language_path(request))


def own_base() -> str:
    """The API's path below the site; aliases apart."""
    return f"{settings.REST_ROOT}/{settings.API_NAMESPACE}".lstrip("/")
