"""Signing in to the back office: a password, and for whom it is on a code of the second factor."""

import logging
from time import time

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth import load_backend, login
from django.contrib.auth.middleware import get_user
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import LoginView, RedirectURLMixin
from django.core.exceptions import ValidationError
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
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

from calendar_site.accounts.guessing import client_address, count_as_wrong, seconds_to_wait
from calendar_site.accounts.second_factor import (
    TooManyCodes,
    device_that_accepts,
    has_second_factor,
    is_required_of,
    recovery_codes_left,
)
from calendar_site.content.admin.site import ADMIN_PATH

logger = logging.getLogger(__name__)

# Who has given the password has so many seconds for the code.
TIME_FOR_CODE = 600
HALF_WAY = "signing_in"
# Where somebody may be who still has to set up the second factor.
OPEN_PATHS = tuple(f"{ADMIN_PATH}{path}" for path in ("account/second-factor/", "logout/"))


class SignInForm(AuthenticationForm):
    def confirm_login_allowed(self, user):
        try:
            super().confirm_login_allowed(user)
        except ValidationError:
            count_as_wrong(self.request, user.get_username())
            raise


class SignIn(LoginView):
    """The first step, and the only one without a second factor."""

    def get(self, request, *args, **kwargs):
        if is_incomplete(request):
            return redirect(_with_next(self, "admin:second_factor"))
        return super().get(request, *args, **kwargs)

    def form_valid(self, form):
        user = form.get_user()
        if not has_second_factor(user):
            return super().form_valid(form)
        self.request.session[HALF_WAY] = {
            "user": user.pk,
            "backend": user.backend,
            "hash": user.get_session_auth_hash(),
            "since": int(time()),
        }
        return redirect(_with_next(self, "admin:sign_in_code"))


class CodeForm(forms.Form):
    code = forms.CharField(
        label=gettext_lazy("Code"),
        max_length=40,
        widget=UnfoldAdminTextInputWidget({"autocomplete": "one-time-code", "autofocus": True, "spellcheck": "false"}),
        help_text=gettext_lazy("From your authenticator app, or one of your recovery codes."),
    )


@method_decorator((sensitive_post_parameters(), csrf_protect, never_cache), name="dispatch")
class SignInCode(RedirectURLMixin, FormView):
    """The second step: a code, after which the session begins."""

    form_class = CodeForm
    template_name = "admin/accounts/sign_in_code.html"
    next_page = "admin:index"

    def dispatch(self, request, *args, **kwargs):
        self.user = _half_way(request)
        if self.user is None:
            return redirect(_with_next(self, "admin:login"))
        return super().dispatch(request, *args, **kwargs)

    def get_context_data(self, **kwargs):
        return super().get_context_data(
            **admin.site.each_context(self.request),
            title=_("Second step"),
            next=self.get_redirect_url(),
            **kwargs,
        )

    def form_valid(self, form):
        try:
            device = device_that_accepts(self.user, form.cleaned_data["code"])
        except TooManyCodes as error:
            return self._refuse_for_now(form, error.until)
        if device is None:
            logger.warning("A wrong code of a second factor came from %s", client_address(self.request))
            form.add_error("code", _("This code is not right, or it has been used already."))
            return self.form_invalid(form)
        login(self.request, self.user, self.request.session.pop(HALF_WAY)["backend"])
        mark_session(self.request, device)
        if isinstance(device, StaticDevice):
            messages.warning(self.request, _codes_left(recovery_codes_left(self.user)))
        return redirect(self.get_success_url())

    def _refuse_for_now(self, form, until):
        seconds = max(1, round((until - timezone.now()).total_seconds()))
        form.add_error("code", _try_again_in(seconds))
        response = self.form_invalid(form)
        response.status_code = 429
        response["Retry-After"] = str(seconds)
        return response


def second_factor_first(get_response):
    """Middleware: whose role asks for a second factor is nobody before they have set it up, but where they do so."""

    def middleware(request):
        if settings.REQUIRE_SECOND_FACTOR and request.path_info not in OPEN_PATHS:
            user = request.user
            request.user = SimpleLazyObject(lambda: AnonymousUser() if is_incomplete(request) else user)
        return get_response(request)

    return middleware


def is_incomplete(request):
    """Whether somebody has signed in by the password alone whose role asks for more. Costs a query if so."""
    if not settings.REQUIRE_SECOND_FACTOR or DEVICE_ID_SESSION_KEY in request.session:
        return False
    user = get_user(request)
    return user.is_authenticated and is_required_of(user)


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


def _half_way(request):
    """Who has given the right password a moment ago, None for nobody."""
    kept = request.session.get(HALF_WAY)
    if kept is None or time() - kept["since"] > TIME_FOR_CODE:
        return None
    user = load_backend(kept["backend"]).get_user(kept["user"])
    if user is None or not constant_time_compare(kept["hash"], user.get_session_auth_hash()):
        return None
    return user


def _with_next(view, route):
    wanted = view.get_redirect_url()
    return reverse(route) + (f"?{urlencode({'next': wanted})}" if wanted else "")


def _try_again_in(seconds):
    minutes = -(-seconds // 60)
    if seconds < 60:
        text = ngettext(
            "Too many wrong codes. Try again in %(seconds)s second.",
            "Too many wrong codes. Try again in %(seconds)s seconds.",
            seconds,
        )
    else:
        text = ngettext(
            "Too many wrong codes. Try again in %(minutes)s minute.",
            "Too many wrong codes. Try again in %(minutes)s minutes.",
            minutes,
        )
    return text % {"seconds": seconds, "minutes": minutes}


def _codes_left(count):
    text = ngettext(
        "You have %(count)s recovery code left. You get new ones under “Sign-in and security”.",
        "You have %(count)s recovery codes left. You get new ones under “Sign-in and security”.",
        count,
    )
    return text % {"count": count}
