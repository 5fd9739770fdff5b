"""Making users and their application passwords, and finding who a secret belongs to."""

from __future__ import annotations

import hashlib
import logging
import secrets
import string
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import Group, Permission
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import OperationalError, connection
from django.db.models import Manager, Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django_otp.plugins.otp_totp.models import TOTPDevice

from calendar_site.accounts.models import ApplicationPassword, User
from calendar_site.accounts.roles import ROLES, STAFF_ROLES
from calendar_site.content.recording import record
from calendar_site.content.transactions import writing

logger = logging.getLogger(__name__)

SECRET_ALPHABET = string.ascii_letters + string.digits
SECRET_LENGTH = 24
USE_RECORDED_EVERY = timedelta(minutes=1)


def find_user(username: str) -> User:
    """The user of this name. Raises User.DoesNotExist with a sentence for people."""
    try:
        return User.objects.get_by_natural_key(username)
    except User.DoesNotExist as error:
        raise User.DoesNotExist(_("There is no user named %(name)s.") % {"name": username}) from error


def create_user(
    username: str, role: str, *, email: str = "", password: str | None = None, by: User | None = None
) -> User:
    """A new account with one role; without `password` it cannot sign in to the admin.

    `by` is who makes it, None for who runs a command. Raises ValidationError for a taken name, an unknown role, a bad
    e-mail address, a weak password.
    """
    if role not in ROLES:
        raise ValidationError({"role": _("There is no role named %(name)s.") % {"name": role}})
    user = User(username=username, email=email, is_staff=role in STAFF_ROLES)
    if password:
        validate_password(password, user)
    # An empty password would be a password.
    user.set_password(password or None)
    with writing():
        user.full_clean()
        user.save()
        user.groups.add(Group.objects.get(name=role))
        record(user, by, facts_of(user))
    return user


def end_sessions(user: User) -> None:
    """Whoever is signed in to the admin in the user's name has to sign in again."""
    user.sessions_ended_at = timezone.now()
    user.save(update_fields=["sessions_ended_at"])


def create_application_password(user: User, label: str, by: User | None = None) -> tuple[ApplicationPassword, str]:
    """A new application password and its secret, as it is shown this once: in groups of four.

    Raises ValidationError for a label that is empty or that another of the user's passwords has, and for one too many.
    """
    secret = "".join(secrets.choice(SECRET_ALPHABET) for _ in range(SECRET_LENGTH))
    password = ApplicationPassword(user=user, label=label.strip(), digest=_digest(secret))
    with recording_account(user, by):
        password.full_clean()
        password.save()
    return password, " ".join(secret[start : start + 4] for start in range(0, SECRET_LENGTH, 4))


def revoke_application_password(user: User, label: str, *, dry_run: bool = False, by: User | None = None) -> None:
    """Delete the user's application password of this label: whoever uses it is refused at once.

    With `dry_run` only what is said about it. Raises ApplicationPassword.DoesNotExist.
    """
    with recording_account(user, by):
        password = ApplicationPassword.objects.filter(user=user, label=label.strip()).first()
        if password is None:
            message = _("%(user)s has no application password with the label %(label)s.")
            raise ApplicationPassword.DoesNotExist(message % {"user": user.username, "label": label})
        if not dry_run:
            password.delete()


@contextmanager
def recording_account(user: User, by: User | None) -> Iterator[None]:
    """A write of an account, its roles, rights and application passwords, which is recorded at its end."""
    with writing():
        before = facts_of(user)
        yield
        record(user, by, facts_of(user), before=before)


def facts_of(user: User) -> dict[str, Any]:
    """What an account has beside its columns, by names. Four queries, none for a new one."""
    if not user.pk:
        return {}
    return {
        "groups": sorted(user.groups.values_list("name", flat=True)),
        "user_permissions": names_of(user.user_permissions),
        "application_passwords": sorted(user.application_passwords.values_list("label", flat=True)),
        "second_factor": TOTPDevice.objects.filter(user=user, confirmed=True).exists(),
    }


def names_of(permissions: Manager[Permission]) -> list[str]:
    """Permissions as code names them, such as `events.publish_event`. Costs a query."""
    names = permissions.values_list("content_type__app_label", "codename")
    return sorted(f"{app}.{codename}" for app, codename in names)


def find_application_password(secret: str) -> ApplicationPassword | None:
    """The application password with this secret, blanks apart, and its user; costs one query."""
    digest = _digest("".join(secret.split()))
    return ApplicationPassword.objects.select_related("user").filter(digest=digest).first()


def record_use(password: ApplicationPassword) -> None:
    """Note that the password is used now: once a minute at most, and never at the price of the request."""
    now = timezone.now()
    due = now - USE_RECORDED_EVERY
    if password.last_used_at is not None and password.last_used_at > due:
        return
    # The condition once more: requests at the same moment have all read the same row.
    unrecorded = Q(last_used_at=None) | Q(last_used_at__lte=due)
    try:
        with _without_waiting():
            ApplicationPassword.objects.filter(unrecorded, pk=password.pk).update(last_used_at=now)
    except OperationalError as error:
        logger.debug("The use of an application password was not recorded: %s", error)


@contextmanager
def _without_waiting() -> Iterator[None]:
    """Where somebody else writes into SQLite, fail at once: a read must not wait for an import to end."""
    if connection.vendor != "sqlite":
        yield
        return
    with connection.cursor() as cursor:
        (wait,) = cursor.execute("PRAGMA busy_timeout").fetchone()
        cursor.execute("PRAGMA busy_timeout = 0")
        try:
            yield
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {int(wait)}")


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode(errors="surrogatepass")).hexdigest()
