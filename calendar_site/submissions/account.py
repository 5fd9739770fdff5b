"""The account that is the author of all events that visitors submit."""

from __future__ import annotations

from django.contrib.auth.models import Permission

from calendar_site.accounts.models import User
from calendar_site.accounts.roles import CONTRIBUTOR
from calendar_site.accounts.services import create_user
from calendar_site.core.database.write_lock import write_lock

USERNAME = "visitors"


def visitors_account() -> User:
    """Return the account, which is created for the first submission.

    It has no password, so that nobody can sign in with it, and the permissions of contributors, so that none of its
    events is public before a reviewer has approved it. It may also add images.
    """
    account = User.objects.filter(username=USERNAME).first()
    if account is not None:
        return account
    with write_lock():
        account = User.objects.filter(username=USERNAME).first() or create_user(USERNAME, CONTRIBUTOR)
        image_permission = Permission.objects.get(content_type__app_label="media", codename="add_image")
        account.user_permissions.add(image_permission)
    return account
