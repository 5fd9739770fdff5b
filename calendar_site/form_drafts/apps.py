from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class FormDraftsConfig(AppConfig):
    name = "calendar_site.form_drafts"
    label = "form_drafts"
    verbose_name = _("Drafts of forms")
    default_auto_field = "django.db.models.BigAutoField"
