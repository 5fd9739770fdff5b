"""Formatting roles and permissions for the history of accounts and groups."""

from __future__ import annotations

from django.apps import apps
from django.utils.translation import pgettext_lazy

from calendar_site.accounts.roles import role_label
from calendar_site.core.text.plain_text import join_label

PERMISSION_LABELS = {
    "add": pgettext_lazy("a right", "add"),
    "change": pgettext_lazy("a right", "change"),
    "delete": pgettext_lazy("a right", "delete"),
    "view": pgettext_lazy("a right", "view"),
    "publish": pgettext_lazy("a right", "publish"),
    "change_others": pgettext_lazy("a right", "change records of other users"),
    "delete_others": pgettext_lazy("a right", "delete records of other users"),
}


def format_lines(texts: list[str], revision: object) -> str:
    return "\n".join(texts)


def format_roles(groups: list[str], revision: object) -> str:
    return "\n".join(map(role_label, groups))


def format_permissions(names: list[str], revision: object) -> str:
    """Format permissions such as `events.publish_event`, one per line."""
    return "\n".join(map(_format_permission, names))


def _format_permission(name: str) -> str:
    app, _dot, codename = name.partition(".")
    action, _underscore, model_name = codename.rpartition("_")
    try:
        model = apps.get_model(app, model_name)
    except LookupError:
        return name
    return join_label(str(model._meta.verbose_name), str(PERMISSION_LABELS.get(action, action)))
