"""The accounts that a user may manage: users cannot grant, or gain, a permission that they do not have.

A user who sets the password or role of another account can act with its permissions, so the permission to change users
must not lead to superuser permissions.
"""

from __future__ import annotations

from django.contrib.auth.models import Group, Permission
from django.db.models import Case, Q, QuerySet, When

from calendar_site.accounts.models import User
from calendar_site.accounts.roles import ROLES


def permissions_of(user: User) -> QuerySet[Permission]:
    """Return the permissions of the user, by role or granted directly. An inactive account is treated as active."""
    if user.is_superuser:
        return Permission.objects.all()
    by_role = Permission.objects.filter(group__user=user)
    return Permission.objects.filter(Q(pk__in=user.user_permissions.values("pk")) | Q(pk__in=by_role.values("pk")))


def manageable_users(manager: User) -> QuerySet[User]:
    """Return the accounts without any permission that the manager lacks, including the manager's own."""
    if manager.is_superuser:
        return User.objects.all()
    missing = _missing_permissions(manager)
    return (
        User.objects.filter(is_superuser=False)
        .exclude(groups__permissions__in=missing)
        .exclude(user_permissions__in=missing)
    )


def can_manage(manager: User, account: User) -> bool:
    """Return whether the manager has all permissions of the account. One query."""
    return manager.is_superuser or manageable_users(manager).filter(pk=account.pk).exists()


def assignable_groups(manager: User) -> QuerySet[Group]:
    """Return the groups without any permission that the manager lacks."""
    if manager.is_superuser:
        return Group.objects.all()
    return Group.objects.exclude(permissions__in=_missing_permissions(manager))


def order_by_role(groups: QuerySet[Group]) -> QuerySet[Group]:
    """Order groups: first the roles, the most powerful first, then the others by name."""
    ranks = [When(name=role, then=rank) for rank, role in enumerate(ROLES)]
    return groups.order_by(Case(*ranks, default=len(ROLES)), "name")


def _missing_permissions(user: User) -> QuerySet[Permission]:
    return Permission.objects.exclude(pk__in=permissions_of(user).values("pk"))
