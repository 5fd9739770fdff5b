"""The back office with its door."""

from calendar_site.accounts.sign_in import SignInForm
from calendar_site.content.admin.site import BackOffice


class GuardedBackOffice(BackOffice):
    """The back office, and how people come into it."""

    login_form = SignInForm
