"""The header `Idempotency-Key`: a write that a client repeats is carried out once, and its response is replayed."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from functools import partial, wraps
from typing import Any, TypeVar

import orjson
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import get_language
from rest_framework.request import Request
from rest_framework.response import Response

from calendar_site.api.errors import IdempotencyKeyInUse, IdempotencyKeyReused, InvalidIdempotencyKey
from calendar_site.api.views import ContractView
from calendar_site.core.database.write_lock import write_after
from calendar_site.idempotency.services import (
    Claim,
    KeyReused,
    StillRunning,
    StoredResponse,
    claim_key,
    release_key,
    store_response,
)

Prepared = TypeVar("Prepared")
Written = TypeVar("Written")
Handler = Callable[..., Response]

# Printable ASCII.
KEY = re.compile("[ -~]{1,255}")
# What a replayed response has of the headers of the first one. All others are those of the repeated request.
STORED_HEADERS = ("Location", "ETag", "Last-Modified", "X-Ignored-Fields")
PRECONDITIONS = ("If-Match", "If-Unmodified-Since")
# Larger bodies are replayed with the id only, so that a few requests cannot fill the disk.
MAX_BODY_LENGTH = 1_000_000


class IdempotentView(ContractView):
    """A view with writes that are `idempotent`."""

    # The claim of the request, if it has an idempotency key.
    claim: Claim | None = None


def idempotent(handler: Handler) -> Handler:
    """Decorate a write of an IdempotentView, so that it is carried out once for each `Idempotency-Key`.

    Successful responses are stored by `write_and_respond()`, which the handler must use, and errors here. Responses
    with 429 and 5xx are not stored, because the request may succeed later. Without the header, the handler is called
    directly.
    """

    @wraps(handler)
    def handle_once(view: IdempotentView, request: Request, **path: str) -> Response:
        key = request.headers.get("Idempotency-Key")
        if key is None:
            return handler(view, request, **path)
        if not KEY.fullmatch(key):
            raise InvalidIdempotencyKey
        try:
            claimed = claim_key(digest=_digest(request, key), fingerprint=_fingerprint(request, view.arguments))
        except KeyReused as error:
            raise IdempotencyKeyReused from error
        except StillRunning as error:
            raise IdempotencyKeyInUse from error
        if isinstance(claimed, StoredResponse):
            return _replay(claimed)
        view.claim = claimed
        try:
            return _respond_and_store_error(view, claimed, partial(handler, view, request, **path))
        except StillRunning as error:
            # The lease has ended, and another request has taken over. Nothing was committed.
            raise IdempotencyKeyInUse from error

    return handle_once


def write_and_respond(
    view: IdempotentView,
    prepare: Callable[[], Prepared],
    write: Callable[[Prepared], Written],
    respond: Callable[[Written], Response],
    *,
    parallel: bool = False,
) -> Response:
    """Call `write_after()` with these arguments, and return the response that `respond` makes of the result.

    With an idempotency key, the response is made and stored in the transaction of the write: either both are committed
    or neither. Without, it is made afterwards, so that the write lock is held no longer than necessary.
    """
    claim = view.claim
    if claim is None:
        return respond(write_after(prepare, write, parallel=parallel))

    def write_and_store(prepared: Prepared) -> Response:
        response = respond(write(prepared))
        store_response(claim, _to_store(view, response))
        return response

    return write_after(prepare, write_and_store, parallel=parallel)


def _respond_and_store_error(view: IdempotentView, claim: Claim, respond: Callable[[], Response]) -> Response:
    """Return the response of the handler. Store an error, or release the key if the request may succeed later.

    Raises StillRunning if another request has taken over.
    """
    try:
        return respond()
    except StillRunning:
        raise
    except Exception as error:
        response = view.handle_exception(error)
    if response.status_code == 429 or response.status_code >= 500:
        release_key(claim)
    else:
        store_response(claim, _to_store(view, response))
    return response


def _to_store(view: IdempotentView, response: Response) -> StoredResponse:
    view.report_ignored_arguments(response)
    headers = {name: response[name] for name in STORED_HEADERS if name in response}
    headers["Content-Language"] = get_language() or ""
    body = orjson.dumps(response.data)
    if len(body) > MAX_BODY_LENGTH:
        body = orjson.dumps({name: value for name, value in response.data.items() if name == "id"})
    return StoredResponse(response.status_code, headers, body.decode())


def _replay(stored: StoredResponse) -> Response:
    headers = {**stored.headers, "Idempotent-Replayed": "true"}
    return Response(orjson.loads(stored.body), status=stored.status, headers=headers)


def _digest(request: Request, key: str) -> str:
    """Return the digest of user, scope, route and key. All writes need a user, so that strangers never share a key.

    A restricted application password does not get the response to a write that it does not allow.
    """
    scope = repr(getattr(request.user, "scope", None))
    return _sha256(orjson.dumps([request.user.pk, scope, request.method, request.path, key]))


def _fingerprint(request: Request, arguments: dict[str, Any]) -> str:
    """Return the digest of the data and the preconditions.

    The data and not the body, because a form that is sent again has another boundary.
    """
    preconditions = [request.headers.get(name) for name in PRECONDITIONS]
    return _sha256(orjson.dumps([arguments, preconditions], default=_describe_file, option=orjson.OPT_SORT_KEYS))


def _describe_file(value: object) -> list[str | None]:
    if not isinstance(value, UploadedFile):
        raise TypeError(f"{type(value).__name__} is neither JSON nor a file.")
    digest = hashlib.sha256()
    for chunk in value.chunks():
        digest.update(chunk)
    value.seek(0)
    return [value.name, digest.hexdigest()]


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
