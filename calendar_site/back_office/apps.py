from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from calendar_site.back_office import menu


class BackOfficeConfig(AppConfig):
    name = "calendar_site.back_office"
    label = "back_office"

    def ready(self) -> None:
        from calendar_site.back_office.content.trash import can_see_trash
        from calendar_site.back_office.history.change_feed import can_see_changes
        from calendar_site.custom_fields.models import CustomField
        from calendar_site.media.models import Image
        from calendar_site.review.queue import can_see_queue
        from calendar_site.site_profile.models import SiteProfile
        from calendar_site.tasks.models import BackgroundTask

        menu.register(
            menu.Section.CALENDAR,
            menu.PageEntry("review", "rate_review", _("Review queue"), can_see_queue),
            menu.PageEntry("change_feed", "history", _("Recent changes"), can_see_changes),
            menu.PageEntry("trash", "delete", _("Trash"), can_see_trash),
            position=20,
        )
        menu.register(
            menu.Section.LIBRARY,
            menu.ModelEntry(Image, "image"),
            menu.ModelEntry(CustomField, "list_alt"),
            menu.ModelEntry(SiteProfile, "web", title=pgettext_lazy("menu", "Site")),
            position=10,
        )
        menu.register(menu.Section.ACCESS, menu.ModelEntry(BackgroundTask, "schedule"), position=20)
