"""Creating users and application passwords, and finding application passwords by their secret."""

from __future__ import annotations

import hashlib
import logging
import secrets
import string
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import cache
from typing import TypedDict, Unpack

from django.contrib.auth.models import Group, Permission
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import OperationalError, connection
from django.db.models import Manager, Model, Q
from django.utils.translation import gettext as _
from django_otp.plugins.otp_totp.models import TOTPDevice

from calendar_site.accounts.models import ApplicationPassword, User
from calendar_site.accounts.roles import ROLES, STAFF_ROLES
from calendar_site.audit.recorder import ExtraState, record_revision
from calendar_site.core import clock
from calendar_site.core.compiled_queries.querysets import CompiledQuerySet, fetch_columns
from calendar_site.core.database.write_lock import write_lock

logger = logging.getLogger(__name__)

SECRET_ALPHABET = string.ascii_letters + string.digits
SECRET_LENGTH = 24
USE_RECORDING_INTERVAL = timedelta(minutes=1)


def find_user(username: str) -> User:
    """Return the user with this name. Raises User.DoesNotExist with a message for users."""
    try:
        return User.objects.get_by_natural_key(username)
    except User.DoesNotExist as error:
        raise User.DoesNotExist(_("There is no user named %(name)s.") % {"name": username}) from error


def create_user(
    username: str, role: str, *, email: str = "", password: str | None = None, by: User | None = None
) -> User:
    """Create an account with one role. Without a password, the account cannot sign in to the admin.

    `by` is the user who creates it, None for a command. Raises ValidationError for a taken name, an unknown role, an
    invalid email address or a weak password.
    """
    if role not in ROLES:
        raise ValidationError({"role": _("There is no role named %(name)s.") % {"name": role}})
    user = User(username=username, email=email, is_staff=role in STAFF_ROLES)
    if password:
        validate_password(password, user)
    # None makes the password unusable; an empty one would be a password.
    user.set_password(password or None)
    with write_lock():
        user.full_clean()
        user.save()
        user.groups.add(Group.objects.get(name=role))
        record_revision(user, by, extra=account_state(user))
    return user


def end_sessions(user: User) -> None:
    """End all sessions of the user in the admin."""
    user.sessions_ended_at = clock.now()
    user.save(update_fields=["sessions_ended_at"])


class Restrictions(TypedDict, total=False):
    """The restrictions of a new application password; see the fields of ApplicationPassword."""

    is_read_only: bool
    is_own_only: bool
    resources: list[str]
    expires_at: datetime | None
    networks: list[str]


def create_application_password(
    user: User, label: str, by: User | None = None, **restrictions: Unpack[Restrictions]
) -> tuple[ApplicationPassword, str]:
    """Create an application password and return it with its secret in groups of four, which is not stored.

    Raises ValidationError for an empty or taken label, for invalid restrictions, and if the user has the maximum number
    of passwords.
    """
    secret = "".join(secrets.choice(SECRET_ALPHABET) for _position in range(SECRET_LENGTH))
    password = ApplicationPassword(user=user, label=label.strip(), digest=_digest(secret), **restrictions)
    with record_account_changes(user, by):
        password.full_clean()
        password.save()
    return password, " ".join(secret[start : start + 4] for start in range(0, SECRET_LENGTH, 4))


def revoke_application_password(user: User, label: str, *, dry_run: bool = False, by: User | None = None) -> None:
    """Delete the user's application password with this label, so that requests with it are rejected.

    With `dry_run`, only checks that it exists. Raises ApplicationPassword.DoesNotExist.
    """
    with record_account_changes(user, by):
        password = ApplicationPassword.objects.filter(user=user, label=label.strip()).first()
        if password is None:
            message = _("%(user)s has no application password with the label %(label)s.")
            raise ApplicationPassword.DoesNotExist(message % {"user": user.username, "label": label})
        if not dry_run:
            password.delete()


@contextmanager
def record_account_changes(user: User, by: User | None) -> Iterator[None]:
    """Take the write lock, and record what the block changes: columns, roles, permissions, application passwords."""
    with write_lock():
        before = account_state(user)
        yield
        record_revision(user, by, extra=account_state(user), before=before)


def account_state(user: User) -> ExtraState:
    """Return the extra state of an account. Four queries, none for an account that is not saved."""
    if not user.pk:
        return {}
    return {
        "groups": sorted(user.groups.values_list("name", flat=True)),
        "user_permissions": permission_names(user.user_permissions),
        "application_passwords": sorted(map(_describe_password, user.application_passwords.all())),
        "second_factor": TOTPDevice.objects.filter(user=user, confirmed=True).exists(),
    }


def _describe_password(password: ApplicationPassword) -> str:
    restrictions = ", ".join(password.restrictions())
    return f"{password.label} ({restrictions})" if restrictions else password.label


def permission_names(permissions: Manager[Permission]) -> list[str]:
    """Return the names of permissions, such as `events.publish_event`. One query."""
    names = permissions.values_list("content_type__app_label", "codename")
    return sorted(f"{app}.{codename}" for app, codename in names)


def find_application_password(secret: str) -> ApplicationPassword | None:
    """Return the application password with this secret, ignoring whitespace, and its user. One query."""
    rows = CompiledQuerySet(ApplicationPassword).filter(digest=_digest("".join(secret.split())))
    found = fetch_columns(rows.order_by(), _columns(ApplicationPassword) + _columns(User, "user__"))
    if not found:
        return None
    (cells,) = found
    names = _columns(ApplicationPassword)
    password = ApplicationPassword.from_db(connection.alias, names, cells[: len(names)])
    password.user = User.from_db(connection.alias, _columns(User), cells[len(names) :])
    return password


@cache
def _columns(model: type[Model], prefix: str = "") -> tuple[str, ...]:
    return tuple(f"{prefix}{field.attname}" for field in model._meta.concrete_fields)


def record_use(password: ApplicationPassword) -> None:
    """Record the current time as the last use, at most once a minute, and without failing or delaying the request."""
    now = clock.now()
    threshold = now - USE_RECORDING_INTERVAL
    if password.last_used_at is not None and password.last_used_at > threshold:
        return
    # Check again in the query, because parallel requests have read the same row.
    unrecorded = Q(last_used_at=None) | Q(last_used_at__lte=threshold)
    try:
        with _fail_if_locked():
            ApplicationPassword.objects.filter(unrecorded, pk=password.pk).update(last_used_at=now)
    except OperationalError as error:
        logger.debug("Cannot record the use of an application password: %s", error)


@contextmanager
def _fail_if_locked() -> Iterator[None]:
    """Fail at once if SQLite is locked: a read request must not wait for the end of an import."""
    if connection.vendor != "sqlite":
        yield
        return
    with connection.cursor() as cursor:
        (timeout,) = cursor.execute("PRAGMA busy_timeout").fetchone()
        cursor.execute("PRAGMA busy_timeout = 0")
        try:
            yield
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {int(timeout)}")


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode(errors="surrogatepass")).hexdigest()
