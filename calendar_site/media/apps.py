from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class MediaConfig(AppConfig):
    name = "calendar_site.media"
    label = "media"
    verbose_name = _("Images")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        import_module("calendar_site.media.file_index")
