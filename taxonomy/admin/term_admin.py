"""ModelAdmin of categories and tags."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import Field
from django.forms import Media
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from calendar_site.audit.record_services import RecordServices
from calendar_site.audit.recorder import SAVE, Action
from calendar_site.back_office.base.quick_edit import QUICK_EDIT_PAGE
from calendar_site.back_office.base.service_admin import ServiceModelAdmin, clean_search
from calendar_site.back_office.content.background_actions import PROGRESS_PAGE
from calendar_site.back_office.content.merge_action import merge_action
from calendar_site.back_office.content.undo import UNDO_PAGE
from calendar_site.back_office.forms.base import ServiceForm
from calendar_site.back_office.forms.image_picker import ImagePicker
from calendar_site.back_office.lists.columns import link_to_events
from calendar_site.back_office.lists.row_menu import row_menu
from calendar_site.back_office.urls import is_autocomplete
from calendar_site.content.merge import count_links
from calendar_site.core.permissions import can_edit_others
from calendar_site.media.models import Image
from taxonomy.admin.colors import ColorField, color_name, term_style
from taxonomy.admin.fields import CategoryField
from taxonomy.merge import merge_terms
from taxonomy.models import Category, Tag
from taxonomy.paths import load_category_paths
from taxonomy.services import apply_term, category_services, known_term, save_term, tag_services

LIST_STYLES = ("back_office/calendar.css",)


def check_name(term: Any, changes: Any) -> None:
    """Raise ValidationError if a new term has the name of an existing one."""
    if term._state.adding and known_term(type(term), changes=changes):
        raise ValidationError({"name": _("This name is already in use.")})


def apply_checked_term(term: Any, *, changes: Any, user: Any) -> None:
    check_name(term, changes)
    apply_term(term, changes=changes, user=user)


def save_checked_term(term: Any, *, changes: Any, user: Any, action: Action = SAVE) -> Any:
    """Save a term, inside the write lock that the views of the admin hold."""
    check_name(term, changes)
    return save_term(term, changes=changes, user=user, action=action)


def without_duplicates(services: RecordServices[Any]) -> RecordServices[Any]:
    """Return the services with `check_name()`: users of the admin choose an existing term instead."""
    return replace(services, save=save_checked_term, apply=apply_checked_term)


@admin.display(description=gettext_lazy("published events"), ordering="published_events")
def linked_events(term: Any) -> SafeString | int:
    return link_to_events(term, term.published_events, parameter=f"published_{term._meta.model_name}")


@admin.display(description=gettext_lazy("color"))
def color_chip(category: Any) -> SafeString:
    css_class, style = term_style(category)
    label = color_name(category.shown_color)
    return format_html('<span class="term {}" style="{}">{}</span>', css_class, style, label)


class TermAdmin(ServiceModelAdmin):
    actions: Any = (
        merge_action(merge_terms, outcome=gettext_lazy("The others will be deleted. You can undo this for an hour.")),
    )
    pages = (*ServiceModelAdmin.pages, QUICK_EDIT_PAGE, UNDO_PAGE, PROGRESS_PAGE)
    quick_edit_fields = ("name",)
    form = ServiceForm
    ordering = ("name_key", "pk")
    prepopulated_fields = {"slug": ("name",)}
    search_help_text = gettext_lazy("Name, slug")

    def get_queryset(self, request: HttpRequest) -> Any:
        terms = super().get_queryset(request)
        return terms if is_autocomplete(request) else terms.with_published_counts()

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> tuple[Any, bool]:
        found, has_duplicates = super().get_search_results(request, queryset, search_term)
        if is_autocomplete(request):
            found = found.ordered_by_title_match(clean_search(search_term), "name_key")
        return found, has_duplicates

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        terms = list(objs)
        _names, *others = super().get_deleted_objects(terms, request)
        counts = count_links(terms, request.user)
        sees_all = can_edit_others(request.user, self.model.objects.all().event_model())
        describe = _consequence if sees_all else _consequence_with_others
        return [describe(term, counts[term.pk]) for term in terms], *others


def _consequence(term: Any, count: int) -> str:
    if not count:
        return term.name
    text = ngettext(
        "%(name)s (will be removed from %(count)d event)", "%(name)s (will be removed from %(count)d events)", count
    )
    return text % {"name": term.name, "count": count}


def _consequence_with_others(term: Any, count: int) -> str:
    """Return the text for users who do not see all events. It says the same whether or not there are others."""
    text = ngettext(
        "%(name)s (will be removed from %(count)d event that you can see, and from all others)",
        "%(name)s (will be removed from %(count)d events that you can see, and from all others)",
        count,
    )
    return text % {"name": term.name, "count": count}


@admin.register(Category)
class CategoryAdmin(TermAdmin):
    services = without_duplicates(category_services)
    choice_labels = staticmethod(load_category_paths)
    list_display = ("name", color_chip, "parent", "slug", linked_events, row_menu)
    list_select_related = ("parent",)
    autocomplete_fields = ("parent", "image")
    fields = ("name", "slug", "parent", "color", "image", "description")

    def formfield_for_foreignkey(self, db_field: Any, request: Any, **kwargs: Any) -> Any:
        if db_field.name == "image":
            kwargs["widget"] = ImagePicker(db_field, self.admin_site, request.user)
            kwargs["queryset"] = Image.objects.usable_by(request.user)
            return super().formfield_for_foreignkey(db_field, request, **kwargs)
        return super().formfield_for_foreignkey(db_field, request, **{"form_class": CategoryField, **kwargs})

    def get_queryset(self, request: HttpRequest) -> Any:
        categories = super().get_queryset(request)
        return categories if is_autocomplete(request) else categories.with_shown_color()

    @property
    def media(self) -> Media:
        return super().media + Media(css={"all": LIST_STYLES})

    def formfield_for_dbfield(self, db_field: Field, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "color":
            return ColorField(
                label=capfirst(db_field.verbose_name),
                required=False,
                help_text=_(
                    "For the calendar and lists of the admin. “Automatic” takes the color of the parent category, if "
                    "it has one. Every color is lightened so that texts stay readable on it."
                ),
            )
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if db_field.name == "image":
            # The picker itself uploads new images.
            field.widget.can_add_related = False
        return field

    def view_on_site(self, category: Category) -> str:
        return reverse("category-page", args=[category.slug])


@admin.register(Tag)
class TagAdmin(TermAdmin):
    services = without_duplicates(tag_services)
    list_display = ("name", "slug", linked_events, row_menu)
    fields = ("name", "slug", "description")

    def view_on_site(self, tag: Tag) -> str:
        return reverse("tag-page", args=[tag.slug])
