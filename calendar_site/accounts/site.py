"""The back office with its door, and with the pages of one's own account."""

from django.urls import path, reverse
from django.utils.translation import gettext as _

from calendar_site.accounts.own_passwords import own_passwords
from calendar_site.accounts.sign_in import SignInForm
from calendar_site.content.admin.site import BackOffice


class GuardedBackOffice(BackOffice):
    """The back office, how people come into it, and what belongs to them alone there."""

    login_form = SignInForm

    def get_urls(self):
        return [
            path("account/application-passwords/", self.admin_view(own_passwords), name="own_passwords"),
            *super().get_urls(),
        ]

    def each_context(self, request):
        links = (
            (_("My application passwords"), "admin:own_passwords"),
            (_("Change password"), "admin:password_change"),
        )
        account_links = [{"title": title, "link": reverse(route)} for title, route in links]
        return {**super().each_context(request), "account_links": account_links}
