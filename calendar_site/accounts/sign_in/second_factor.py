"""The second factor of an account: time-based codes of an app, and backup codes in case the app is lost.

django-otp stores both, as one device of each kind per user at most.
"""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from django_otp.models import Device
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice
from django_otp.util import random_hex

from calendar_site.accounts.models import User
from calendar_site.accounts.roles import ADMINISTRATOR
from calendar_site.accounts.services import end_sessions, record_account_changes
from calendar_site.core.database.write_lock import write_lock

KEY_BYTES = 20
CODE_DIGITS = 6
BACKUP_CODE_COUNT = 10


class SecondFactorLocked(Exception):
    """No code is checked before `until`. Each wrong code doubles the wait."""

    def __init__(self, until: datetime) -> None:
        super().__init__(until)
        self.until = until


def get_device(user: User) -> TOTPDevice | None:
    """Return the device that verifies the codes of the user's app, None if there is no second factor."""
    return TOTPDevice.objects.filter(user=user, confirmed=True).first()


def has_second_factor(user: User) -> bool:
    """Return whether the user has set up a second factor. One query."""
    return get_device(user) is not None


def is_second_factor_required(user: User) -> bool:
    """Return whether REQUIRE_SECOND_FACTOR names a role of the user. One query if it names any role."""
    if not settings.REQUIRE_SECOND_FACTOR:
        return False
    if user.is_superuser and ADMINISTRATOR in settings.REQUIRE_SECOND_FACTOR:
        return True
    return user.groups.filter(name__in=settings.REQUIRE_SECOND_FACTOR).exists()


def generate_key() -> str:
    return str(random_hex(KEY_BYTES))


def provisioning_url(user: User, key: str) -> str:
    """Return the `otpauth://` URL that passes the key to an authenticator app: the content of the QR code."""
    return str(TOTPDevice(user=user, key=key).config_url)


def enable_second_factor(user: User, key: str, code: str) -> list[str]:
    """Turn the second factor on, end the user's sessions, and return the backup codes, which are shown only once.

    Raises ValidationError if it is already on, or if the code is wrong: the app may have a different key.
    """
    with record_account_changes(user, by=user):
        if has_second_factor(user):
            raise ValidationError(_("Two-factor authentication is already on."))
        TOTPDevice.objects.filter(user=user).delete()
        device = TOTPDevice.objects.create(user=user, key=key)
        if not device.verify_token(_normalize_code(code)):
            raise ValidationError(_("The code is incorrect. Enter the code that your authenticator app shows now."))
        end_sessions(user)
        return renew_backup_codes(user)


def disable_second_factor(user: User, by: User | None = None) -> None:
    """Turn the second factor off and end the user's sessions. `by` is None for a command."""
    with record_account_changes(user, by):
        TOTPDevice.objects.filter(user=user).delete()
        StaticDevice.objects.filter(user=user).delete()
        end_sessions(user)


def renew_backup_codes(user: User) -> list[str]:
    """Replace the backup codes and return the new ones, which are shown only once."""
    with write_lock():
        StaticDevice.objects.filter(user=user).delete()
        device = StaticDevice.objects.create(user=user)
        codes = [StaticToken.random_token() for _position in range(BACKUP_CODE_COUNT)]
        StaticToken.objects.bulk_create(StaticToken(device=device, token=code) for code in codes)
    return [f"{code[:4]} {code[4:]}" for code in codes]


def count_backup_codes(user: User) -> int:
    return int(StaticToken.objects.filter(device__user=user).count())


def find_accepting_device(user: User, code: str) -> Device | None:
    """Return the device that accepts the code: the app or the backup codes. A code is accepted only once.

    After wrong codes, raises SecondFactorLocked for any code until the lock expires.
    """
    code = _normalize_code(code)
    kind = TOTPDevice if code.isdigit() and len(code) == CODE_DIGITS else StaticDevice
    # Not `write_lock()`: signing in must not wait for an import. The row lock keeps codes from being used twice.
    with transaction.atomic():
        device = kind.objects.select_for_update().filter(user=user, confirmed=True).first()
        if device is None:
            return None
        is_allowed, reason = device.verify_is_allowed()
        if is_allowed:
            return device if device.verify_token(code) else None
    raise SecondFactorLocked(reason["locked_until"])


def _normalize_code(code: str) -> str:
    """Remove the spaces and hyphens that group the characters of a code, and convert it to lower case."""
    return "".join(code.split()).replace("-", "").lower()
