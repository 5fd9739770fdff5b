"""IP addresses, and the networks by which clients are counted. Without Django, because the server reads it early."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

IPAddress = IPv4Address | IPv6Address

# The prefix length of the network in which the owner of one IPv6 address can usually choose any other.
IPV6_NETWORK_BITS = 64


def parse_address(text: str) -> IPAddress | None:
    """Return the IP address, as an IPv4 address if it is one; None if it is invalid."""
    try:
        address = ip_address(text)
    except ValueError:
        return None
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        return address.ipv4_mapped
    return address


def network_of(address: IPAddress | None) -> str | None:
    """Return what identifies a client in counts: its IPv4 address, or the address of its IPv6 network.

    A client can use every address of an IPv6 network.
    """
    if isinstance(address, IPv6Address):
        return str(ip_network((address.packed, IPV6_NETWORK_BITS), strict=False).network_address)
    return str(address) if address else None
