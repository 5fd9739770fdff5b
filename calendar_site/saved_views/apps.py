from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SavedViewsConfig(AppConfig):
    name = "calendar_site.saved_views"
    label = "saved_views"
    verbose_name = _("Saved views")
    default_auto_field = "django.db.models.BigAutoField"
