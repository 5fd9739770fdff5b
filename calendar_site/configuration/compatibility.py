"""The settings of compatibility mode. The settings import this module, so it imports nothing of the service."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# Headers that clients of the original send and read.
ALLOWED_HEADERS = ["content-disposition", "content-md5", "x-tec-eea"]
EXPOSED_HEADERS = ["X-WP-Total", "X-WP-TotalPages"]


def compatible_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that differ in compatibility mode from these."""
    middleware = list(settings["MIDDLEWARE"])
    # Before everything that reads the path: stored responses, the language, and CORS.
    middleware.insert(
        middleware.index("calendar_site.response_cache.middleware.response_cache"),
        "calendar_site.compatibility.rest_route.rest_route",
    )
    # The innermost: they read the path without a language, and change pages before anything compares or compresses.
    middleware += [
        "calendar_site.compatibility.discovery.discovery",
        "calendar_site.compatibility.query_addresses.query_addresses",
    ]
    return {
        "ROOT_URLCONF": "calendar_site.compatibility.urls",
        "MIDDLEWARE": middleware,
        "CORS_URLS_REGEX": rf"{settings['CORS_URLS_REGEX']}|^.*/wp-json(?:/|$)",
        "CORS_ALLOW_HEADERS": [*settings["CORS_ALLOW_HEADERS"], *ALLOWED_HEADERS],
        "CORS_EXPOSE_HEADERS": [*settings["CORS_EXPOSE_HEADERS"], *EXPOSED_HEADERS],
    }
