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
