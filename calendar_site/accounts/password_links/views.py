"""The pages below the login page on which users ask for a link, and set a password with it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import partial
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.views import INTERNAL_RESET_SESSION_TOKEN, PasswordResetConfirmView
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect
from django.views.generic import FormView
from unfold.widgets import UnfoldAdminEmailInputWidget, UnfoldAdminPasswordWidget, UnfoldBooleanWidget

from calendar_site.accounts.password_links.services import LinkInvalid, request_password_reset, set_password
from calendar_site.accounts.password_links.tokens import INVITATIONS, PASSWORD_RESETS, LinkTokens
from calendar_site.accounts.sign_in.lockout import reset_failed_logins
from calendar_site.core.http.client_address import client_network
from calendar_site.limits.rates import Rate, Usage, count_use, read_usage
from calendar_site.limits.stores import shared_store
from calendar_site.mail.messages import is_mail_enabled

# Emails to one address. Further requests get the same response, but no email is sent.
RATE_BY_EMAIL = Rate(3, 3600)


class EmailForm(forms.Form):
    email = forms.EmailField(
        label=gettext_lazy("Email address"),
        max_length=254,
        widget=UnfoldAdminEmailInputWidget({"autocomplete": "email", "autofocus": True}),
        help_text=gettext_lazy("The email address of your account."),
    )


class NewPasswordForm(SetPasswordForm):
    """The new password and, for users who have application passwords, whether to revoke these."""

    revoke = forms.BooleanField(
        label=gettext_lazy("Revoke all application passwords"),
        required=False,
        widget=UnfoldBooleanWidget,
        help_text=gettext_lazy(
            "API clients can go on using the application passwords of your account. Revoke them if somebody else may "
            "have known your password."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("new_password1", "new_password2"):
            self.fields[name].widget = UnfoldAdminPasswordWidget({"autocomplete": "new-password"})
        if self.user is None or not self.user.application_passwords.exists():
            del self.fields["revoke"]


@method_decorator((csrf_protect, never_cache), name="dispatch")
class PasswordResetView(FormView):
    """The page that sends a link to an email address. Its response is the same for all addresses."""

    form_class = EmailForm
    template_name = "admin/accounts/password_reset.html"
    success_url = reverse_lazy("admin:login")

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not is_mail_enabled():
            raise Http404
        return super().dispatch(request, *args, **kwargs)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context = {**admin.site.each_context(self.request), "title": _("Forgot your password?")}
        return super().get_context_data(**context, **kwargs)

    def form_valid(self, form: EmailForm) -> HttpResponse:
        usage = _count_request(self.request)
        if usage.is_exceeded:
            return refuse_for_now(form, usage, partial(self.form_invalid, form))
        if _count_email(form.cleaned_data["email"]):
            request_password_reset(form.cleaned_data["email"])
        messages.success(
            self.request,
            _(
                "If there is an account with this email address, a link to set a new password is on its way. "
                "Check your spam folder if it does not arrive within a few minutes."
            ),
        )
        return super().form_valid(form)


def refuse_for_now(form: forms.Form, usage: Usage, render: Callable[[], HttpResponse]) -> HttpResponse:
    """Return the page of a form with an error at the email address: after how many minutes to try again."""
    minutes = -(-usage.seconds_left // 60)
    text = ngettext(
        "Too many requests. Try again in %(minutes)s minute.",
        "Too many requests. Try again in %(minutes)s minutes.",
        minutes,
    )
    form.add_error("email", text % {"minutes": minutes})
    response = render()
    response.status_code = 429
    response["Retry-After"] = str(usage.seconds_left)
    return response


class SetPasswordView(PasswordResetConfirmView):
    """The page on which a user sets a password with a link. The user then signs in, with the second factor if any."""

    form_class = NewPasswordForm
    template_name = "admin/accounts/set_password.html"
    success_url = reverse_lazy("admin:login")
    token_generator: LinkTokens
    heading: Any
    user: Any

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context = {**admin.site.each_context(self.request), **super().get_context_data(**kwargs)}
        return {
            **context,
            "title": self.heading if self.validlink else _("This link is no longer valid"),
            "account": self.user,
            "is_mail_enabled": is_mail_enabled(),
        }

    def form_valid(self, form: NewPasswordForm) -> HttpResponseBase:  # type: ignore[override] # no form page
        token = self.request.session.get(INTERNAL_RESET_SESSION_TOKEN)
        try:
            password = form.cleaned_data["new_password1"]
            user = set_password(
                self.user,
                password,
                tokens=self.token_generator,
                token=token,
                revoke_application_passwords=form.cleaned_data.get("revoke", False),
            )
        except LinkInvalid:
            self.validlink = False
            return self.render_to_response(self.get_context_data())
        del self.request.session[INTERNAL_RESET_SESSION_TOKEN]
        reset_failed_logins(self.request, user)
        messages.success(self.request, _("Your password has been set. You can now sign in with it."))
        return redirect(self.get_success_url())


class PasswordResetConfirmPage(SetPasswordView):
    token_generator = PASSWORD_RESETS
    heading = gettext_lazy("Set a new password")


class AcceptInvitationPage(SetPasswordView):
    token_generator = INVITATIONS
    heading = gettext_lazy("Choose a password")


def _count_request(request: HttpRequest) -> Usage:
    """Count a request of this client, unless it has sent too many."""
    store, rate = shared_store(), Rate.parse(settings.THROTTLE_PASSWORD_RESET)
    key = f"password_reset:{client_network(request) or ''}"
    usage = read_usage(store, key, rate)
    return usage if usage.is_exceeded else count_use(store, key, rate)


def _count_email(email: str) -> bool:
    """Count a request for an address, and return whether an email may be sent to it."""
    # The table of counters does not contain addresses.
    digest = hashlib.sha256(email.casefold().encode()).hexdigest()
    return not count_use(shared_store(), f"password_reset_email:{digest}", RATE_BY_EMAIL).is_exceeded
