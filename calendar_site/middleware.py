"""What is settled about every request before anybody looks at it."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from calendar_site import faults
from calendar_site.content.admin.site import ADMIN_PATH
from calendar_site.content.history import Door
from calendar_site.content.recording import through


def utf8_only(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Reads queries and forms as UTF-8, whatever charset the request names: it may name a codec that is for no text."""

    def middleware(request: HttpRequest) -> HttpResponse:
        request.encoding = "utf-8"
        return get_response(request)

    return middleware


def limited_bodies(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Refuses a body that is larger than any may be, before the check of a form's token stores its files.

    Django limits what is no file alone. A body in chunks has got its length already (`bodies.py`).
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        return faults.too_large(request) if _length(request) > settings.UPLOAD_LIMIT else get_response(request)

    return middleware


def recorded_by_door(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Lets what is written know whether it has come in through the back office or the API: nothing else writes."""

    def middleware(request: HttpRequest) -> HttpResponse:
        with through(Door.ADMIN if request.path_info.startswith(ADMIN_PATH) else Door.API):
            return get_response(request)

    return middleware


def _length(request: HttpRequest) -> int:
    try:
        return int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        # So does Django, which then reads nothing.
        return 0
