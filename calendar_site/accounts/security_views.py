"""The pages on which users of the admin manage their second factor, password and sessions."""

from __future__ import annotations

from base64 import b32encode
from binascii import unhexlify
from typing import Any

import segno
from django import forms
from django.contrib import admin, messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.views import PasswordChangeView
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
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

from calendar_site.accounts.models import User
from calendar_site.accounts.services import end_sessions
from calendar_site.accounts.sign_in.lockout import check_own_password
from calendar_site.accounts.sign_in.second_factor import (
    count_backup_codes,
    disable_second_factor,
    enable_second_factor,
    generate_key,
    get_device,
    is_second_factor_required,
    provisioning_url,
    renew_backup_codes,
)
from calendar_site.accounts.sign_in.views import needs_second_factor_setup
from calendar_site.accounts.types import UserRequest
from calendar_site.core.dates.formatting import format_day_in_site_time

# The session key of a new second factor, until a code confirms that the app has it.
NEW_KEY_SESSION_KEY = "new_second_factor"


class FirstCodeForm(forms.Form):
    code = forms.CharField(
        label=gettext_lazy("Verification code"),
        max_length=40,
        widget=UnfoldAdminTextInputWidget({"autocomplete": "one-time-code", "inputmode": "numeric"}),
    )


class ConfirmPasswordForm(forms.Form):
    """A form that asks for the password again before an action that weakens the protection of the account."""

    password = forms.CharField(
        label=gettext_lazy("Your password"),
        strip=False,
        widget=UnfoldAdminPasswordWidget({"autocomplete": "current-password"}),
    )

    def __init__(self, request: HttpRequest, data: Any = None) -> None:
        super().__init__(data)
        self.request = request

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if not check_own_password(self.request, password):
            raise ValidationError(_("The password is incorrect."))
        return password


class OwnPasswordChangeForm(AdminOwnPasswordChangeForm):
    def __init__(self, user: User, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().__init__(user, *args, **kwargs)
        self.request = request

    def clean_old_password(self) -> str:
        password: str = self.cleaned_data["old_password"]
        if not check_own_password(self.request, password):
            raise ValidationError(self.error_messages["password_incorrect"], "password_incorrect")
        return password


class OwnPasswordChangeView(PasswordChangeView):
    """The page on which users change their own password."""

    form_class = OwnPasswordChangeForm
    success_url = reverse_lazy("admin:password_change_done")

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "request": self.request}


def security(request: UserRequest) -> HttpResponse:
    """Show the second factor with links to change it, and a button that ends other sessions."""
    context = {
        **admin.site.each_context(request),
        "title": _("Sign-in and security"),
        "on_since": _on_since(request.user),
        "codes_left": count_backup_codes(request.user),
    }
    return TemplateResponse(request, "admin/accounts/security.html", context)


@require_POST
def sign_out_elsewhere(request: UserRequest) -> HttpResponse:
    """End all sessions of the user but this one."""
    end_sessions(request.user)
    update_session_auth_hash(request, request.user)
    messages.success(request, _("You have been signed out of all other sessions."))
    return redirect("admin:security")


@sensitive_post_parameters()
def second_factor(request: UserRequest) -> HttpResponse:
    """Set up the second factor if it is off, else show its settings."""
    return _manage_second_factor(request) if get_device(request.user) else _set_up_second_factor(request)


def _set_up_second_factor(request: UserRequest) -> HttpResponse:
    key = request.session.setdefault(NEW_KEY_SESSION_KEY, generate_key())
    form = FirstCodeForm(request.POST or None)
    if form.is_valid():
        try:
            codes = enable_second_factor(request.user, key, form.cleaned_data["code"])
        except ValidationError as error:
            form.add_error("code", error.messages)
        else:
            del request.session[NEW_KEY_SESSION_KEY]
            update_session_auth_hash(request, request.user)
            mark_session(request, get_device(request.user))
            return _render_backup_codes(request, codes)
    url = provisioning_url(request.user, key)
    context = {
        **_page_context(request),
        "form": form,
        "provisioning_url": url,
        "qr_code": segno.make(url, error="m").svg_data_uri(scale=5, light="white"),
        "key": _group_by_four(b32encode(unhexlify(key)).decode()),
        "is_incomplete": needs_second_factor_setup(request),
    }
    if context["is_incomplete"]:
        context["is_nav_sidebar_enabled"] = False
    return TemplateResponse(request, "admin/accounts/set_up_second_factor.html", context)


def _manage_second_factor(request: UserRequest) -> HttpResponse:
    form, is_required = ConfirmPasswordForm(request, request.POST or None), is_second_factor_required(request.user)
    if form.is_valid() and "renew" in request.POST:
        return _render_backup_codes(request, renew_backup_codes(request.user))
    if form.is_valid() and "remove" in request.POST:
        if not is_required:
            return _remove_second_factor(request)
        form.add_error(None, _("Your role requires two-factor authentication. You cannot turn it off."))
    context = {
        **_page_context(request),
        "form": form,
        "on_since": _on_since(request.user),
        "codes_left": count_backup_codes(request.user),
        "is_required": is_required,
    }
    return TemplateResponse(request, "admin/accounts/second_factor.html", context)


def _on_since(user: User) -> str:
    """Return the date on which the second factor was turned on; "" if it is off."""
    device = get_device(user)
    return format_day_in_site_time(device.created_at) if device else ""


def _remove_second_factor(request: UserRequest) -> HttpResponse:
    disable_second_factor(request.user, by=request.user)
    request.session.pop(DEVICE_ID_SESSION_KEY, None)
    update_session_auth_hash(request, request.user)
    messages.success(
        request, _("Two-factor authentication has been turned off. You now sign in with your password only.")
    )
    return redirect("admin:security")


def _render_backup_codes(request: UserRequest, codes: list[str]) -> HttpResponse:
    context = {**_page_context(request), "codes": "\n".join(codes)}
    return TemplateResponse(request, "admin/accounts/backup_codes.html", context)


def _page_context(request: UserRequest) -> dict[str, Any]:
    return {**admin.site.each_context(request), "title": _("Two-factor authentication")}


def _group_by_four(key: str) -> str:
    return " ".join(key[start : start + 4] for start in range(0, len(key), 4))
