"""The forms and lists of categories and tags."""

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from calendar_site.content.admin.base import link_to_events
from calendar_site.content.admin.forms import ServiceForm
from calendar_site.content.admin.merging import MergeAction
from calendar_site.content.transactions import writing
from taxonomy.admin.fields import CategoryField
from taxonomy.merging import merge_terms
from taxonomy.models import Category, Tag
from taxonomy.paths import paths
from taxonomy.services import delete_term, known_term, save_term, set_term


class TermForm(ServiceForm):
    def settle(self, fields):
        if not self.instance.pk and known_term(type(self.instance), fields):
            self.add_error("name", _("There is one of this name here already."))
        set_term(self.instance, fields)


class TermAdmin(MergeAction):
    form = TermForm
    ordering = ("name_key", "pk")
    prepopulated_fields = {"slug": ("name",)}
    actions = ("merge",)
    merged_away = gettext_lazy("The others are deleted for good.")
    count_column = "published_events"
    search_help_text = gettext_lazy("Words of the name or the slug.")

    def write(self, term, fields, user):
        save_term(term, fields, user)

    def set_fields(self, term, fields, user):
        if term.pk is None and known_term(type(term), fields):
            raise ValidationError({"name": _("There is one of this name here already.")})
        set_term(term, fields)

    def bring_back(self, term, fields, user):
        # Of what was deleted another one of the name may have come since the form was read.
        self.set_fields(term, fields, user)
        self.write(term, fields, user)

    def delete_for_good(self, terms, user):
        with writing():
            for term in terms:
                delete_term(term, user)

    def merge_rows(self, kept, others, user):
        merge_terms(kept, others, user)

    def get_queryset(self, request):
        terms = super().get_queryset(request)
        return terms if self.is_choosing(request) else terms.counted()

    def get_deleted_objects(self, objs, request):
        terms = list(objs)
        _names, *others = super().get_deleted_objects(terms, request)
        return [_consequence(term) for term in terms], *others

    @admin.display(description=gettext_lazy("published events"), ordering="published_events")
    def linked_events(self, term):
        return link_to_events(self.opts.model_name, term.pk, term.published_events)


def _consequence(term):
    count = term.published_events
    if not count:
        return term.name
    text = ngettext("%(name)s (%(count)d event loses it)", "%(name)s (%(count)d events lose it)", count)
    return text % {"name": term.name, "count": count}


@admin.register(Category)
class CategoryAdmin(TermAdmin):
    page = "category-page"
    list_display = ("name", "parent", "slug", "linked_events")
    list_select_related = ("parent",)
    autocomplete_fields = ("parent",)
    fields = ("name", "slug", "parent", "description")

    def formfield_for_foreignkey(self, db_field, request, **kwargs):
        return super().formfield_for_foreignkey(db_field, request, **{"form_class": CategoryField, **kwargs})

    def choice_labels(self, categories):
        return paths() if categories else {}


@admin.register(Tag)
class TagAdmin(TermAdmin):
    page = "tag-page"
    list_display = ("name", "slug", "linked_events")
    fields = ("name", "slug", "description")
