"""Limits of submissions by visitors: by address, by network, and for all of them together."""

from __future__ import annotations

from ipaddress import ip_address, ip_network
from typing import NamedTuple

from calendar_site.limits.rates import Rate, count_use, read_usage
from calendar_site.limits.stores import request_store, shared_store

HOUR = 3600
# The queue gets no more than this, whatever happens.
ALL = Rate(20, HOUR)
BY_NETWORK = Rate(10, HOUR)
BY_ADDRESS = Rate(5, HOUR)
# So many forms of programs are answered with the form and what is wrong; the others with a line of text, which costs a
# tenth.
REFUSED = Rate(30, 60)
# The networks that one person may have.
PREFIX_LENGTHS = {4: 24, 6: 48}


class SubmissionLimit(NamedTuple):
    """The key of a counter, and its rate."""

    key: str
    rate: Rate


def limits_of(kind: str, address: str) -> list[SubmissionLimit]:
    """Return the limits for a kind of submissions from an address, "" for an unknown one."""
    limits = [SubmissionLimit(f"{kind}:all", ALL)]
    if address:
        version = ip_address(address).version
        network = ip_network(f"{address}/{PREFIX_LENGTHS[version]}", strict=False)
        limits += [
            SubmissionLimit(f"{kind}:network:{network}", BY_NETWORK),
            SubmissionLimit(f"{kind}:address:{address}", BY_ADDRESS),
        ]
    return limits


def seconds_to_wait(limits: list[SubmissionLimit]) -> int:
    """Return after how many seconds the next submission is possible, 0 for now. One query for each limit at most."""
    store = shared_store()
    usages = [read_usage(store, limit.key, limit.rate) for limit in limits]
    return max((usage.seconds_left for usage in usages if usage.is_exceeded), default=0)


def is_flood_of_refused_forms() -> bool:
    """Count a form that a program seems to have sent; return whether there are too many of them."""
    return count_use(request_store(), "submission:refused", REFUSED).is_exceeded


def count_submission(limits: list[SubmissionLimit]) -> None:
    store = shared_store()
    for limit in limits:
        count_use(store, limit.key, limit.rate)
