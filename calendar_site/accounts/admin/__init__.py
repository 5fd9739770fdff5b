"""Accounts in the admin, within what `rules` lets people do to the accounts of others."""

from django.contrib import admin
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from calendar_site.accounts.admin.groups import GroupAdmin
from calendar_site.accounts.admin.passwords import ApplicationPasswordAdmin
from calendar_site.accounts.admin.users import UserAdmin

__all__ = ["ApplicationPasswordAdmin", "GroupAdmin", "UserAdmin"]

# Their forms would show what opens the accounts of others.
admin.site.unregister((TOTPDevice, StaticDevice))
