"""Conditional requests (RFC 9110, section 13): the validators of a record, and the preconditions of a request."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple, Self

import orjson
from django.utils.http import http_date, parse_etags, parse_http_date_safe
from rest_framework.request import Request

from calendar_site.api.errors import InvalidIfMatch, PreconditionFailed

DIGEST_BYTES = 16
# The key of the number of events, in the records of categories and tags.
COUNT = "count"


class Validators(NamedTuple):
    """The ETag and the modification time of the current version of a record.

    The ETag has two parts: a hash of the record, and a hash of the event counts in it, which writes do not compare.
    Categories and tags do not have a modification time.
    """

    etag: str
    modified_at: datetime | None

    @classmethod
    def of(cls, record: Mapping[str, Any], row: Any) -> Self:
        """Return the validators of a complete record, as the user sees it. `row` has the modification time."""
        etag = "-".join(map(_digest, _split_counts(record)))
        return cls(f'"{etag}"', getattr(row, "modified_at", None))

    @property
    def headers(self) -> dict[str, str]:
        headers = {"ETag": self.etag}
        if self.modified_at:
            headers["Last-Modified"] = http_date(self.modified_at.timestamp())
        return headers


def check_preconditions(request: Request, load_validators: Callable[[], Validators]) -> None:
    """Raise PreconditionFailed if the record is not the version that `If-Match` or `If-Unmodified-Since` names.

    The validators are loaded only if they are compared. Raises InvalidIfMatch for a malformed `If-Match`: ignoring it
    would overwrite the changes that the client wants to protect. RFC 9110 requires to ignore malformed dates.
    """
    if_match = request.headers.get("If-Match")
    if if_match is not None:
        tags = _parse_if_match(if_match)
        if tags != ["*"]:
            current = load_validators()
            if not _includes(map(_without_counts, tags), _without_counts(current.etag)):
                raise PreconditionFailed(current.headers)
        # `If-Match` takes precedence (RFC 9110, section 13.1.4).
        return
    latest = parse_http_date_safe(request.headers.get("If-Unmodified-Since", ""))
    if latest is not None:
        current = load_validators()
        # HTTP dates have no fractions of a second.
        if current.modified_at and int(current.modified_at.timestamp()) > latest:
            raise PreconditionFailed(current.headers)


def is_not_modified(request: Request, validators: Validators) -> bool:
    """Return whether the client has the current version of the record, according to `If-None-Match`.

    `If-Modified-Since` is not evaluated: a record also changes with its linked records, which does not change its
    modification time.
    """
    return matches_etag(request.headers.get("If-None-Match", ""), validators.etag)


def matches_etag(if_none_match: str, etag: str) -> bool:
    """Return whether a header `If-None-Match` contains the ETag. Either may be weak."""
    tags = parse_etags(if_none_match)
    return tags == ["*"] or _includes(tags, etag.removeprefix("W/"))


def _parse_if_match(header: str) -> list[str]:
    tags = parse_etags(header)
    if not tags:
        raise InvalidIfMatch
    return tags


def _digest(data: object) -> str:
    return hashlib.blake2b(orjson.dumps(data), digest_size=DIGEST_BYTES).hexdigest()


def _split_counts(record: Mapping[str, Any]) -> tuple[dict[str, Any], list[Any]]:
    """Return the record without the event counts of itself and of its categories and tags, and these counts."""
    values: dict[str, Any] = {}
    counts: list[Any] = []
    for name, value in record.items():
        if name == COUNT:
            counts.append(value)
        elif isinstance(value, list) and value and isinstance(value[0], dict) and COUNT in value[0]:
            counts += [term[COUNT] for term in value]
            values[name] = [{key: term[key] for key in term if key != COUNT} for term in value]
        else:
            values[name] = value
    return values, counts


def _without_counts(etag: str) -> str:
    """Return the part of an ETag that writes compare.

    Each event that is published changes the counts of its categories and tags, and so the ETags of all records with
    these. A client that edits one of them has missed nothing.
    """
    return etag.removeprefix("W/").partition("-")[0].strip('"')


def _includes(tags: Iterable[str], etag: str) -> bool:
    """Return whether the ETag is one of these, even if it was weakened.

    `GZipMiddleware` and proxies mark the ETag of a compressed response as weak (`W/`), because other bytes are sent. It
    still identifies the version of the record, so that clients can use it in `If-Match`, for which RFC 9110 requires
    the strong comparison.
    """
    return etag in {tag.removeprefix("W/") for tag in tags}
