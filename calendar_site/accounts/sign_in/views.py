"""Signing in to the admin: with a password, and a code if the user has a second factor."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime
from time import time
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth import load_backend, login
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.middleware import get_user
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import LoginView, RedirectURLMixin
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.crypto import constant_time_compare
from django.utils.decorators import method_decorator
from django.utils.functional import SimpleLazyObject
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.debug import sensitive_post_parameters
from django.views.generic import FormView
from django_otp import DEVICE_ID_SESSION_KEY
from django_otp import login as mark_session
from django_otp.plugins.otp_static.models import StaticDevice
from unfold.forms import AuthenticationForm
from unfold.widgets import UnfoldAdminTextInputWidget

from calendar_site.accounts.access import no_access_text
from calendar_site.accounts.devices import remember_sign_in
from calendar_site.accounts.models import User
from calendar_site.accounts.sign_in.lockout import AxesRequest, record_failed_login, seconds_until_unlock
from calendar_site.accounts.sign_in.second_factor import (
    SecondFactorLocked,
    count_backup_codes,
    find_accepting_device,
    has_second_factor,
    is_second_factor_required,
)
from calendar_site.core import clock
from calendar_site.core.http.admin_path import ADMIN_PATH
from calendar_site.core.http.client_address import client_network

logger = logging.getLogger(__name__)

# The maximum time between password and code.
CODE_TIMEOUT_SECONDS = 600
# The session key of the user who has entered the password, but not yet the code.
PENDING_SESSION_KEY = "signing_in"
# The paths that users who must set up a second factor may use.
SETUP_PATHS = tuple(f"{ADMIN_PATH}{path}" for path in ("account/second-factor/", "logout/"))


class SignInForm(AuthenticationForm):
    def confirm_login_allowed(self, user: AbstractBaseUser) -> None:
        try:
            super().confirm_login_allowed(user)
        except ValidationError as error:
            record_failed_login(self.request, user.get_username())
            if user.is_active and not getattr(user, "is_staff", True):
                # The password is right, so nobody learns of an account who did not know it.
                raise ValidationError(no_access_text(), code="no_access") from error
            raise


class SignInView(LoginView):
    """The first step: the password. The only step for users without a second factor."""

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if needs_second_factor_setup(request):
            return redirect(_url_with_next(self, "admin:second_factor"))
        return super().get(request, *args, **kwargs)

    def form_valid(self, form: Any) -> HttpResponse:
        user = form.get_user()
        if not has_second_factor(user):
            response = super().form_valid(form)
            remember_sign_in(self.request, response, user)
            return response
        self.request.session[PENDING_SESSION_KEY] = {
            "user": user.pk,
            "backend": user.backend,
            "hash": user.get_session_auth_hash(),
            "since": int(time()),
        }
        return redirect(_url_with_next(self, "admin:sign_in_code"))


class CodeForm(forms.Form):
    code = forms.CharField(
        label=gettext_lazy("Code"),
        max_length=40,
        widget=UnfoldAdminTextInputWidget({"autocomplete": "one-time-code", "autofocus": True, "spellcheck": "false"}),
        help_text=gettext_lazy("From your authenticator app, or one of your backup codes."),
    )


@method_decorator((sensitive_post_parameters(), csrf_protect, never_cache), name="dispatch")
class SignInCodeView(RedirectURLMixin, FormView):
    """The second step: the code, after which the user is signed in."""

    form_class = CodeForm
    template_name = "admin/accounts/sign_in_code.html"
    next_page = "admin:index"
    # The user who entered the correct password in the first step.
    user: User

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        user = _pending_user(request)
        if user is None:
            return redirect(_url_with_next(self, "admin:login"))
        self.user = user
        return super().dispatch(request, *args, **kwargs)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(
            **admin.site.each_context(self.request),
            title=_("Two-factor authentication"),
            next=self.get_redirect_url(),
            **kwargs,
        )

    def form_valid(self, form: CodeForm) -> HttpResponse:
        try:
            device = find_accepting_device(self.user, form.cleaned_data["code"])
        except SecondFactorLocked as error:
            return self._refuse_for_now(form, error.until)
        if device is None:
            logger.warning("Invalid two-factor authentication code from %s", client_network(self.request))
            form.add_error("code", _("The code is incorrect or has already been used."))
            return self.form_invalid(form)
        login(self.request, self.user, self.request.session.pop(PENDING_SESSION_KEY)["backend"])
        mark_session(self.request, device)
        if isinstance(device, StaticDevice):
            messages.warning(self.request, _codes_left_message(count_backup_codes(self.user)))
        response = redirect(self.get_success_url())
        remember_sign_in(self.request, response, self.user)
        return response

    def _refuse_for_now(self, form: CodeForm, until: datetime) -> HttpResponse:
        seconds = max(1, round((until - clock.now()).total_seconds()))
        form.add_error("code", _retry_message(seconds))
        response = self.form_invalid(form)
        response.status_code = 429
        response["Retry-After"] = str(seconds)
        return response


def require_second_factor(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Return middleware that treats users who must set up a second factor as anonymous, except on the setup page."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if settings.REQUIRE_SECOND_FACTOR and request.path_info not in SETUP_PATHS:
            user = request.user
            request.user = SimpleLazyObject(  # type: ignore[assignment] # it stands for the user
                lambda: AnonymousUser() if needs_second_factor_setup(request) else user
            )
        return get_response(request)

    return middleware


def needs_second_factor_setup(request: HttpRequest) -> bool:
    """Return whether the user signed in with a password only and has a role that requires a second factor.

    One query if REQUIRE_SECOND_FACTOR is set and the session has no second factor.
    """
    if not settings.REQUIRE_SECOND_FACTOR or DEVICE_ID_SESSION_KEY in request.session:
        return False
    user = get_user(request)
    return isinstance(user, User) and is_second_factor_required(user)


def render_lockout(request: AxesRequest, response: HttpResponse | None, credentials: dict[str, Any]) -> HttpResponse:
    """Return the page that tells when to try again; it replaces the response to a form with a password."""
    seconds = seconds_until_unlock(request, credentials)
    context = {
        **admin.site.each_context(request),
        "title": _("Too many incorrect passwords"),
        "minutes": -(-seconds // 60),
    }
    lockout = render(request, "admin/locked_out.html", context, status=429)
    lockout["Retry-After"] = str(seconds)
    return lockout


def _pending_user(request: HttpRequest) -> User | None:
    """Return the user who has entered the correct password within the timeout, None if there is none."""
    pending = request.session.get(PENDING_SESSION_KEY)
    if pending is None or time() - pending["since"] > CODE_TIMEOUT_SECONDS:
        return None
    user = load_backend(pending["backend"]).get_user(pending["user"])
    if not isinstance(user, User) or not constant_time_compare(pending["hash"], user.get_session_auth_hash()):
        return None
    return user


def _url_with_next(view: RedirectURLMixin, url_name: str) -> str:
    next_url = view.get_redirect_url()
    return reverse(url_name) + (f"?{urlencode({'next': next_url})}" if next_url else "")


def _retry_message(seconds: int) -> str:
    minutes = -(-seconds // 60)
    if seconds < 60:
        text = ngettext(
            "Too many incorrect codes. Try again in %(seconds)s second.",
            "Too many incorrect codes. Try again in %(seconds)s seconds.",
            seconds,
        )
    else:
        text = ngettext(
            "Too many incorrect codes. Try again in %(minutes)s minute.",
            "Too many incorrect codes. Try again in %(minutes)s minutes.",
            minutes,
        )
    return text % {"seconds": seconds, "minutes": minutes}


def _codes_left_message(count: int) -> str:
    text = ngettext(
        "You have %(count)s backup code left. You can generate new ones under “Sign-in and security”.",
        "You have %(count)s backup codes left. You can generate new ones under “Sign-in and security”.",
        count,
    )
    return text % {"count": count}
