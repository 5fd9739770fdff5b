from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class MailConfig(AppConfig):
    name = "calendar_site.mail"
    label = "mail"
    verbose_name = _("Email")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        import_module("calendar_site.mail.checks")
        import_module("calendar_site.mail.receivers")
