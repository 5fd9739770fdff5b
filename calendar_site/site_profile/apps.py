from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SiteProfileConfig(AppConfig):
    name = "calendar_site.site_profile"
    label = "site_profile"
    verbose_name = _("Site")
    default_auto_field = "django.db.models.BigAutoField"
