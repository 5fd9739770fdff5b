"""`GET /me`: the user of a request, their roles, their permissions for each resource, and the limits of the service."""

from __future__ import annotations

from typing import Any, cast

from django.apps import apps
from django.conf import settings
from django.utils.translation import gettext_lazy as _
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from calendar_site.accounts.models import ApplicationPassword, User
from calendar_site.accounts.scopes import RESOURCES
from calendar_site.api.description.components import (
    BOOLEAN,
    INTEGER,
    TEXT,
    Component,
    described,
    nullable,
    object_schema,
)
from calendar_site.api.description.operations import Operation, common_errors
from calendar_site.api.errors import ContractError, NotAuthenticated
from calendar_site.api.views import ContractView
from calendar_site.core import permissions
from calendar_site.core.dates.conversion import parse_zone, to_rfc3339

# The permissions of a resource by their names in the response. Resources have those that their models have.
ACTIONS = {
    "create": "add",
    "update": "change",
    "delete": "delete",
    "publish": "publish",
    "update_others": "change_others",
    "delete_others": "delete_others",
}
NULLABLE_TEXT = {"type": ["string", "null"]}

PERMISSIONS = Component(
    "Permissions",
    object_schema(
        {
            "create": described(BOOLEAN, _("Whether the user may create records.")),
            "update": described(BOOLEAN, _("Whether the user may update their own records.")),
            "delete": described(BOOLEAN, _("Whether the user may delete their own records.")),
            "publish": described(BOOLEAN, _("Whether the user may publish records without a review.")),
            "update_others": described(BOOLEAN, _("Whether the user may update the records of other users.")),
            "delete_others": described(BOOLEAN, _("Whether the user may delete the records of other users.")),
        },
        optional=("publish", "update_others", "delete_others"),
    ),
)
SCOPE = Component(
    "Scope",
    object_schema(
        {
            "read_only": described(BOOLEAN, _("Whether the password allows reads only.")),
            "own_records_only": described(
                BOOLEAN, _("Whether the password does not allow to change the records of other users.")
            ),
            "resources": described(
                {"type": "array", "items": {**TEXT, "enum": list(RESOURCES)}},
                _("The resources that the password allows to change."),
            ),
            "expires": described(NULLABLE_TEXT, _("When the password expires, in UTC as in RFC 3339, or null.")),
            "networks": described(
                {"type": "array", "items": TEXT},
                _("The networks in CIDR notation from which the password can be used, empty for all."),
            ),
        }
    ),
)
LIMITS = Component(
    "Limits",
    object_schema(
        {
            "per_page": described(INTEGER, _("The highest accepted number of records per page.")),
            "body_bytes": described(INTEGER, _("The maximum size of a request body.")),
            "upload_bytes": described(INTEGER, _("The maximum size of a form with an image file.")),
            "requests": described(NULLABLE_TEXT, _("The rate limit of the user, such as 100/min, or null.")),
            "writes": described(NULLABLE_TEXT, _("The rate limit of the user for requests that write, or null.")),
        }
    ),
)
ME = Component(
    "Me",
    object_schema(
        {
            "id": described(INTEGER, _("The account id, as in author.")),
            "username": described(TEXT, _("The username.")),
            "name": described(TEXT, _("The full name, or the username if there is none.")),
            "roles": described(
                {"type": "array", "items": TEXT}, _("The names of the roles and other groups of the user.")
            ),
            "is_superuser": described(BOOLEAN, _("Whether the user has all permissions, regardless of roles.")),
            "application_password": described(
                NULLABLE_TEXT, _("The label of the application password of the request, or null.")
            ),
            "scope": described(
                nullable({"$ref": SCOPE}), _("The restrictions of that application password, or null in a session.")
            ),
            "permissions": described(
                object_schema(dict.fromkeys(RESOURCES, PERMISSIONS)), _("What the user may do, by resource.")
            ),
            "limits": {"$ref": LIMITS, "description": _("The limits that apply to the user.")},
        }
    ),
)


class MayReadOwnAccount(IsAuthenticated):
    """Everybody may ask for the description of the endpoint."""

    def has_permission(self, request: Request, view: Any) -> bool:
        return request.method == "OPTIONS" or super().has_permission(request, view)


class MeView(ContractView):
    permission_classes = [MayReadOwnAccount]

    def get(self, request: Request, **path: str) -> Response:
        self.ignore_arguments_except()
        record = represent_user(cast("User", request.user), cast("ApplicationPassword | None", request.auth))
        return Response(self.selection.apply(record))

    def get_operation(self, method: str) -> Operation:
        return Operation(
            "getMe",
            _("Get the authenticated user"),
            ME,
            description=_("Returns the user of the request with their roles, permissions and limits."),
        )

    def get_errors(self, method: str) -> list[ContractError]:
        return [*common_errors(), NotAuthenticated()]


def represent_user(user: User, password: ApplicationPassword | None) -> dict[str, Any]:
    """Return the record of the user. `password` is the application password of the request, None in a session."""
    return {
        "id": user.pk,
        "username": user.username,
        "name": user.get_full_name() or user.username,
        "roles": sorted(user.groups.values_list("name", flat=True)),
        "is_superuser": user.is_superuser,
        "application_password": password.label if password else None,
        "scope": _scope_of(password) if password else None,
        "permissions": {name: _permissions_for(user, label) for name, label in RESOURCES.items()},
        "limits": {
            "per_page": settings.PER_PAGE_LIMIT,
            "body_bytes": settings.DATA_UPLOAD_MAX_MEMORY_SIZE,
            "upload_bytes": settings.UPLOAD_LIMIT,
            "requests": settings.THROTTLE_USER or None,
            "writes": settings.THROTTLE_USER_WRITES or None,
        },
    }


def _scope_of(password: ApplicationPassword) -> dict[str, Any]:
    return {
        "read_only": password.is_read_only,
        "own_records_only": password.is_own_only,
        "resources": password.resources or list(RESOURCES),
        "expires": password.expires_at and to_rfc3339(password.expires_at, parse_zone("UTC")),
        "networks": password.networks,
    }


def _permissions_for(user: User, label: str) -> dict[str, bool]:
    model = apps.get_model(label)
    return {
        name: permissions.has_model_permission(user, action, model)
        for name, action in ACTIONS.items()
        if action in model._meta.default_permissions
    }
