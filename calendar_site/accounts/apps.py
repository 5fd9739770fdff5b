from importlib import import_module

from django.apps import AppConfig, apps
from django.contrib.admin import apps as admin_apps
from django.utils.translation import gettext_lazy as _

from calendar_site.back_office import menu


class AccountsConfig(AppConfig):
    name = "calendar_site.accounts"
    label = "accounts"
    verbose_name = _("Accounts")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        menu.register(
            menu.Section.ACCESS,
            menu.ModelEntry(self.get_model("User"), "person"),
            menu.ModelEntry(apps.get_model("auth.Group"), "badge"),
            menu.ModelEntry(self.get_model("ApplicationPassword"), "key"),
            position=10,
        )


class AdminSiteConfig(admin_apps.AdminConfig):
    """The configuration of Django's admin with our own site."""

    default = False
    default_site = "calendar_site.accounts.site.BackOfficeWithAccounts"

    def ready(self) -> None:
        # Import before the site is first used: models that are registered while it is created would be lost.
        import_module("calendar_site.back_office.admin")
        super().ready()
