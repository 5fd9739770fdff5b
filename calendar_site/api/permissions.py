"""The rights of `content.rules` in the terms of Django REST framework."""

from __future__ import annotations

from typing import Any

from rest_framework.permissions import BasePermission

from calendar_site.content import rules

# What a view's action does to a record, in the terms of Django's permissions.
RIGHTS = {"create": "add", "update": "change", "destroy": "delete"}
METHODS = {"POST": "update", "PUT": "update", "PATCH": "update", "DELETE": "destroy"}


class ContractPermission(BasePermission):
    """Reading is free here: a row says by its own state who may read it."""

    def has_permission(self, request: Any, view: Any) -> bool:
        return view.action not in RIGHTS or rules.may(request.user, RIGHTS[view.action], view.model)

    def has_object_permission(self, request: Any, view: Any, obj: Any) -> bool:
        return may_act(request.user, view.action, obj)


def may_act(user: Any, action: str, row: Any) -> bool:
    """Whether the user may do `action` to this very row."""
    if action == "update":
        return rules.can_edit(user, row)
    if action == "destroy":
        return rules.can_delete(user, row)
    return True
