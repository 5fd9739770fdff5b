"""The path of the admin in the URLs of the site."""

from __future__ import annotations

from django.http import HttpRequest

# `urls.py` mounts the admin here. A constant instead of `reverse()`, because middleware compares it with each request.
ADMIN_PATH = "/admin/"


def is_admin_path(request: HttpRequest) -> bool:
    """Return whether the request is for the admin, below the path and the language that the site is served under."""
    return request.path_info.startswith(ADMIN_PATH)
