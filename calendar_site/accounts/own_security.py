"""The pages on which everybody looks after their own sign-in: the second factor, and sessions elsewhere."""

from base64 import b32encode
from binascii import unhexlify

import segno
from django import forms
from django.contrib import admin, messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.views import PasswordChangeView
from django.core.exceptions import ValidationError
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST
from django_otp import DEVICE_ID_SESSION_KEY
from django_otp import login as mark_session
from unfold.forms import AdminOwnPasswordChangeForm
from unfold.widgets import UnfoldAdminPasswordWidget, UnfoldAdminTextInputWidget

from calendar_site.accounts.guessing import is_own_password
from calendar_site.accounts.second_factor import (
    app_address,
    device_of,
    disable,
    enable,
    is_required_of,
    new_key,
    recovery_codes_left,
    renew_recovery_codes,
)
from calendar_site.accounts.services import end_sessions
from calendar_site.accounts.sign_in import is_incomplete

# Where the key waits until a code shows that an app has it.
NEW_KEY = "new_second_factor"


class FirstCodeForm(forms.Form):
    code = forms.CharField(
        label=gettext_lazy("Code that the app shows"),
        max_length=40,
        widget=UnfoldAdminTextInputWidget({"autocomplete": "one-time-code", "inputmode": "numeric"}),
    )


class PasswordForm(forms.Form):
    """Asks for the password again, before what weakens the sign-in is done."""

    password = forms.CharField(
        label=gettext_lazy("Your password"),
        strip=False,
        widget=UnfoldAdminPasswordWidget({"autocomplete": "current-password"}),
    )

    def __init__(self, request, data=None):
        super().__init__(data)
        self.request = request

    def clean_password(self):
        password = self.cleaned_data["password"]
        if not is_own_password(self.request, password):
            raise ValidationError(_("This is not your password."))
        return password


class NewPasswordForm(AdminOwnPasswordChangeForm):
    def __init__(self, user, request, *args, **kwargs):
        super().__init__(user, *args, **kwargs)
        self.request = request

    def clean_old_password(self):
        password = self.cleaned_data["old_password"]
        if not is_own_password(self.request, password):
            raise ValidationError(self.error_messages["password_incorrect"], "password_incorrect")
        return password


class NewPassword(PasswordChangeView):
    """Another password of one's own."""

    form_class = NewPasswordForm
    success_url = reverse_lazy("admin:password_change_done")

    def get_form_kwargs(self):
        return {**super().get_form_kwargs(), "request": self.request}


def security(request):
    """What protects the account, and where to change it."""
    context = {
        **admin.site.each_context(request),
        "title": _("Sign-in and security"),
        "device": device_of(request.user),
        "codes_left": recovery_codes_left(request.user),
    }
    return TemplateResponse(request, "admin/accounts/security.html", context)


@require_POST
def sign_out_elsewhere(request):
    end_sessions(request.user)
    update_session_auth_hash(request, request.user)
    messages.success(request, _("You are signed out everywhere else."))
    return redirect("admin:security")


@sensitive_post_parameters()
def second_factor(request):
    """Sets the second factor up where it is off, and looks after it where it is on."""
    return _look_after(request) if device_of(request.user) else _set_up(request)


def _set_up(request):
    key = request.session.setdefault(NEW_KEY, new_key())
    form = FirstCodeForm(request.POST or None)
    if form.is_valid():
        try:
            codes = enable(request.user, key, form.cleaned_data["code"])
        except ValidationError as error:
            form.add_error("code", error.messages)
        else:
            del request.session[NEW_KEY]
            update_session_auth_hash(request, request.user)
            mark_session(request, device_of(request.user))
            return _show_codes(request, codes)
    address = app_address(request.user, key)
    context = {
        **_context(request),
        "form": form,
        "address": address,
        "picture": segno.make(address, error="m").svg_data_uri(scale=5, light="white"),
        "key": _in_groups(b32encode(unhexlify(key)).decode()),
        "is_incomplete": is_incomplete(request),
    }
    if context["is_incomplete"]:
        context["is_nav_sidebar_enabled"] = False
    return TemplateResponse(request, "admin/accounts/set_up_second_factor.html", context)


def _look_after(request):
    form, is_required = PasswordForm(request, request.POST or None), is_required_of(request.user)
    if form.is_valid() and "renew" in request.POST:
        return _show_codes(request, renew_recovery_codes(request.user))
    if form.is_valid() and "remove" in request.POST:
        if not is_required:
            return _remove(request)
        form.add_error(None, _("Your role asks for a second factor. It cannot be removed."))
    context = {
        **_context(request),
        "form": form,
        "device": device_of(request.user),
        "codes_left": recovery_codes_left(request.user),
        "is_required": is_required,
    }
    return TemplateResponse(request, "admin/accounts/second_factor.html", context)


def _remove(request):
    disable(request.user, by=request.user)
    request.session.pop(DEVICE_ID_SESSION_KEY, None)
    update_session_auth_hash(request, request.user)
    messages.success(request, _("The second factor is removed. Your password alone signs you in from now on."))
    return redirect("admin:security")


def _show_codes(request, codes):
    context = {**_context(request), "codes": "\n".join(codes)}
    return TemplateResponse(request, "admin/accounts/recovery_codes.html", context)


def _context(request):
    return {**admin.site.each_context(request), "title": _("Second factor")}


def _in_groups(key):
    return " ".join(key[start : start + 4] for start in range(0, len(key), 4))
