from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CustomFieldsConfig(AppConfig):
    name = "calendar_site.custom_fields"
    label = "custom_fields"
    verbose_name = _("Custom fields")
    default_auto_field = "django.db.models.BigAutoField"
