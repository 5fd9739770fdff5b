from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from calendar_site.back_office import menu


class SubmissionsConfig(AppConfig):
    name = "calendar_site.submissions"
    label = "submissions"
    verbose_name = _("Submissions by visitors")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from calendar_site.back_office.review.queue import register_section
        from calendar_site.submissions.models import MistakeReport
        from calendar_site.submissions.queue_section import mistakes_section

        register_section(mistakes_section)

        import_module("calendar_site.submissions.receivers")
        import_module("calendar_site.submissions.retention")
        menu.register(menu.Section.CALENDAR, menu.ModelEntry(MistakeReport, "flag"), position=25)
