"""The authentication backend: Django's, with one compiled query for all permissions of a user.

Django builds and runs two queries, which is a third of the time of a short authenticated request. Sessions contain the
path of this module: users would be signed out if it moved.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import AnonymousUser, Permission
from django.http import HttpRequest

from calendar_site.accounts.models import User
from calendar_site.core.compiled_queries.queries import CompiledQuery, example_ids
from calendar_site.core.database.write_permits import release_permit


class CompiledPermissionsBackend(ModelBackend):
    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None, **kwargs: Any
    ) -> Any:
        """Check a password, which takes tenths of a second, and leaves the interpreter to other threads meanwhile."""
        release_permit()
        return super().authenticate(request, username, password, **kwargs)

    def get_all_permissions(self, user_obj: User | AnonymousUser, obj: Any = None) -> set[str]:
        """Return the names of the permissions, such as `events.publish_event`. One query, the first time."""
        if isinstance(user_obj, AnonymousUser) or not user_obj.is_active or obj is not None:
            return set()
        if user_obj.permission_names is None:
            names = self._all_names(user_obj)
            user_obj.permission_names = user_obj.scope.restrict(names) if user_obj.scope else names
        return user_obj.permission_names

    def _all_names(self, user: User) -> set[str]:
        if user.is_superuser:
            return super().get_all_permissions(user)
        return {f"{app}.{codename}" for app, codename in _permissions_query().run_for([user.pk])}


@cache
def _permissions_query() -> CompiledQuery:
    (example,) = example_ids(1)
    permissions = Permission.objects.order_by().values_list("content_type__app_label", "codename")
    return CompiledQuery(permissions.filter(user=example).union(permissions.filter(group__user=example)))
