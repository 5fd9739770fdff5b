from importlib import import_module

from django.apps import AppConfig
from django.contrib.admin import apps as admin_apps
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "calendar_site.accounts"
    label = "accounts"
    verbose_name = _("Accounts")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # The document of the API finds it so.
        import_module("calendar_site.accounts.schemas")


class BackOfficeConfig(admin_apps.AdminConfig):
    """Django's admin on a site of our own."""

    default = False
    default_site = "calendar_site.accounts.site.GuardedBackOffice"

    def ready(self) -> None:
        # Before anybody asks for the site: else what that package registers is lost while the site is being made.
        import_module("calendar_site.content.admin")
        super().ready()
