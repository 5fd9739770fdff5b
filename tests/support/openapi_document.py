"""Answers held against the document: status, codes, headers, and every key of the body."""

import re
from typing import Any

from jsonschema import Draft202012Validator

from tests.support.api_client import API, JSONClient


def fetch_document() -> dict[str, Any]:
    return JSONClient().get(f"{API}/doc").json()


class OpenAPIDocument:
    """The document, and what it says of answers."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        # As the document stands it lets keys be added; the service, as it stands, must have none that are not in it.
        self.closed = _closed(document)
        self.operations = {
            operation["operationId"]: (method.upper(), path, operation)
            for path, item in document["paths"].items()
            for method, operation in item.items()
        }

    def resolved(self, part: dict[str, Any]) -> dict[str, Any]:
        """The part itself where there is a reference to it."""
        while "$ref" in part:
            found = self.document
            for step in part["$ref"].removeprefix("#/").split("/"):
                found = found[step]
            part = found
        return part

    def responses(self, operation_id: str) -> dict[int, dict[str, Any]]:
        _method, _path, operation = self.operations[operation_id]
        return {int(status): self.resolved(answer) for status, answer in operation["responses"].items()}

    def codes(self, operation_id: str) -> set[tuple[int, str]]:
        """Every error that the operation may answer: status and code."""
        return {
            (status, code)
            for status, answer in self.responses(operation_id).items()
            if status >= 400
            for code in answer["content"]["application/json"]["examples"]
        }

    def faults(self, operation_id: str, response: Any) -> list[str]:
        """What of the answer is not as the document says."""
        answer = self.responses(operation_id).get(response.status_code)
        if answer is None:
            return [f"Status {response.status_code} is not documented."]
        schema = answer["content"][response["Content-Type"]]["schema"]
        whole = {**_closed(schema), "components": self.closed["components"]}
        validator = Draft202012Validator(whole, format_checker=Draft202012Validator.FORMAT_CHECKER)
        faults = [f"{error.json_path}: {error.message}" for error in validator.iter_errors(response.json())]
        unknown = set(response.headers) - set(answer["headers"]) - UNSAID
        return faults + [f"The header {name} is not documented." for name in sorted(unknown)]


# Headers of HTTP itself, and of what stands before the API.
UNSAID = {
    "Allow", "Cache-Control", "Content-Language", "Content-Length", "Content-Type", "Cross-Origin-Opener-Policy",
    "Link", "Referrer-Policy", "Vary", "X-Content-Type-Options", "X-Frame-Options",
}  # fmt: skip


def _closed(schema: Any) -> Any:
    """The schema with every object closed whose keys it names."""
    if isinstance(schema, list):
        return [_closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {name: _closed(item) for name, item in schema.items()}
    if closed.get("type") == "object" and isinstance(closed.get("properties"), dict):
        closed.setdefault("additionalProperties", False)
    return closed


def path_of(path: str, **given: Any) -> str:
    """The path of an operation with what stands for its names."""
    return API + re.sub(r"\{(\w+)\}", lambda match: str(given[match[1]]), path.removesuffix("/"))
