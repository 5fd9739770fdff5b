"""The second factor of an account: a code that an app shows, and recovery codes for when the app is lost.

django-otp keeps both: a device of either kind for a user, never more.
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
from calendar_site.accounts.services import end_sessions, recording_account
from calendar_site.content.transactions import writing

KEY_BYTES = 20
DIGITS = 6
RECOVERY_CODES = 10


class TooManyCodes(Exception):
    """No code of this kind is looked at before `until`: after each wrong one the wait doubles."""

    def __init__(self, until: datetime) -> None:
        super().__init__(until)
        self.until = until


def device_of(user: User) -> TOTPDevice | None:
    """What knows the codes of the user's app, None where there is no second factor."""
    return TOTPDevice.objects.filter(user=user, confirmed=True).first()


def has_second_factor(user: User) -> bool:
    """Costs a query."""
    return device_of(user) is not None


def is_required_of(user: User) -> bool:
    """Whether a role of the user's asks for a second factor (REQUIRE_SECOND_FACTOR). Costs a query if any does."""
    if not settings.REQUIRE_SECOND_FACTOR:
        return False
    if user.is_superuser and ADMINISTRATOR in settings.REQUIRE_SECOND_FACTOR:
        return True
    return user.groups.filter(name__in=settings.REQUIRE_SECOND_FACTOR).exists()


def new_key() -> str:
    return random_hex(KEY_BYTES)


def app_address(user: User, key: str) -> str:
    """What an app reads to show the codes of this key: the content of the QR code."""
    return TOTPDevice(user=user, key=key).config_url


def enable(user: User, key: str, code: str) -> list[str]:
    """Turn the second factor on, and answer the recovery codes, which are shown this once. Ends the user's sessions.

    Raises ValidationError where it is on already, and where the code is not one of this key: then the app
    would not let its owner in.
    """
    with recording_account(user, by=user):
        if has_second_factor(user):
            raise ValidationError(_("The second factor is on already."))
        TOTPDevice.objects.filter(user=user).delete()
        device = TOTPDevice.objects.create(user=user, key=key)
        if not device.verify_token(_compact(code)):
            raise ValidationError(_("This is not the code that the app shows now."))
        end_sessions(user)
        return renew_recovery_codes(user)


def disable(user: User, by: User | None = None) -> None:
    """Turn the second factor off. Ends the user's sessions. `by` is None for who runs a command."""
    with recording_account(user, by):
        TOTPDevice.objects.filter(user=user).delete()
        StaticDevice.objects.filter(user=user).delete()
        end_sessions(user)


def renew_recovery_codes(user: User) -> list[str]:
    """New recovery codes, which are shown this once; those before them are worth nothing any more."""
    with writing():
        StaticDevice.objects.filter(user=user).delete()
        device = StaticDevice.objects.create(user=user)
        codes = [StaticToken.random_token() for _number in range(RECOVERY_CODES)]
        StaticToken.objects.bulk_create(StaticToken(device=device, token=code) for code in codes)
    return [f"{code[:4]} {code[4:]}" for code in codes]


def recovery_codes_left(user: User) -> int:
    return StaticToken.objects.filter(device__user=user).count()


def device_that_accepts(user: User, code: str) -> Device | None:
    """What the code is right for, the app or the recovery codes. It is not right a second time.

    Raises TooManyCodes, whatever the code is.
    """
    code = _compact(code)
    kind = TOTPDevice if code.isdigit() and len(code) == DIGITS else StaticDevice
    # Not `writing()`: nobody has to wait for an import to sign in. The row is locked, so that a code counts once.
    with transaction.atomic():
        device = kind.objects.select_for_update().filter(user=user, confirmed=True).first()
        if device is None:
            return None
        is_allowed, reason = device.verify_is_allowed()
        if is_allowed:
            return device if device.verify_token(code) else None
    raise TooManyCodes(reason["locked_until"])


def _compact(code: str) -> str:
    """A code as it is kept: people group it by blanks or hyphens, and write it in capitals."""
    return "".join(code.split()).replace("-", "").lower()
