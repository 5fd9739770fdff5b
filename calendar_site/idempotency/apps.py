from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class IdempotencyConfig(AppConfig):
    name = "calendar_site.idempotency"
    label = "idempotency"
    verbose_name = _("Idempotency keys")
    default_auto_field = "django.db.models.BigAutoField"
