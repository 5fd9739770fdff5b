"""The base classes of all views of the original's API."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, ClassVar

import orjson
from rest_framework.request import Request
from rest_framework.response import Response

from calendar_site.api.errors import ContractError, InvalidParams, MissingParams
from calendar_site.api.output.list_budget import join_list
from calendar_site.api.output.selection import Selection
from calendar_site.api.views import ContractView, UnknownRoute
from calendar_site.api.viewsets import Record, RecordViewSet
from calendar_site.compatibility.addresses import OriginalURLs
from calendar_site.compatibility.credentials import AUTHENTICATION

# Arguments of every route, in addition to those of the contract.
GLOBAL_ARGUMENTS = {"_envelope", "_locale", "_wpnonce", "rest_route"}
PRIVATE = "no-cache, must-revalidate, max-age=0, no-store, private"


class OriginalView(ContractView):
    """A view whose headers and URLs are those of the original."""

    authentication_classes = list(AUTHENTICATION)
    # The namespace of the route.
    original_namespace: ClassVar[str] = ""

    @cached_property
    def urls(self) -> OriginalURLs:
        return OriginalURLs.of(self.request)

    @property
    def namespace(self) -> str:
        return self.original_namespace

    def ignore_arguments_except(self, *known: Iterable[str]) -> None:
        super().ignore_arguments_except(GLOBAL_ARGUMENTS, *known)

    def handle_exception(self, exc: Exception) -> Any:
        return super().handle_exception(self.translate_error(exc))

    def translate_error(self, error: Exception) -> Exception:
        """Return the error of the original for one of the contract."""
        return error

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        response["X-Robots-Tag"] = "noindex"
        if request.user.is_authenticated:
            response["Cache-Control"] = PRIVATE
        if "_envelope" in request.query_params and isinstance(response, Response):
            _put_into_envelope(response)
        return response


class UnknownOriginalRoute(OriginalView, UnknownRoute):
    """The view of all other paths below the root: 404, whatever the method."""


def _put_into_envelope(response: Response) -> None:
    """Put status and headers into the body, for clients that cannot read them."""
    headers = {name: value for name, value in response.items() if name != "Content-Type"}
    response.data = {"body": response.data, "status": response.status_code, "headers": headers}
    response.status_code = 200


class OriginalRecords(OriginalView, RecordViewSet):
    """Records of the contract in a shape of the original: what comes in and goes out is translated, nothing else."""

    # Returns the record of the contract in the shape of the original.
    def to_original(self, record: Record) -> Record:
        raise NotImplementedError

    def translate_arguments(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return the arguments of the contract for those of the original."""
        return arguments

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.arguments = self.translate_arguments(self.arguments)

    def represent_page(self, rows: Any, selection: Selection) -> Any:
        # The keys of the original are not those of the contract: complete values are translated, and then selected.
        whole = Selection({key: {} for key in self.contract_keys(selection)})
        found = super().represent_page(rows, whole)
        if isinstance(found, orjson.Fragment):
            records = orjson.loads(orjson.dumps(found))
            return join_list(orjson.dumps(selection.apply(self.to_original(record))) for record in records)
        return [self.to_original(record) for record in found]

    def contract_keys(self, selection: Selection) -> Iterable[str]:
        """Return the keys of the contract that the selected keys of the original are made of; none for all."""
        return selection.tree

    def respond(
        self, record: Record, known: Iterable[str], *, status: int = 200, headers: dict[str, str] | None = None
    ) -> Response:
        return super().respond(self.to_original(record), [*known, *record], status=status, headers=headers)


def with_names(error: ContractError, names: Mapping[str, str]) -> ContractError:
    """Return an error with the original's names of arguments, such as `content`, instead of the contract's."""
    params: Any = error.data.get("params")
    if isinstance(error, InvalidParams):
        return InvalidParams({names.get(name, name): message for name, message in params.items()})
    return MissingParams(names.get(name, name) for name in params) if isinstance(error, MissingParams) else error
