"""Making users and their application passwords, and finding who a secret belongs to."""

from __future__ import annotations

import hashlib
import logging
import secrets
import string
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from django.contrib.auth.models import Group
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import OperationalError, connection
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from calendar_site.accounts.models import ApplicationPassword, User
from calendar_site.accounts.roles import ROLES, STAFF_ROLES
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


def create_user(username: str, role: str, *, email: str = "", password: str | None = None) -> User:
    """A new account with one role; without `password` it cannot sign in to the admin.

    Raises ValidationError for a taken name, an unknown role, a bad e-mail address, a weak password.
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
    return user


def end_sessions(user: User) -> None:
    """Whoever is signed in to the admin in the user's name has to sign in again."""
    user.sessions_ended_at = timezone.now()
    user.save(update_fields=["sessions_ended_at"])


def create_application_password(user: User, label: str) -> tuple[ApplicationPassword, str]:
    """A new application password and its secret, as it is shown this once: in groups of four.

    Raises ValidationError for a label that is empty or that another of the user's passwords has, and for one too many.
    """
    secret = "".join(secrets.choice(SECRET_ALPHABET) for _ in range(SECRET_LENGTH))
    password = ApplicationPassword(user=user, label=label.strip(), digest=_digest(secret))
    with writing():
        password.full_clean()
        password.save()
    return password, " ".join(secret[start : start + 4] for start in range(0, SECRET_LENGTH, 4))


def revoke_application_password(user: User, label: str, *, dry_run: bool = False) -> None:
    """Delete the user's application password of this label: whoever uses it is refused at once.

    With `dry_run` only what is said about it. Raises ApplicationPassword.DoesNotExist.
    """
    with writing():
        password = ApplicationPassword.objects.filter(user=user, label=label.strip()).first()
        if password is None:
            message = _("%(user)s has no application password with the label %(label)s.")
            raise ApplicationPassword.DoesNotExist(message % {"user": user.username, "label": label})
        if not dry_run:
            password.delete()


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
