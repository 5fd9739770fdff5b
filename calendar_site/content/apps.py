from importlib import import_module

from django.apps import AppConfig
from django.contrib.admin import apps as admin_apps
from django.utils.translation import gettext_lazy as _


class ContentConfig(AppConfig):
    name = "calendar_site.content"
    label = "content"
    verbose_name = _("Library")


class BackOfficeConfig(admin_apps.AdminConfig):
    """Django's admin on a site of our own."""

    default = False
    default_site = "calendar_site.content.admin.site.BackOffice"

    def ready(self) -> None:
        # Before anybody asks for the site: else what this package registers is lost while the site is being made.
        import_module("calendar_site.content.admin")
        super().ready()
