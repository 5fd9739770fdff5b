"""Calendars in the frames of other sites: the same pages without what surrounds them."""

from __future__ import annotations

import re

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from calendar_site.core.http import security_headers

# Names of custom properties with colors, such as `link:0b5cad,background:ffffff`. The script of the page reads them.
_COLORS = re.compile(r"[a-z-]{1,20}:[0-9A-Fa-f]{3,6}(,[a-z-]{1,20}:[0-9A-Fa-f]{3,6}){0,9}")


def is_embedded(request: HttpRequest) -> bool:
    return request.GET.get("embed") == "1"


def embed_parameters_of(request: HttpRequest) -> dict[str, str]:
    """Return the parameters that keep the pages of a calendar in their frame; none outside of a frame."""
    if not is_embedded(request):
        return {}
    colors = request.GET.get("colors", "")
    return {"embed": "1", **({"colors": colors} if _COLORS.fullmatch(colors) else {})}


def allow_frames(response: HttpResponse) -> HttpResponse:
    """Let the sites of the setting EMBED_HOSTS show a page in a frame, and this site, for the preview in the admin."""
    policy = response[security_headers.HEADER]
    hosts = " ".join(["'self'", *settings.EMBED_HOSTS])
    response[security_headers.HEADER] = policy.replace("frame-ancestors 'none'", f"frame-ancestors {hosts}")
    # Browsers follow the policy; this header could name no site, and would forbid all.
    response.xframe_options_exempt = True
    return response
