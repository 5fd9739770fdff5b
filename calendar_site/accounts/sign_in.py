"""Signing in to the back office."""

from django.contrib import admin
from django.contrib.auth.signals import user_login_failed
from django.core.exceptions import ValidationError
from django.shortcuts import render
from django.utils.translation import gettext as _
from unfold.forms import AuthenticationForm

from calendar_site.accounts.guessing import seconds_to_wait


class SignInForm(AuthenticationForm):
    def confirm_login_allowed(self, user):
        try:
            super().confirm_login_allowed(user)
        except ValidationError:
            # Counted as a wrong password, or what is not counted would tell that it is the right one.
            credentials = {"username": user.get_username()}
            user_login_failed.send(sender=__name__, credentials=credentials, request=self.request)
            raise


def locked_out(request, response, credentials):
    """What somebody reads who has tried too often, instead of the answer to a form with a password."""
    seconds = seconds_to_wait(request, credentials)
    context = {
        **admin.site.each_context(request),
        "title": _("Too many wrong passwords"),
        "minutes": -(-seconds // 60),
    }
    refusal = render(request, "admin/locked_out.html", context, status=429)
    refusal["Retry-After"] = str(seconds)
    return refusal
