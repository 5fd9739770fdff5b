"""The contract's errors: one class for each code, and the one handler that answers every exception.

Body: `{"code", "message", "data": {"status", "params"?, "details"?}}` (wire.md, section "Errors").
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Iterable, Mapping
from typing import Any

from django.core.exceptions import (
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
    TooManyFieldsSent,
    TooManyFilesSent,
    ValidationError,
)
from django.http import Http404, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import exceptions
from rest_framework.response import Response

from calendar_site.content.rules import ActsForOthers
from calendar_site.content.transactions import COME_BACK_AFTER, is_lock_timeout

logger = logging.getLogger(__name__)


class ContractError(exceptions.APIException):
    """An error with the contract's body. `data` goes into the body's `data`, beside `status`."""

    status_code = 400
    default_code = "rest_invalid_param"
    default_detail = gettext_lazy("The request cannot be answered.")

    def __init__(self, message: Any = None, *, code: str | None = None, status: int | None = None, **data: Any) -> None:
        super().__init__(message, code)
        self.code = code or self.default_code
        self.status_code = status or self.status_code
        self.data = data
        self.headers: dict[str, str] = {}


class InvalidJSON(ContractError):
    default_code = "rest_invalid_json"
    default_detail = gettext_lazy("The body of the request is not valid JSON.")


class UnreadableBody(ContractError):
    default_code = "rest_invalid_body"
    default_detail = gettext_lazy("The body of the request cannot be read.")


class BodyTooLarge(ContractError):
    status_code = 413
    default_code = "rest_content_too_large"
    default_detail = gettext_lazy("The body of the request is larger than this service accepts.")


class InvalidParams(ContractError):
    """Invalid arguments, all of them: names them in `params`, each with what is wrong."""

    default_detail = gettext_lazy("Arguments are not valid; data.params says which, and what is wrong with each.")

    def __init__(self, params: Mapping[str, Any], details: Mapping[str, Any] | None = None) -> None:
        params = {name: str(message) for name, message in params.items()}
        details = {
            name: {"code": "rest_invalid_param", "message": message, "data": None} for name, message in params.items()
        } | dict(details or {})
        message = _("Invalid parameter(s): %(names)s") % {"names": ", ".join(params)}
        super().__init__(message, params=params, details=details)


class MissingParams(ContractError):
    """Required arguments that are missing or null."""

    default_code = "rest_missing_callback_param"
    default_detail = gettext_lazy("Arguments are missing that are required; data.params names them.")

    def __init__(self, names: Iterable[str]) -> None:
        names = list(names)
        super().__init__(_("Missing parameter(s): %(names)s") % {"names": ", ".join(names)}, params=names)


class NotSignedIn(ContractError):
    status_code = 401
    default_code = "rest_forbidden"
    default_detail = gettext_lazy("Sign in to do that.")


class Forbidden(ContractError):
    status_code = 403
    default_code = "rest_forbidden"
    default_detail = gettext_lazy("Sorry, you are not allowed to do that.")


class CannotEditOthers(Forbidden):
    default_code = "rest_cannot_edit_others"
    default_detail = gettext_lazy("Sorry, you are not allowed to act for another author.")


class IncorrectPassword(ContractError):
    """A wrong user and a wrong password answer alike, so that names cannot be guessed (D9)."""

    status_code = 401
    default_code = "incorrect_password"
    default_detail = gettext_lazy("The user name or the password is not correct.")


class InvalidNonce(Forbidden):
    default_code = "rest_cookie_invalid_nonce"
    default_detail = gettext_lazy("The CSRF token is missing or not correct.")


class NoRoute(ContractError):
    status_code = 404
    default_code = "rest_no_route"
    default_detail = gettext_lazy("No route was found matching the address and the method.")


class UnknownNamespace(ContractError):
    status_code = 404
    default_code = "rest_invalid_namespace"
    default_detail = gettext_lazy("There is no such namespace.")


class RecordError(ContractError):
    """An error about one kind of record, whose code begins with that kind: `venue-not-found`."""

    def __init__(self, kind: str) -> None:
        super().__init__(code=f"{kind}-{self.default_code}")


class UnknownRecord(RecordError):
    """No record has the id or slug of the address (D16)."""

    status_code = 404
    default_code = "not-found"
    default_detail = gettext_lazy("There is no such record.")

    def __init__(self, kind: str) -> None:
        # The contract's clients know this one code with a prefix.
        super().__init__("rest-event" if kind == "event" else kind)


class NameNeeded(ContractError):
    """The contract's clients know a name of blanks by a code of its own."""

    default_detail = gettext_lazy("A name is needed.")

    def __init__(self, kind: str) -> None:
        super().__init__(code=f"could-not-create-{kind}")


