from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from calendar_site.back_office import menu


class TaxonomyConfig(AppConfig):
    name = "taxonomy"
    verbose_name = _("Taxonomy")

    def ready(self) -> None:
        menu.register(
            menu.Section.TERMS,
            menu.ModelEntry(self.get_model("Category"), "category"),
            menu.ModelEntry(self.get_model("Tag"), "sell"),
            position=10,
        )
        # Not above: the module imports the models.
        import_module("taxonomy.receivers")
