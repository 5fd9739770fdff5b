"""What is settled about every request before anybody looks at it."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse


def utf8_only(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Reads queries and forms as UTF-8, whatever charset the request names: it may name a codec that is for no text."""

    def middleware(request: HttpRequest) -> HttpResponse:
        request.encoding = "utf-8"
        return get_response(request)

    return middleware
