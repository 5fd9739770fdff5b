"""The errors of the contract: a class for each code. `error_responses.py` makes responses of them.

Body: `{"code", "message", "data": {"status", "params"?, "details"?}}` (wire.md, section "Errors").
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Self

from django.core.exceptions import NON_FIELD_ERRORS
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import exceptions

from calendar_site.core.database import faults as database_faults
from calendar_site.core.database.write_lock import RETRY_AFTER_SECONDS
from calendar_site.core.text.plain_text import join_label


class ContractError(exceptions.APIException):
    """An error with the contract's body. `data` is added to the body's `data`, which has `status` already."""

    status_code = 400
    default_code = "rest_invalid_param"
    default_detail = gettext_lazy("The request cannot be processed.")

    def __init__(self, message: Any = None, *, code: str | None = None, status: int | None = None, **data: Any) -> None:
        super().__init__(message, code)
        self.code = code or self.default_code
        self.status_code = status or self.status_code
        self.data = data
        self.headers: dict[str, str] = {}


class InvalidJSON(ContractError):
    """A body that is not JSON, with the position of the error and the reason, which the parser gives in English."""

    default_code = "rest_invalid_json"
    default_detail = gettext_lazy("The request body is not valid JSON.")

    def __init__(self, line: int, column: int, reason: str) -> None:
        position = _("Line %(line)s, column %(column)s: %(reason)s.")
        super().__init__(f"{self.default_detail} {position % {'line': line, 'column': column, 'reason': reason}}")


class InvalidBody(ContractError):
    default_code = "rest_invalid_body"
    default_detail = gettext_lazy("The request body cannot be read.")


class NullCharacters(InvalidBody):
    """NUL characters in arguments, which databases reject. `paths` are the arguments, such as `venue.city`."""

    def __init__(self, paths: Iterable[str]) -> None:
        params = dict.fromkeys(paths, _("Must not contain NUL characters."))
        super().__init__(" ".join(f"{path}: {message}" for path, message in params.items()), params=params)


class BodyTooLarge(ContractError):
    status_code = 413
    default_code = "rest_content_too_large"
    default_detail = gettext_lazy("The request body is larger than this service accepts.")


class RequestTimeout(ContractError):
    status_code = 408
    default_code = "rest_request_timeout"
    default_detail = gettext_lazy("The request body was sent too slowly.")


class MissingHost(ContractError):
    default_code = "rest_missing_host"
    default_detail = gettext_lazy("The request has no header Host, which HTTP/1.1 requires.")


class InvalidHost(ContractError):
    default_code = "rest_invalid_host"
    default_detail = gettext_lazy(
        "The header Host names a host that this service does not serve. Its administrator can add it to ALLOWED_HOSTS."
    )


class UnsupportedTransferCoding(ContractError):
    status_code = 501
    default_code = "rest_unsupported_transfer_encoding"
    default_detail = gettext_lazy("The only transfer coding that this service accepts is chunked.")


class UnsupportedContentCoding(ContractError):
    status_code = 415
    default_code = "rest_unsupported_content_encoding"
    default_detail = gettext_lazy("Send the request body without compression and without Content-Encoding.")


class PartialBody(ContractError):
    default_code = "rest_partial_body"
    default_detail = gettext_lazy("Partial request bodies are not supported. Send all of it without Content-Range.")


class InvalidParams(ContractError):
    """All invalid arguments of a request; `params` has a message for each."""

    default_detail = gettext_lazy("One or more parameters are invalid. data.params contains a message for each.")

    def __init__(self, params: Mapping[str, Any], nested: Mapping[str, str] | None = None) -> None:
        """`params` has a message for each argument, `nested` for paths within arguments, such as `tickets[1].price`."""
        messages = {name: str(message) for name, message in (*params.items(), *(nested or {}).items())}
        details = {
            name: {"code": "rest_invalid_param", "message": message, "data": None} for name, message in messages.items()
        }
        message = _("Invalid parameter(s): %(names)s") % {"names": ", ".join(params)}
        super().__init__(message, params=messages, details=details)

    @classmethod
    def from_errors(cls, errors: Mapping[str, Any]) -> Self:
        """Return the error with the first message of each argument, from the errors of a form or a serializer.

        The errors of an argument that contains records are nested: a mapping by argument, or by position in the list.
        The message of such an argument repeats all of them.
        """
        params: dict[str, str] = {}
        nested: dict[str, str] = {}
        for name, argument_errors in errors.items():
            by_path = _messages_by_path(name, argument_errors)
            own = by_path.pop(name, "")
            params[name] = " ".join(filter(None, (own, *(join_label(path, text) for path, text in by_path.items()))))
            nested |= by_path
        return cls(params, nested)


def _messages_by_path(path: str, errors: Any) -> dict[str, str]:
    if not isinstance(errors, Mapping):
        return {path: str(errors[0])}
    messages: dict[str, str] = {}
    for key, inner in errors.items():
        if isinstance(key, int):
            inner_path = f"{path}[{key}]"
        else:
            # Errors of a whole record belong to the record.
            inner_path = path if key == NON_FIELD_ERRORS else f"{path}.{key}"
        messages |= _messages_by_path(inner_path, inner)
    return messages


class InvalidIfMatch(ContractError):
    default_code = "rest_invalid_if_match"
    default_detail = gettext_lazy('If-Match must be the ETag of the record with its quotes, such as "5d41402a", or *.')


class InvalidIdempotencyKey(ContractError):
    default_code = "rest_invalid_idempotency_key"
    default_detail = gettext_lazy("Idempotency-Key must have 1 to 255 printable ASCII characters.")


class MissingParams(ContractError):
    """Required arguments that are missing or null. `hint` is a sentence about the probable cause."""

    default_code = "rest_missing_callback_param"
    default_detail = gettext_lazy("Required parameters are missing. data.params lists their names.")

    def __init__(self, names: Iterable[str], hint: str = "") -> None:
        names = list(names)
        message = _("Missing parameter(s): %(names)s") % {"names": ", ".join(names)}
        super().__init__(f"{message}. {hint}" if hint else message, params=names)


class NotAuthenticated(ContractError):
    status_code = 401
    default_code = "rest_forbidden"
    default_detail = gettext_lazy("You must authenticate to do this.")


class Forbidden(ContractError):
    status_code = 403
    default_code = "rest_forbidden"
    default_detail = gettext_lazy("You do not have permission to do this.")


class CannotEditOthers(Forbidden):
    default_code = "rest_cannot_edit_others"
    default_detail = gettext_lazy("You do not have permission to set another user as the author.")


class IncorrectPassword(ContractError):
    """The error for an unknown user and for a wrong password, so that names cannot be guessed (D9)."""

    status_code = 401
    default_code = "incorrect_password"
    default_detail = gettext_lazy("The username or application password is incorrect.")


class InvalidNonce(Forbidden):
    default_code = "rest_cookie_invalid_nonce"
    default_detail = gettext_lazy("The CSRF token is missing or incorrect.")


class RouteNotFound(ContractError):
    status_code = 404
    default_code = "rest_no_route"
    default_detail = gettext_lazy("No route was found matching the URL and request method.")


class UnknownNamespace(ContractError):
    status_code = 404
    default_code = "rest_invalid_namespace"
    default_detail = gettext_lazy("The namespace does not exist.")


class RecordError(ContractError):
    """An error about a record; its code begins with the resource: `venue-not-found`."""

    def __init__(self, resource: str) -> None:
        super().__init__(code=f"{resource}-{self.default_code}")


class RecordNotFound(RecordError):
    """No record has the id or slug in the path (D16)."""

    status_code = 404
    default_code = "not-found"
    default_detail = gettext_lazy("The record does not exist.")

    def __init__(self, resource: str) -> None:
        # Only this code of the contract has a prefix.
        super().__init__("rest-event" if resource == "event" else resource)


class NameRequired(ContractError):
    """The error for a name that consists of whitespace, for which the contract has a code."""

    default_detail = gettext_lazy("A name is required.")

    def __init__(self, resource: str) -> None:
        super().__init__(code=f"could-not-create-{resource}")


class NotAccessible(RecordError):
    status_code = 403
    default_code = "not-accessible"
    default_detail = gettext_lazy("This record is not published.")


class PasswordProtected(RecordError):
    status_code = 403
    default_code = "password-protected"
    default_detail = gettext_lazy("This record is password-protected. Send its password in the password parameter.")


class NoLongerAvailable(RecordError):
    status_code = 403
    default_code = "no-longer-available"
    default_detail = gettext_lazy("This record is in the trash.")


class AlreadyTrashed(RecordError):
    status_code = 410
    default_code = "is-in-trash"
    default_detail = gettext_lazy("This record is already in the trash.")


class PreconditionFailed(ContractError):
    """The record is not the version that `If-Match` or `If-Unmodified-Since` names. `headers` name the current one."""

    status_code = 412
    default_code = "rest_precondition_failed"
    default_detail = gettext_lazy(
        "The record has changed since you read it. Read it again, and repeat your change with its current ETag."
    )

    def __init__(self, headers: Mapping[str, str] | None = None) -> None:
        super().__init__()
        self.headers |= headers or {}


class PageNotFound(RecordError):
    status_code = 404
    default_code = "archive-page-not-found"
    default_detail = gettext_lazy("The page number is greater than the number of pages.")


class IdempotencyKeyReused(ContractError):
    status_code = 422
    default_code = "rest_idempotency_key_reused"
    default_detail = gettext_lazy("The Idempotency-Key was used for a request with other data. Send a new key.")


class TooManyRequests(ContractError):
    status_code = 429
    default_code = "rest_too_many_requests"
    default_detail = gettext_lazy("Too many requests. Try again later.")


class RetryLater(ContractError):
    """An error that a client avoids by repeating the request after a few seconds."""

    def __init__(self) -> None:
        super().__init__()
        self.headers["Retry-After"] = str(RETRY_AFTER_SECONDS)


class TooManyUploads(RetryLater):
    status_code = 429
    default_code = "rest_too_many_uploads"
    default_detail = gettext_lazy("Too many requests with large bodies are running. Try again in a moment.")


class IdempotencyKeyInUse(RetryLater):
    status_code = 409
    default_code = "rest_idempotency_key_in_use"
    default_detail = gettext_lazy("A request with the same Idempotency-Key is still running. Try again in a moment.")


class Busy(RetryLater):
    status_code = 503
    default_code = "rest_busy"
    default_detail = gettext_lazy("The service is busy. Try again in a moment.")


class Unavailable(ContractError):
    """The database cannot be reached, or lacks resources."""

    status_code = 503
    default_code = "rest_unavailable"
    default_detail = gettext_lazy("The service is temporarily unavailable. Try again in a moment.")

    def __init__(self) -> None:
        super().__init__()
        self.headers["Retry-After"] = str(database_faults.RETRY_AFTER_SECONDS)


class InternalError(ContractError):
    status_code = 500
    default_code = "rest_internal_error"
    default_detail = gettext_lazy("An internal error occurred and was logged.")


def error_body(error: ContractError) -> dict[str, Any]:
    return {
        "code": error.code,
        "message": str(error.detail),
        "data": {"status": error.status_code, **error.data},
    }
