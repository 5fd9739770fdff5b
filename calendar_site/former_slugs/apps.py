from django.apps import AppConfig


class FormerSlugsConfig(AppConfig):
    name = "calendar_site.former_slugs"
    label = "former_slugs"
    default_auto_field = "django.db.models.BigAutoField"
