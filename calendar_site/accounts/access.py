"""Accounts without any permission in the admin: whether an account is one, and the message for its owner."""

from __future__ import annotations

from django.db.models import Q
from django.utils.translation import gettext as _

from calendar_site.accounts.models import User
from calendar_site.accounts.roles import ADMINISTRATOR

MAX_NAMES = 3


def no_access_text() -> str:
    """Return that the account may do nothing here, and the people to ask. One query."""
    return _("Your account has no access to the admin. To change that, ask: %(names)s.") % {"names": _administrators()}


def _administrators() -> str:
    managers = User.objects.filter(Q(is_superuser=True) | Q(groups__name=ADMINISTRATOR), is_active=True).distinct()
    people = managers.order_by("pk")[:MAX_NAMES]
    return ", ".join(user.get_full_name() or user.get_username() for user in people) or _("the administrators")


def has_any_permission(user: User) -> bool:
    """Return whether the account may do something in the admin."""
    return bool(user.is_superuser or user.get_all_permissions())
