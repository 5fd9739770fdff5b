"""The admin site with two-step sign-in and the pages of one's own account."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.urls import path, reverse
from django.utils.translation import gettext as _

from calendar_site.accounts.application_passwords.views import my_application_passwords
from calendar_site.accounts.email_change.views import change_email, confirm_email
from calendar_site.accounts.password_links.views import (
    AcceptInvitationPage,
    PasswordResetConfirmPage,
    PasswordResetView,
)
from calendar_site.accounts.security_views import OwnPasswordChangeView, second_factor, security, sign_out_elsewhere
from calendar_site.accounts.services import record_account_changes
from calendar_site.accounts.sign_in.views import SignInCodeView, SignInForm, SignInView
from calendar_site.accounts.types import UserRequest
from calendar_site.api.site_urls import urls_for
from calendar_site.back_office.site import BackOffice
from calendar_site.mail.messages import is_mail_enabled
from calendar_site.mail.preferences import mail_preferences


class BackOfficeWithAccounts(BackOffice):
    """The admin site with sign-in in two steps and the pages of one's own account."""

    login_form = SignInForm

    def get_urls(self) -> list[Any]:
        account_views: tuple[tuple[str, Any], ...] = (
            ("application-passwords/", my_application_passwords),
            ("security/", security),
            ("security/sign-out-elsewhere/", sign_out_elsewhere),
            ("second-factor/", second_factor),
            ("email/", mail_preferences),
            ("email/change/", change_email),
            ("email/confirm/<str:token>/", confirm_email),
        )
        return [
            path("login/code/", SignInCodeView.as_view(), name="sign_in_code"),
            path("password-reset/", PasswordResetView.as_view(), name="password_reset"),
            path("password-reset/<uidb64>/<token>/", PasswordResetConfirmPage.as_view(), name="password_reset_confirm"),
            path("invitation/<uidb64>/<token>/", AcceptInvitationPage.as_view(), name="accept_invitation"),
            *(path(f"account/{route}", self.admin_view(view), name=view.__name__) for route, view in account_views),
            *super().get_urls(),
        ]

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponseBase:
        if request.method == "GET" and self.has_permission(request):
            return HttpResponseRedirect(reverse(f"{self.name}:index"))
        context = {
            **self.each_context(request),
            "title": _("Sign in"),
            "app_path": request.get_full_path(),
            "username": request.user.get_username(),
            "forgotten_password_url": reverse(f"{self.name}:password_reset") if is_mail_enabled() else "",
        }
        view = SignInView.as_view(
            authentication_form=self.login_form,
            template_name="admin/login.html",
            extra_context={**context, **(extra_context or {})},
        )
        return view(request)

    def password_change(self, request: UserRequest, extra_context: dict[str, Any] | None = None) -> HttpResponseBase:
        view = OwnPasswordChangeView.as_view(extra_context={**self.each_context(request), **(extra_context or {})})
        if request.method != "POST":
            return view(request)
        with record_account_changes(request.user, by=request.user):
            return view(request)

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        links = [
            (_("My application passwords"), "my_application_passwords"),
            (_("Sign-in and security"), "security"),
            (_("Change password"), "password_change"),
        ]
        if is_mail_enabled():
            links.append((_("Email notifications"), "mail_preferences"))
        account_links = [{"title": title, "link": reverse(f"{self.name}:{route}")} for title, route in links]
        if docs_url := urls_for(request).docs:
            account_links.append({"title": _("Documentation"), "link": docs_url})
        return {**super().each_context(request), "account_links": account_links}