class NotAccessible(RecordError):
    status_code = 403
    default_code = "not-accessible"
    default_detail = gettext_lazy("This record is not published.")


class PasswordProtected(RecordError):
    status_code = 403
    default_code = "password-protected"
    default_detail = gettext_lazy("This record needs its password.")


class NoLongerAvailable(RecordError):
    status_code = 403
    default_code = "no-longer-available"
    default_detail = gettext_lazy("This record is in the trash.")


class InTrash(RecordError):
    status_code = 410
    default_code = "is-in-trash"
    default_detail = gettext_lazy("This record is in the trash already.")


class PageNotFound(RecordError):
    status_code = 404
    default_code = "archive-page-not-found"
    default_detail = gettext_lazy("There are not so many pages.")


class TooManyRequests(ContractError):
    status_code = 429
    default_code = "rest_too_many_requests"
    default_detail = gettext_lazy("Too many requests. Try again later.")


class Busy(ContractError):
    status_code = 503
    default_code = "rest_busy"
    default_detail = gettext_lazy("The service is busy. Try again in a moment.")


class InternalError(ContractError):
    status_code = 500
    default_code = "rest_internal_error"
    default_detail = gettext_lazy("Something went wrong here. The fault has been recorded.")


def answer_exception(error: Exception, context: dict[str, Any]) -> Response:
    """Every exception of a view as an answer of the contract; what nobody foresaw is a 500 with its id."""
    known = as_contract_error(error)
    if known is None:
        known = InternalError(id=uuid.uuid4().hex)
        logger.error("Error %s", known.data["id"], exc_info=error)
    return Response(error_body(known), status=known.status_code, headers=known.headers)


def error_body(error: ContractError) -> dict[str, Any]:
    return {
        "code": error.code,
        "message": str(error.detail),
        "data": {"status": error.status_code, **error.data},
    }


def as_contract_error(error: Exception) -> ContractError | None:
    """The contract's error that says what `error` says, or None for a fault of our own."""
    match error:
        case ContractError():
            return error
        case exceptions.Throttled():
            known: ContractError = TooManyRequests()
            wait = getattr(error, "wait", None)
            if wait is not None:
                known.headers["Retry-After"] = str(int(wait) + 1)
            return known
        case exceptions.NotAuthenticated():
            known = NotSignedIn()
            known.headers["WWW-Authenticate"] = error.auth_header  # type: ignore[attr-defined] # set by the view
            return known
        case exceptions.AuthenticationFailed():
            return IncorrectPassword()
        case ActsForOthers():
            return CannotEditOthers()
        case exceptions.PermissionDenied() | PermissionDenied():
            return Forbidden()
        case exceptions.MethodNotAllowed() | exceptions.NotFound() | Http404():
            return NoRoute()
        case RequestDataTooBig():
            return BodyTooLarge()
        case TooManyFieldsSent() | TooManyFilesSent():
            return UnreadableBody(_("The request has too many fields."))
        case MultiPartParserError() | exceptions.ParseError() | SuspiciousOperation() | UnreadablePostError():
            return UnreadableBody()
        case ValidationError():
            return InvalidParams(_messages(error))
        case _ if is_lock_timeout(error):
            known = Busy()
            known.headers["Retry-After"] = str(COME_BACK_AFTER)
            return known
    return None


def _messages(error: ValidationError) -> dict[str, str]:
    if hasattr(error, "error_dict"):
        return {name: " ".join(messages) for name, messages in error.message_dict.items()}
    return {"__all__": " ".join(error.messages)}
