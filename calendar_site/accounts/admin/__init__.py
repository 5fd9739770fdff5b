"""The admin of accounts, groups and application passwords. `accounts/permissions.py` has the rules."""

from django.contrib import admin
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from calendar_site.accounts.admin.groups import GroupAdmin
from calendar_site.accounts.admin.passwords import ApplicationPasswordAdmin
from calendar_site.accounts.admin.users import UserAdmin

__all__ = ["ApplicationPasswordAdmin", "GroupAdmin", "UserAdmin"]

# Their forms would show the second factors of other users.
admin.site.unregister((TOTPDevice, StaticDevice))
