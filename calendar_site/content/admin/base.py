"""What the admin does alike for every model: rows found as the API finds them, writes through the services."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.widgets import RelatedFieldWidgetWrapper
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _

from calendar_site.content.admin.fields import RowInput, RowsField, RowsInput, is_id
from calendar_site.content.admin.states import StatesAdmin
from calendar_site.content.slugs import slugify

LONGEST_SEARCH = 500
SCRIPT = "back_office/forms.js"
STYLE = "back_office/forms.css"


class ServiceAdmin(StatesAdmin):
    """Records that are searched as the API searches them and written by services."""

    search_fields: ClassVar[tuple[str, ...]] = ("search_text",)
    brings_back = True
    list_per_page = 50
    show_facets = admin.ShowFacets.NEVER
    # The name of the route of a record's page for people.
    page: ClassVar[str]

    class Media:
        css = {"all": (STYLE,)}
        js = (SCRIPT,)

    def write(self, row: Any, fields: dict[str, Any], user: Any) -> None:
        """Saves the row with these fields, by the service that the API uses. Raises ValidationError."""
        raise NotImplementedError

    def bring_back(self, row: Any, fields: dict[str, Any], user: Any) -> None:
        self.write(row, fields, user)

    def delete_for_good(self, rows: Any, user: Any) -> None:
        raise NotImplementedError

    def view_on_site(self, row: Any) -> str:
        return reverse(self.page, args=[row.slug])

    def choice_labels(self, rows: list[Any]) -> dict[int, str]:
        """How rows to choose from are called, by their ids, where their own names do not do."""
        return {}

    def search(self, rows: Any, query: str, user: Any) -> Any:
        return rows.having_words(query)

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> Any:
        query = search_term[:LONGEST_SEARCH].replace("\0", " ")
        return self.search(queryset, query, request.user), False

    def lookup_allowed(self, lookup: str, value: Any, request: Any = None) -> bool:
        """The filters are all there is to filter by: others could ask for what is not shown, letter by letter."""
        filters: Any = self.get_list_filter(request)
        names = (getattr(spec, "parameter_names", None) or (spec.parameter_name,) for spec in filters)
        return any(lookup in known for known in names)

    def formfield_for_foreignkey(self, db_field: Any, request: Any, **kwargs: Any) -> Any:
        if db_field.name in self.get_autocomplete_fields(request):
            kwargs.setdefault("widget", RowInput(db_field, self.admin_site))
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def formfield_for_manytomany(self, db_field: Any, request: Any, **kwargs: Any) -> Any:
        if db_field.name in self.get_autocomplete_fields(request):
            kwargs = {"widget": RowsInput(db_field, self.admin_site), "form_class": RowsField, **kwargs}
        return super().formfield_for_manytomany(db_field, request, **kwargs)

    def response_action(self, request: HttpRequest, queryset: Any) -> Any:
        if not all(map(is_id, request.POST.getlist(ACTION_CHECKBOX_NAME))):
            raise SuspiciousOperation("What is selected is no record.")
        if request.POST.get("select_across") == "1" and self.get_paginator(request, queryset, 1).is_long:
            text = _("Nothing is done: these are more than %(most)d. Narrow the list by a filter.")
            messages.warning(request, text % {"most": self.paginator.most})
            return None
        return super().response_action(request, queryset)

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        # No deleting by the way, from a form about something else.
        if field is not None and isinstance(field.widget, RelatedFieldWidgetWrapper):
            field.widget.can_delete_related = False
        return field

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        form: Any = super().get_form(request, obj, change, **kwargs)
        form.user = request.user
        return form

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> Any:
        # Unfold's heading names records, of which there is none yet.
        request.heading = "" if context.get("original") else context["title"]  # type: ignore[attr-defined]
        return super().render_change_form(request, context, *args, **kwargs)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        self.write(obj, form.given, request.user)
        wanted = slugify(form.given.get("slug") or "")
        if wanted and wanted != obj.slug:
            text = _("The slug %(wanted)s is taken: this one is %(slug)s.")
            messages.warning(request, text % {"wanted": wanted, "slug": obj.slug})

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        # Links of many to many are among the fields of the service.
        for formset in formsets:
            self.save_formset(request, form, formset, change=change)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """What goes for good: the records themselves. What they link to stays, and so does what links to them."""
        rows = list(objs)
        refused = {str(self.opts.verbose_name) for row in rows if not self.has_delete_permission(request, row)}
        return [str(row) for row in rows], {self.opts.verbose_name_plural: len(rows)}, refused, []

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        self.delete_for_good(self.model._default_manager.filter(pk=obj.pk), request.user)

    def delete_queryset(self, request: HttpRequest, queryset: Any) -> None:
        rows = self.model._default_manager.filter(pk__in=[row.pk for row in queryset])
        self.delete_for_good(rows, request.user)

    def is_choosing(self, request: HttpRequest) -> bool:
        """Whether a form asks for records to choose from."""
        return _route(request) == "autocomplete"

    def is_listing(self, request: HttpRequest) -> bool:
        return _route(request) == f"{self.opts.app_label}_{self.opts.model_name}_changelist"


def _route(request: HttpRequest) -> str | None:
    return request.resolver_match.url_name if request.resolver_match else None


def link_to_events(parameter: str, pk: int, count: int) -> Any:
    """How many events there are, and the way to them."""
    if not count:
        return count
    return format_html('<a href="{}?{}={}">{}</a>', reverse("admin:events_event_changelist"), parameter, pk, count)
