"""In which language a request is answered: that of its address, else the one that its reader prefers.

The language is taken off an address such as `/de/event/open-air/` before anybody looks at it, and belongs from then
on to the path that the site is served under, so that every address in the answer begins with it, too.
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
from django.utils.translation.trans_real import parse_accept_lang_header

Handler = Callable[[HttpRequest], HttpResponseBase]


def in_its_language(get_response: Handler) -> Handler:
    """Middleware: activates the language for the length of a request, and says in the headers which it was.

    `language_path` of the request is what the address named: `/de`, or "".
    """
    beginning = _beginning()

    def middleware(request: HttpRequest) -> HttpResponseBase:
        prefix, found = get_script_prefix(), beginning.match(request.path_info)
        # What the site has under such an address itself, by its settings, is no language.
        named = found[1] if found and not is_valid_path(request.path_info) else ""
        request.language_path = f"/{named}" if named else ""  # type: ignore[attr-defined] # what links begin with
        if named:
            request.path_info = request.path_info.removeprefix(f"/{named}") or "/"
            set_script_prefix(f"{prefix}{named}/")
        language = named or preferred_language(request.headers.get("Accept-Language", ""))
        try:
            with translation.override(language):
                response = get_response(request)
        finally:
            set_script_prefix(prefix)
        # The content of a file is nobody's answer to a reader.
        if not isinstance(response, FileResponse):
            response.headers["Content-Language"] = language
            if not named:
                patch_vary_headers(response, ["Accept-Language"])
        return response

    return middleware


def preferred_language(accepted: str) -> str:
    """The language that the header `Accept-Language` ranks highest among ours; the site's where it names none of them.

    `de-AT` is German to us. Nothing else is read out of a header that is not as it should be.
    """
    ours = {code for code, _name in settings.LANGUAGES}
    for tag, quality in parse_accept_lang_header(accepted):
        language = tag.partition("-")[0]
        if quality and language in ours:
            return language
        if tag == "*":
            break
    return settings.LANGUAGE_CODE


def _beginning() -> re.Pattern[str]:
    """A language at the beginning of an address; files have no language."""
    languages = "|".join(code for code, _name in settings.LANGUAGES)
    static = settings.STATIC_URL.removeprefix(settings.FORCE_SCRIPT_NAME or "").strip("/")
    files = "|".join(re.escape(path) for path in (static, settings.MEDIA_PATH) if path)
    return re.compile(rf"/({languages})(?!/(?:{files})(?:/|\Z))(?=/|\Z)")
