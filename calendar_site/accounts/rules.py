"""Who may manage which accounts: nobody gives, or borrows, a right that they do not have.

Whoever sets another account's password or role can act with that account's rights, so the right to
change users alone must not lead to those of a superuser.
"""

from __future__ import annotations

from django.contrib.auth.models import Group, Permission
from django.db.models import Case, Q, QuerySet, When

from calendar_site.accounts.models import User
from calendar_site.accounts.roles import ROLES


def rights_of(user: User) -> QuerySet[Permission]:
    """The permissions that the user holds, by role or alone; an inactive account's as if it were active."""
    if user.is_superuser:
        return Permission.objects.all()
    by_role = Permission.objects.filter(group__user=user)
    return Permission.objects.filter(Q(pk__in=user.user_permissions.values("pk")) | Q(pk__in=by_role.values("pk")))


def manageable_by(manager: User) -> QuerySet[User]:
    """The accounts without any right that the manager lacks; their own is among them."""
    if manager.is_superuser:
        return User.objects.all()
    lacking = _lacking(manager)
    return (
        User.objects.filter(is_superuser=False)
        .exclude(groups__permissions__in=lacking)
        .exclude(user_permissions__in=lacking)
    )


def can_manage(manager: User, account: User) -> bool:
    """Whether the manager's rights reach as far as the account's. Costs a query."""
    return manager.is_superuser or manageable_by(manager).filter(pk=account.pk).exists()


def roles_to_give(manager: User) -> QuerySet[Group]:
    """The groups that give nothing which the manager lacks."""
    if manager.is_superuser:
        return Group.objects.all()
    return Group.objects.exclude(permissions__in=_lacking(manager))


def in_order(groups: QuerySet[Group]) -> QuerySet[Group]:
    """The roles from the one that may do most to the one that may do least, then the other groups by name."""
    places = [When(name=role, then=place) for place, role in enumerate(ROLES)]
    return groups.order_by(Case(*places, default=len(ROLES)), "name")


def _lacking(user: User) -> QuerySet[Permission]:
    return Permission.objects.exclude(pk__in=rights_of(user).values("pk"))
