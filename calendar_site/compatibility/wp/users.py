"""Accounts in `wp/v2`: read only, and never with a username for others (D9)."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q
from rest_framework.request import Request
from rest_framework.response import Response

from calendar_site.accounts.models import User
from calendar_site.accounts.roles import ADMINISTRATOR
from calendar_site.api.description.arguments import Arguments, describe_filters
from calendar_site.api.description.operations import ID_IN_PATH
from calendar_site.compatibility.addresses import OriginalURLs
from calendar_site.compatibility.bare_lists import bare_list, read_page, valid_filters
from calendar_site.compatibility.errors import denied, unknown_record
from calendar_site.compatibility.kinds import EVENTS, KINDS
from calendar_site.compatibility.wp.filtersets import UserFilterSet
from calendar_site.compatibility.wp.records import find_by_id
from calendar_site.compatibility.wp.views import WPView
from calendar_site.core import permissions
from calendar_site.core.dates.conversion import parse_zone, to_rfc3339
from calendar_site.core.types import AnyUser
from calendar_site.media.models import Image
from taxonomy.models import Category

AVATAR_SIZES = (24, 48, 96)


def is_administrator(user: AnyUser) -> bool:
    """Return whether the user manages the accounts."""
    return permissions.has_model_permission(user, "change", User)


def published_authors_q() -> Q:
    """Return the condition for accounts that everybody knows as the authors of published records."""
    anonymous = AnonymousUser()
    condition = Q()
    for kind in KINDS:
        condition |= Q(Exists(kind.model.objects.visible_to(anonymous).filter(author=OuterRef("pk")).order_by()))
    return condition


class UserView(WPView):
    def represent(self, user: User) -> dict[str, Any]:
        viewer = self.request.user
        knows_username = user.pk == viewer.pk or is_administrator(viewer)
        return represent_user(user, self.urls, knows_username=knows_username, with_private=self.is_for_editing)


class UserList(UserView):
    def get(self, request: Request, **path: str) -> Response:
        is_admin = is_administrator(request.user)
        self.check_context(is_admin)
        rows = User.objects.all() if is_admin else User.objects.filter(published_authors_q())
        filterset = valid_filters(UserFilterSet(self.arguments, rows, request=request))
        self.ignore_arguments_except(filterset.filters)
        page, users = read_page(filterset)
        return bare_list(map(self.represent, users), page, f"{self.urls.wp}/users", filterset, self.selection)

    def get_arguments(self, method: str) -> Arguments:
        return describe_filters(UserFilterSet)


class UserItem(UserView):
    def get(self, request: Request, id: str, **path: str) -> Response:  # the name in the pattern
        self.ignore_arguments_except()
        user = find_by_id(User.objects.all(), id)
        if user is None:
            raise unknown_record("rest_user_invalid_id")
        if user.pk != request.user.pk and not is_administrator(request.user):
            self.check_context(may_edit=False)
            if not User.objects.filter(published_authors_q(), pk=user.pk).exists():
                raise denied(request, "rest_user_cannot_view")
        return Response(self.selection.apply(self.represent(user)))

    def get_path_arguments(self) -> Arguments:
        return {"id": ID_IN_PATH}


class OwnUser(UserView):
    """The account of the request."""

    def get(self, request: Request, **path: str) -> Response:
        self.ignore_arguments_except()
        if not request.user.is_authenticated:
            raise denied(request, "rest_not_logged_in")
        return Response(self.selection.apply(self.represent(request.user)))


def represent_user(user: User, urls: OriginalURLs, *, knows_username: bool, with_private: bool) -> dict[str, Any]:
    """Return an account, `with_private` for what only the account itself and administrators may see.

    `knows_username` is for readers who may see the username instead of a name: it is half of the credentials.
    """
    record = {
        "id": user.pk,
        "name": user.get_full_name() or (user.username if knows_username else f"#{user.pk}"),
        "url": "",
        "description": "",
        "link": f"{urls.site}/?author={user.pk}",
        "slug": f"user-{user.pk}",
        "avatar_urls": {str(size): f"{urls.root}/favicon.ico" for size in AVATAR_SIZES},
        "meta": {},
        "_links": {
            "self": [{"href": f"{urls.wp}/users/{user.pk}"}],
            "collection": [{"href": f"{urls.wp}/users"}],
        },
    }
    if not with_private:
        return record
    return record | {
        "username": user.username,
        "first_name": user.first_name,
        "last_name": user.last_name,
        "email": user.email,
        "nickname": user.get_full_name() or user.username,
        "locale": "",
        "roles": roles_of(user),
        "registered_date": to_rfc3339(user.date_joined, parse_zone("UTC")),
        "capabilities": capabilities_of(user),
        "extra_capabilities": dict.fromkeys(roles_of(user), True),
    }


def roles_of(user: User) -> list[str]:
    roles = sorted(user.groups.values_list("name", flat=True))
    return [ADMINISTRATOR] if user.is_superuser and ADMINISTRATOR not in roles else roles


def capabilities_of(user: User) -> dict[str, bool]:
    """Return what the user may do by the names of WordPress. What is not allowed is absent."""

    def may(action: str, model: Any) -> bool:
        return permissions.has_model_permission(user, action, model)

    found = {"read": True}
    for kind in KINDS:
        name, model = f"tribe_{kind.collection}", kind.model
        publishes, edits_others, deletes_others = (
            may(action, model) for action in ("publish", "change_others", "delete_others")
        )
        found |= {
            f"edit_{name}": may("change", model),
            f"delete_{name}": may("delete", model),
            f"publish_{name}": publishes,
            f"edit_published_{name}": publishes and may("change", model),
            f"delete_published_{name}": publishes and may("delete", model),
            f"edit_others_{name}": edits_others,
            f"delete_others_{name}": deletes_others,
            f"edit_private_{name}": edits_others,
            f"delete_private_{name}": deletes_others,
            f"read_private_{name}": edits_others,
        }
    found |= {
        "upload_files": may("add", Image),
        "manage_options": is_administrator(user),
        "list_users": is_administrator(user),
        "edit_posts": may("change", EVENTS.model),
        "publish_posts": may("publish", EVENTS.model),
        "edit_others_posts": may("change_others", EVENTS.model),
        "manage_categories": may("change_others", EVENTS.model) and may("change", Category),
    }
    return {name: True for name, is_allowed in found.items() if is_allowed}
