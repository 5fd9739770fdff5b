"""API clients for tests."""

import hashlib
import secrets
from typing import Any

from django.test import Client

from calendar_site.accounts.models import ApplicationPassword

API = "/cal/events/v1"


class JSONClient(Client):
    """Django's test client, which sends JSON by default."""

    def generic(self, method: str, path: str, data: Any = "", content_type: str = "application/json", **kwargs: Any):
        return super().generic(method, path, data, content_type, **kwargs)

    def post(self, path: str, data: Any = None, content_type: str = "application/json", **kwargs: Any):
        return super().post(path, {} if data is None else data, content_type, **kwargs)

    def put(self, path: str, data: Any = None, content_type: str = "application/json", **kwargs: Any):
        return super().put(path, {} if data is None else data, content_type, **kwargs)

    def patch(self, path: str, data: Any = None, content_type: str = "application/json", **kwargs: Any):
        return super().patch(path, {} if data is None else data, content_type, **kwargs)


def api_client_for(user) -> JSONClient:
    """Return a client that authenticates with an application password of the user, None for an anonymous client."""
    if user is None:
        return JSONClient()
    secret = secrets.token_hex()
    # As `create_application_password` stores it, without the history of the account.
    ApplicationPassword.objects.create(user=user, label="tests", digest=hashlib.sha256(secret.encode()).hexdigest())
    return JSONClient(headers={"Authorization": f"Bearer {secret}"})


def json_of(response) -> Any:
    """Return the body of a successful response."""
    assert response.status_code == 200, response.content
    return response.json()


def listed_ids(response, collection: str) -> list[int]:
    """Return the ids of the records in a list, in their order."""
    return [record["id"] for record in json_of(response)[collection]]


def counted_ids(response, collection: str) -> list[int]:
    """Return the ids in a list of one page, and check that its totals agree with them."""
    found = listed_ids(response, collection)
    assert (response.json()["total"], response["X-TEC-Total"]) == (len(found), str(len(found)))
    return found


def headers_of_any_request(response) -> dict[str, str]:
    """Return the headers but the id, which differs in each request."""
    return {name: value for name, value in response.items() if name != "X-Request-ID"}


def link_header(response) -> dict[str, str]:
    """Return the URLs in the `Link` header by their relation."""
    pairs = [link.split("; ") for link in filter(None, response.get("Link", "").split(", "))]
    return {relation.removeprefix('rel="').removesuffix('"'): url.strip("<>") for url, relation in pairs}


def invalid_arguments(response) -> list[str]:
    """Return the names of the invalid arguments in the response, without the paths within them."""
    return [name for name in invalid_params(response) if "." not in name and "[" not in name]


def invalid_params(response) -> dict[str, str]:
    """Return the message for each invalid argument in the response."""
    body = response.json()
    assert (response.status_code, body["code"]) == (400, "rest_invalid_param"), response.content
    return body["data"]["params"]
