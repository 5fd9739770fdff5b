"""Roles and rights in the words of the history of accounts and groups."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.utils.translation import pgettext_lazy

from calendar_site.accounts.roles import role_name

RIGHTS = {
    "add": pgettext_lazy("a right", "add"),
    "change": pgettext_lazy("a right", "change"),
    "delete": pgettext_lazy("a right", "delete"),
    "view": pgettext_lazy("a right", "view"),
    "publish": pgettext_lazy("a right", "publish"),
    "change_others": pgettext_lazy("a right", "change those of others"),
    "delete_others": pgettext_lazy("a right", "delete those of others"),
}


def lines(texts: list[str], state: Any) -> str:
    return "\n".join(texts)


def roles_in_words(groups: list[str], state: Any) -> str:
    return "\n".join(map(role_name, groups))


def rights_in_words(names: list[str], state: Any) -> str:
    """A line for each right, which is named as code names it: `events.publish_event`."""
    return "\n".join(map(_right_in_words, names))


def _right_in_words(name: str) -> str:
    app, _dot, codename = name.partition(".")
    action, _line, model = codename.rpartition("_")
    try:
        known = apps.get_model(app, model)
    except LookupError:
        return name
    return f"{known._meta.verbose_name}: {RIGHTS.get(action, action)}"
