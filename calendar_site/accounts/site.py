"""The back office with its door, and with the pages of one's own account."""

from django.http import HttpResponseRedirect
from django.urls import path, reverse
from django.utils.translation import gettext as _

from calendar_site.accounts.own_passwords import own_passwords
from calendar_site.accounts.own_security import NewPassword, second_factor, security, sign_out_elsewhere
from calendar_site.accounts.services import recording_account
from calendar_site.accounts.sign_in import SignIn, SignInCode, SignInForm
from calendar_site.content.admin.site import BackOffice


class GuardedBackOffice(BackOffice):
    """The back office, how people come into it, and what belongs to them alone there."""

    login_form = SignInForm

    def get_urls(self):
        own = (
            ("application-passwords/", own_passwords),
            ("security/", security),
            ("security/sign-out-elsewhere/", sign_out_elsewhere),
            ("second-factor/", second_factor),
        )
        return [
            path("login/code/", SignInCode.as_view(), name="sign_in_code"),
            *(path(f"account/{route}", self.admin_view(view), name=view.__name__) for route, view in own),
            *super().get_urls(),
        ]

    def login(self, request, extra_context=None):
        if request.method == "GET" and self.has_permission(request):
            return HttpResponseRedirect(reverse(f"{self.name}:index"))
        context = {
            **self.each_context(request),
            "title": _("Log in"),
            "app_path": request.get_full_path(),
            "username": request.user.get_username(),
        }
        view = SignIn.as_view(
            authentication_form=self.login_form,
            template_name="admin/login.html",
            extra_context={**context, **(extra_context or {})},
        )
        return view(request)

    def password_change(self, request, extra_context=None):
        view = NewPassword.as_view(extra_context={**self.each_context(request), **(extra_context or {})})
        if request.method != "POST":
            return view(request)
        with recording_account(request.user, by=request.user):
            return view(request)

    def each_context(self, request):
        links = (
            (_("My application passwords"), "own_passwords"),
            (_("Sign-in and security"), "security"),
            (_("Change password"), "password_change"),
        )
        account_links = [{"title": title, "link": reverse(f"{self.name}:{route}")} for title, route in links]
        return {**super().each_context(request), "account_links": account_links}
