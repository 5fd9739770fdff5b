"""Translated labels of permissions, because those in the database are in English."""

from __future__ import annotations

from django.contrib.auth.models import Permission

from calendar_site.accounts.history_display import PERMISSION_LABELS


def permission_label(permission: Permission) -> str:
    """Return a label such as `Events | event | change`."""
    action = permission.codename.removesuffix(f"_{permission.content_type.model}")
    return f"{permission.content_type} | {PERMISSION_LABELS.get(action, permission.name)}"
