"""The rules of `core.permissions` as a permission class of Django REST framework."""

from __future__ import annotations

from typing import Any

from django.db.models import Model
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from calendar_site.core import permissions
from calendar_site.core.types import AnyUser

# The Django permission that an action of a viewset needs, and the viewset action of each method on a record.
MODEL_PERMISSIONS = {"create": "add", "update": "change", "destroy": "delete"}
ACTIONS_OF_METHODS = {"POST": "update", "PUT": "update", "PATCH": "update", "DELETE": "destroy"}


class ContractPermission(BasePermission):
    """The permissions for writes. Allows all reads: they depend on the status of the row, which the viewset checks."""

    def has_permission(self, request: Request, view: Any) -> bool:
        return view.action not in MODEL_PERMISSIONS or permissions.has_model_permission(
            request.user, MODEL_PERMISSIONS[view.action], view.model
        )

    def has_object_permission(self, request: Request, view: Any, obj: Any) -> bool:
        return can_act(request.user, view.action, obj, view.model)


def can_act(user: AnyUser, action: str, row: Any, model: type[Model]) -> bool:
    """Return whether the user may perform the action of a viewset on the row."""
    if action == "update":
        return permissions.can_edit(user, row, model)
    if action == "destroy":
        return permissions.can_delete(user, row, model)
    return True
