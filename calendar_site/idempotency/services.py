"""Claiming an idempotency key for a request, and storing the response to it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.conf import settings

from calendar_site.core import clock
from calendar_site.core.database.write_lock import write_lock
from calendar_site.idempotency.models import IdempotentRequest

RETENTION = timedelta(hours=24)
# How many expired rows are deleted at once, so that no request waits for a large deletion.
PRUNE_BATCH = 100
# For images to be downloaded and decoded. Waiting for the write lock comes in addition.
WORK_SECONDS = 60


class StoredResponse(NamedTuple):
    """The response to a finished request. The body is JSON."""

    status: int
    headers: dict[str, str]
    body: str


class Claim(NamedTuple):
    """The right of a running request to store its response. It ends if another request takes over after the lease."""

    pk: int
    lease_ends_at: datetime


class KeyReused(Exception):
    """The key belongs to a request with other data."""


class StillRunning(Exception):
    """Another request with the same key is running, or has taken over."""


def claim_key(*, digest: str, fingerprint: str) -> Claim | StoredResponse:
    """Claim a key for the request with this fingerprint, or return the response to an earlier one.

    Commits the claim, so that all processes see it. If a request has died with its process, its claim passes to the
    next one after the lease: without a stored response, it has not committed anything. Raises KeyReused and
    StillRunning.
    """
    now = clock.now()
    found = IdempotentRequest.objects.filter(digest=digest, created_at__gt=now - RETENTION).first()
    if found is None:
        return _insert(digest, fingerprint, now)
    if found.fingerprint != fingerprint:
        raise KeyReused
    if found.status is not None:
        return StoredResponse(found.status, found.headers, found.body)
    if found.lease_ends_at > now:
        raise StillRunning
    return _take_over(found, now)


def _insert(digest: str, fingerprint: str, now: datetime) -> Claim:
    with write_lock(parallel=True):
        IdempotentRequest.objects.filter(digest=digest, created_at__lte=now - RETENTION).delete()
        _prune_batch(now)
        row, is_new = IdempotentRequest.objects.get_or_create(
            digest=digest,
            defaults={"fingerprint": fingerprint, "created_at": now, "lease_ends_at": _lease_end(now)},
        )
    if not is_new:
        # Another request was faster.
        raise StillRunning
    return Claim(row.pk, row.lease_ends_at)


def _take_over(row: IdempotentRequest, now: datetime) -> Claim:
    claim = Claim(row.pk, _lease_end(now))
    if not _running(Claim(row.pk, row.lease_ends_at)).update(lease_ends_at=claim.lease_ends_at):
        # Another request has taken over, or the first one has finished after all.
        raise StillRunning
    return claim


def _lease_end(now: datetime) -> datetime:
    """Return a time at which a request that begins now has finished: it waits for the write lock a few times."""
    return now + timedelta(seconds=WORK_SECONDS + 3 * settings.WRITE_WAIT_SECONDS)


def store_response(claim: Claim, response: StoredResponse) -> None:
    """Store the response to the request of a claim, that to a successful write in the transaction of the write.

    Raises StillRunning if another request has taken over, so that the write is rolled back.
    """
    if not _running(claim).update(status=response.status, headers=response.headers, body=response.body):
        raise StillRunning


def release_key(claim: Claim) -> None:
    """Release the key of a request whose response is not stored, so that it can be repeated at once.

    Not under the write lock, because a request that did not get the lock must be able to release its key.
    """
    _running(claim).delete()


def _running(claim: Claim) -> Any:
    return IdempotentRequest.objects.filter(pk=claim.pk, lease_ends_at=claim.lease_ends_at, status=None)


def prune_all_requests() -> None:
    """Delete all expired requests. Other writers get the lock between batches."""
    now, deleted = clock.now(), PRUNE_BATCH
    while deleted == PRUNE_BATCH:
        with write_lock():
            deleted = _prune_batch(now)


def _prune_batch(now: datetime) -> int:
    """Delete some expired requests, and return their number. Two queries at most. Must run in a transaction.

    Skips rows that another process is deleting, so that two processes do not wait for each other.
    """
    expired = IdempotentRequest.objects.filter(created_at__lte=now - RETENTION).order_by("created_at")
    ids = list(expired.select_for_update(skip_locked=True).values_list("pk", flat=True)[:PRUNE_BATCH])
    if ids:
        IdempotentRequest.objects.filter(pk__in=ids).delete()
    return len(ids)
