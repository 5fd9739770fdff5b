"""The language of a response: the one in the path of the request, else the one that the client prefers.

The middleware removes the language from a path such as `/de/event/open-air/` before the URL is resolved, and adds it to
the script prefix, so that every URL in the response begins with it, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from django.conf import settings
from django.http import FileResponse, HttpRequest
from django.http.response import HttpResponseBase
from django.urls import get_script_prefix, is_valid_path, set_script_prefix
from django.utils import translation
from django.utils.cache import patch_vary_headers

from calendar_site.core.http.accept_language import preferred_language

GetResponse = Callable[[HttpRequest], HttpResponseBase]


def language_middleware(get_response: GetResponse) -> GetResponse:
    """Activate the language for the duration of a request, and name it in the headers of the response.

    `request.language_path` is the language in the path: `/de`, or "".
    """
    language_prefix = _language_prefix()

    def middleware(request: HttpRequest) -> HttpResponseBase:
        script_prefix, match = get_script_prefix(), language_prefix.match(request.path_info)
        # Settings can make a path of the site look like a language.
        path_language = match[1] if match and not is_valid_path(request.path_info) else ""
        request.language_path = f"/{path_language}" if path_language else ""  # type: ignore[attr-defined] # for links
        if path_language:
            request.path_info = request.path_info.removeprefix(f"/{path_language}") or "/"
            set_script_prefix(f"{script_prefix}{path_language}/")
        language = path_language or preferred_language(request.headers.get("Accept-Language", ""))
        try:
            with translation.override(language):
                response = get_response(request)
        finally:
            set_script_prefix(script_prefix)
        # Files are the same in every language.
        if not isinstance(response, FileResponse):
            # A replayed response has that of the first one.
            response.headers.setdefault("Content-Language", language)
            if not path_language:
                patch_vary_headers(response, ["Accept-Language"])
        return response

    return middleware


def _language_prefix() -> re.Pattern[str]:
    """Return the pattern of a path that begins with a language. Paths of files have no language."""
    languages = "|".join(code for code, _name in settings.LANGUAGES)
    static_path = settings.STATIC_URL.removeprefix(settings.FORCE_SCRIPT_NAME or "").strip("/")
    file_paths = "|".join(re.escape(path) for path in (static_path, settings.MEDIA_PATH, settings.DOCS_PATH) if path)
    return re.compile(rf"/({languages})(?!/(?:{file_paths})(?:/|\Z))(?=/|\Z)")
