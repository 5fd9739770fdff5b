"""The IP address of the client, for throttling, lockouts, application passwords and logs."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest
from rest_framework.request import Request

IPAddress = IPv4Address | IPv6Address

# The prefix length of the network in which the owner of one IPv6 address can usually choose any other.
IPV6_NETWORK_BITS = 64


def client_address(request: HttpRequest | Request) -> IPAddress | None:
    """Return the IP address of the client; None if it is unknown or invalid.

    Only the last PROXY_COUNT addresses of X-Forwarded-For are trusted, because clients can send this header themselves.
    """
    forwarded = [part.strip() for part in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",") if part.strip()]
    if settings.PROXY_COUNT and forwarded:
        text = forwarded[-min(settings.PROXY_COUNT, len(forwarded))]
    else:
        text = request.META.get("REMOTE_ADDR", "")
    try:
        address = ip_address(text)
    except ValueError:
        return None
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        return address.ipv4_mapped
    return address


def client_network(request: HttpRequest | Request) -> str | None:
    """Return what identifies a client in counts: its IPv4 address, or the address of its IPv6 network.

    A client can use every address of an IPv6 network.
    """
    address = client_address(request)
    if isinstance(address, IPv6Address):
        return str(ip_network((address.packed, IPV6_NETWORK_BITS), strict=False).network_address)
    return str(address) if address else None
