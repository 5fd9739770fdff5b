"""Errors of `wp/v2` and `tec/v1` that the contract does not have."""

from __future__ import annotations

from rest_framework.request import Request

from calendar_site.api.errors import ContractError, Forbidden, NotAuthenticated, PageNotFound, RecordNotFound


def denied(request: Request, code: str) -> ContractError:
    """Return the error for an action that the user may not perform: 401 without an account, else 403."""
    error = Forbidden if request.user.is_authenticated else NotAuthenticated
    return ContractError(error.default_detail, code=code, status=error.status_code)


def unknown_record(code: str) -> ContractError:
    """Return the error for an id that no record has, or none that the user may know of."""
    return ContractError(RecordNotFound.default_detail, code=code, status=404)


def no_such_page(code: str, status: int) -> ContractError:
    """Return the error for a page past the last one."""
    return ContractError(PageNotFound.default_detail, code=code, status=status)
