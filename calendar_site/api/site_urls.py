"""URLs in responses, and the paths of the API."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import SplitResult, quote, unquote, urljoin, urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.urls import get_script_prefix


class SiteURLs(NamedTuple):
    """The base URLs of the site for the response to one request; none ends with a slash.

    `site` and `api` contain the language of the request's path, `root` contains none.
    """

    site: str
    api: str
    root: str

    def page_url(self, path: str, slug: str) -> str:
        """Return the URL of the HTML page of a record below `path`, such as `…/event/open-air/`."""
        return f"{self.site}/{path}/{slug if slug.isascii() else quote(slug)}/"

    def record_url(self, collection: str, pk: int) -> str:
        """Return the URL of a record in the API."""
        return f"{self.api}/{collection}/{pk}"

    def media_url(self, name: str) -> str:
        """Return the URL of a stored file."""
        return urljoin(f"{self.root}/", settings.MEDIA_URL) + quote(name)

    def media_name(self, url: str) -> str | None:
        """Return the name of the stored file that `url` is for, None for other URLs. The scheme makes no difference."""
        try:
            media, given = urlsplit(self.media_url("")), urlsplit(url)
            is_media = _host(given) == _host(media) and given.path.startswith(media.path)
        except ValueError:
            return None
        return unquote(given.path.removeprefix(media.path)) if is_media else None

    @property
    def host(self) -> str:
        """The host of the site, with its port."""
        return urlsplit(self.site).netloc

    @property
    def docs(self) -> str:
        """The URL of the documentation; "" if there is none."""
        return urljoin(f"{self.root}/", settings.DOCS_URL) if settings.DOCS_URL else ""

    @property
    def link_header(self) -> str:
        """The header `Link`, which points to the API's index and its document (RFC 8288, RFC 8631)."""
        return f'<{self.api}>; rel="index", <{self.api}/doc>; rel="service-desc"'

    def language_versions(self, url: str) -> dict[str, str]:
        """Return the URLs of a page of this site by language; "" is the key of the URL without a language."""
        path = url.removeprefix(self.site)
        return {"": f"{self.root}{path}"} | {code: f"{self.root}/{code}{path}" for code, _name in settings.LANGUAGES}

    def global_id(self, resource: str, pk: int) -> str:
        """Return an id that is unique among the records of all sites."""
        return f"{self.host}?type={resource}&id={pk}"


def _host(url: SplitResult) -> tuple[str | None, int | None]:
    """Return host and port, None for the default port. Raises ValueError."""
    return url.hostname, None if url.port in (80, 443) else url.port


def urls_for(request: HttpRequest, api_base: str = "") -> SiteURLs:
    """Return the URLs from `PUBLIC_URL`, else from the request; `api_base` is the requested path of the API."""
    language = language_path(request)
    root = settings.PUBLIC_URL or f"{request.scheme}://{request.get_host()}{root_path(request)}"
    return SiteURLs(f"{root}{language}", f"{root}{language}/{api_base or default_api_base()}", root)


def language_path(request: HttpRequest) -> str:
    """Return the language at the start of the request's path, such as `/de`; "" if there is none."""
    return getattr(request, "language_path", "")


def root_path(request: HttpRequest) -> str:
    """Return the path that the site is served under, without a language or a trailing slash."""
    return get_script_prefix().rstrip("/").removesuffix(language_path(request))


def default_api_base() -> str:
    """Return the main path of the API below the site, without a leading slash."""
    return f"{settings.REST_ROOT}/{settings.API_NAMESPACE}".lstrip("/")


def is_api_path(request: HttpRequest) -> bool:
    """Return whether the request is for the API, where errors have the contract's shape and CORS applies.

    For code outside the views, where no route is known and the path may still begin with a language.
    """
    return bool(re.match(settings.CORS_URLS_REGEX, request.path_info))
