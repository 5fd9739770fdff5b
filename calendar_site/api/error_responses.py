"""The response to each exception that a view may raise."""

from __future__ import annotations

import logging
from typing import Any, cast

from django.core.exceptions import (
    DisallowedHost,
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
from rest_framework import exceptions
from rest_framework.response import Response

from calendar_site.api.errors import (
    BodyTooLarge,
    Busy,
    CannotEditOthers,
    ContractError,
    Forbidden,
    IncorrectPassword,
    InternalError,
    InvalidBody,
    InvalidHost,
    InvalidParams,
    NotAuthenticated,
    RouteNotFound,
    TooManyRequests,
    Unavailable,
    error_body,
)
from calendar_site.api.throttles import LimitExceeded, usage_headers
from calendar_site.core.busy import ResourceBusy
from calendar_site.core.database import faults as database_faults
from calendar_site.core.database.write_lock import is_lock_timeout
from calendar_site.core.http.request_context import current_request_id
from calendar_site.core.permissions import AuthorNotAllowed

logger = logging.getLogger(__name__)


def handle_exception(error: Exception, context: dict[str, Any]) -> Response:
    """Return the response to an exception raised by a view. Unexpected ones are logged and become a 500."""
    contract_error = to_contract_error(error)
    if contract_error is None:
        contract_error = InternalError()
        logger.error("Internal error: %s", type(error).__name__, exc_info=error)
    elif isinstance(contract_error, Unavailable):
        database_faults.unavailable_database.log(error)
    return Response(response_body(contract_error), status=contract_error.status_code, headers=contract_error.headers)


def response_body(error: ContractError) -> dict[str, Any]:
    """Return the body of the response to the current request; if the service is at fault, with the id in the log."""
    if error.status_code >= 500:
        error.data["request_id"] = current_request_id()
    return error_body(error)


def to_contract_error(error: Exception) -> ContractError | None:
    """Return the contract's error for an exception, None for one that is a bug."""
    match error:
        case ContractError():
            return error
        case exceptions.Throttled():
            too_many = TooManyRequests()
            wait = getattr(error, "wait", None)
            if wait is not None:
                too_many.headers["Retry-After"] = str(int(wait) + 1)
            if isinstance(error, LimitExceeded):
                too_many.headers |= usage_headers([error.usage])
            return too_many
        case exceptions.NotAuthenticated():
            unauthenticated = NotAuthenticated()
            unauthenticated.headers["WWW-Authenticate"] = error.auth_header  # type: ignore[attr-defined] # by the view
            return unauthenticated
        case exceptions.AuthenticationFailed():
            return IncorrectPassword()
        case AuthorNotAllowed():
            return CannotEditOthers()
        case exceptions.PermissionDenied() | PermissionDenied():
            return Forbidden()
        case exceptions.MethodNotAllowed() | exceptions.NotFound() | Http404():
            return RouteNotFound()
        case RequestDataTooBig():
            return BodyTooLarge()
        case TooManyFieldsSent() | TooManyFilesSent():
            return InvalidBody(_("The request has too many fields or files."))
        case MultiPartParserError() | exceptions.ParseError():
            return InvalidBody(
                _("The body is not valid multipart/form-data. Check the boundary in the header Content-Type.")
            )
        case DisallowedHost():
            return InvalidHost()
        case SuspiciousOperation():
            return InvalidBody(ContractError.default_detail)
        case UnreadablePostError():
            return InvalidBody()
        case exceptions.ValidationError():
            return InvalidParams.from_errors(cast("dict[str, Any]", error.detail))
        case ValidationError():
            return InvalidParams(_messages(error))
        case ResourceBusy():
            return Busy()
        case _ if is_lock_timeout(error):
            return Busy()
        case _ if database_faults.is_unavailable(error):
            return Unavailable()
    return None


def _messages(error: ValidationError) -> dict[str, str]:
    if hasattr(error, "error_dict"):
        return {name: " ".join(messages) for name, messages in error.message_dict.items()}
    return {"__all__": " ".join(error.messages)}
