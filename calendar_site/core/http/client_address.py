"""The IP address of the client, for throttling, lockouts, application passwords and logs."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from rest_framework.request import Request

from calendar_site.core.http.networks import IPAddress, network_of, parse_address


def client_address(request: HttpRequest | Request) -> IPAddress | None:
    """Return the IP address of the client; None if it is unknown or invalid.

    Only the last PROXY_COUNT addresses of X-Forwarded-For are trusted, because clients can send this header themselves.
    """
    forwarded = [part.strip() for part in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",") if part.strip()]
    if settings.PROXY_COUNT and forwarded:
        text = forwarded[-min(settings.PROXY_COUNT, len(forwarded))]
    else:
        text = request.META.get("REMOTE_ADDR", "")
    return parse_address(text)


def client_network(request: HttpRequest | Request) -> str | None:
    """Return what identifies the client in counts: see `network_of`. None if its address is unknown."""
    return network_of(client_address(request))
