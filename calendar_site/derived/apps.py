from importlib import import_module

from django.apps import AppConfig
from django.db.models.signals import post_migrate, pre_migrate


class DerivedConfig(AppConfig):
    name = "calendar_site.derived"
    label = "derived"

    def ready(self) -> None:
        installation = import_module("calendar_site.derived.installation")
        content_version = import_module("calendar_site.derived.content_version")
        import_module("calendar_site.derived.registry").register(content_version.content_version)
        pre_migrate.connect(content_version.forget_version, sender=self)
        pre_migrate.connect(installation.remove_before_migrations, sender=self)
        post_migrate.connect(installation.install_after_migrations, sender=self)
