from importlib import import_module

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules
from django.utils.translation import gettext_lazy as _


class TasksConfig(AppConfig):
    name = "calendar_site.tasks"
    label = "tasks"
    verbose_name = _("Background tasks")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # These connect to the signals of tasks.
        import_module("calendar_site.tasks.retries")
        import_module("calendar_site.tasks.wake_up")
        # Apps declare their tasks, and which of them run every day, in their module `tasks`.
        autodiscover_modules("tasks")
