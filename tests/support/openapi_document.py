"""Comparing responses with the OpenAPI document: status, codes, headers, and every key of the body."""

import re
from typing import Any

from jsonschema import Draft202012Validator

from tests.support.api_client import API, JSONClient


def fetch_document() -> dict[str, Any]:
    return JSONClient().get(f"{API}/doc").json()


class OpenAPIDocument:
    """The OpenAPI document, to validate responses by."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        # The document allows additional keys, for later versions. The current responses must not have any.
        self.closed = _closed(document)
        self.operations = {
            operation["operationId"]: (method.upper(), path, operation)
            for path, item in document["paths"].items()
            for method, operation in item.items()
        }

    def resolved(self, part: dict[str, Any]) -> dict[str, Any]:
        """Return the target if the part is a reference, else the part."""
        while "$ref" in part:
            found = self.document
            for step in part["$ref"].removeprefix("#/").split("/"):
                found = found[step]
            part = found
        return part

    def with_targets(self, schema: Any) -> Any:
        """Return the schema with the name of its target in place of each reference."""
        if isinstance(schema, list):
            return [self.with_targets(part) for part in schema]
        if not isinstance(schema, dict):
            return schema
        if "$ref" in schema:
            return schema["$ref"].removeprefix("#/components/schemas/")
        return {name: self.with_targets(part) for name, part in schema.items()}

    def responses(self, operation_id: str) -> dict[int, dict[str, Any]]:
        _method, _path, operation = self.operations[operation_id]
        return {int(status): self.resolved(answer) for status, answer in operation["responses"].items()}

    def codes(self, operation_id: str) -> set[tuple[int, str]]:
        """Return status and code of each documented error of the operation."""
        return {
            (status, code)
            for status, answer in self.responses(operation_id).items()
            if status >= 400
            for code in answer["content"]["application/json"]["examples"]
        }

    def faults(self, operation_id: str, response: Any) -> list[str]:
        """Return the differences of a response from the document."""
        answer = self.responses(operation_id).get(response.status_code)
        if answer is None:
            return [f"Status {response.status_code} is not documented."]
        schema = answer["content"][response["Content-Type"].partition(";")[0]]["schema"]
        faults = self.schema_faults(schema, response.json())
        unknown = set(response.headers) - set(answer["headers"]) - UNDOCUMENTED_HEADERS
        return faults + [f"The header {name} is not documented." for name in sorted(unknown)]

    def schema_faults(self, schema: dict[str, Any], value: Any) -> list[str]:
        """Return the differences of a value from a schema of the document."""
        whole = {**_closed(schema), "components": self.closed["components"]}
        validator = Draft202012Validator(whole, format_checker=Draft202012Validator.FORMAT_CHECKER)
        return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(value)]


# Headers of HTTP and of middleware, which the document leaves out.
UNDOCUMENTED_HEADERS = {
    "Allow", "Cache-Control", "Content-Language", "Content-Length", "Content-Security-Policy", "Content-Type",
    "Cross-Origin-Opener-Policy", "Last-Modified", "Link", "Permissions-Policy", "Referrer-Policy", "Vary",
    "X-Content-Type-Options", "X-Frame-Options",
}  # fmt: skip


def _closed(schema: Any) -> Any:
    """Return the schema without additional properties in the objects whose keys it names."""
    if isinstance(schema, list):
        return [_closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {name: _closed(item) for name, item in schema.items()}
    if closed.get("type") == "object" and isinstance(closed.get("properties"), dict):
        closed.setdefault("additionalProperties", False)
    return closed


def path_of(path: str, **values: Any) -> str:
    """Return the path of an operation with values for its parameters."""
    return API + re.sub(r"\{(\w+)\}", lambda match: str(values[match[1]]), path.removesuffix("/"))
