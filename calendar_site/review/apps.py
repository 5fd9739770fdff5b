from importlib import import_module

from django.apps import AppConfig


class ReviewConfig(AppConfig):
    name = "calendar_site.review"
    label = "review"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # The services of the content know nothing of review: it listens to their signals.
        import_module("calendar_site.review.receivers")
