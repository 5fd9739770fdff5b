from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from calendar_site.back_office import menu


class TransferConfig(AppConfig):
    name = "calendar_site.transfer"
    label = "transfer"
    verbose_name = _("Imports and exports")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from calendar_site.transfer.models import Source

        menu.register(menu.Section.CALENDAR, menu.ModelEntry(Source, "sync", title=_("Imports")), position=27)
