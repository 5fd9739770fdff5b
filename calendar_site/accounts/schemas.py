"""How programs sign in, for the document of the API. Found by drf-spectacular once this is imported."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.utils.translation import gettext_lazy as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension


class BasicScheme(OpenApiAuthenticationExtension):
    target_class = "calendar_site.accounts.authentication.BasicAuthentication"
    name = "basic"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        return {
            "type": "http",
            "scheme": "basic",
            "description": _("The name of an account with one of its application passwords."),
        }


class BearerScheme(OpenApiAuthenticationExtension):
    target_class = "calendar_site.accounts.authentication.BearerAuthentication"
    name = "bearer"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        return {"type": "http", "scheme": "bearer", "description": _("An application password alone.")}


class SessionScheme(OpenApiAuthenticationExtension):
    """The session of the admin; a write needs the token against forgery beside it."""

    target_class = "calendar_site.accounts.authentication.SessionAuthentication"
    name = ["session", "csrf"]

    def get_security_requirement(self, auto_schema: Any) -> dict[str, Any]:
        return {name: [] for name in (self.name if auto_schema.method != "GET" else self.name[:1])}

    def get_security_definition(self, auto_schema: Any) -> list[dict[str, Any]]:
        return [
            {
                "type": "apiKey",
                "in": "cookie",
                "name": settings.SESSION_COOKIE_NAME,
                "description": _("The session of who is signed in to the admin."),
            },
            {
                "type": "apiKey",
                "in": "header",
                "name": "X-CSRFToken",
                "description": _("The CSRF token of that session; it is in the cookie csrftoken."),
            },
        ]
