from importlib import import_module

from django.apps import AppConfig


class ReviewConfig(AppConfig):
    name = "calendar_site.review"
    label = "review"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # The content services know nothing about reviews, which listen to their signals.
        import_module("calendar_site.review.receivers")
