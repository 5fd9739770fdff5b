"""What the admin does alike for all records: rights by the record, writes through the services, a trash."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.actions import delete_selected
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.templatetags.admin_urls import add_preserved_filters
from django.contrib.admin.utils import flatten, unquote
from django.contrib.admin.widgets import RelatedFieldWidgetWrapper
from django.core.exceptions import SuspiciousOperation, ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.urls import path, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from calendar_site.content import rules
from calendar_site.content.admin_filters import AuthorFilter, EventsFilter, StatusFilter
from calendar_site.content.choices import PUBLIC_STATUSES, Status
from calendar_site.content.dates import site_zone
from calendar_site.content.forms import (
    ContentForm,
    NamedForm,
    OrderedRowsField,
    OrderedRowsInput,
    RowInput,
    RowsField,
    RowsInput,
    is_id,
)
from calendar_site.content.saving import delete_named, save_content, trash_named
from calendar_site.content.slugs import slugify
from calendar_site.content.transactions import writing

ADMIN_PATH = "/admin/"
LONGEST_SEARCH = 500
TITLES_NAMED = 5
SCRIPT = "back_office/forms.js"
STYLE = "back_office/forms.css"

admin.site.site_header = admin.site.site_title = settings.SITE_NAME

Act = Callable[[Any, Any], str]


def on_the_sites_clock(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: the admin shows and reads times in the zone of the site."""

    def answer(request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith(ADMIN_PATH):
            return get_response(request)
        with timezone.override(site_zone().tz):
            return get_response(request)

    return answer


class Refusal(Exception):
    """Why an action leaves a row alone, in words that stand behind `Left alone`."""


# --- Every model ---------------------------------------------------------------------------------


class ServiceAdmin(admin.ModelAdmin):
    """Records that are searched as the API searches them and written by services."""

    search_fields = ("search_text",)
    list_per_page = 50
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    # The name of the route of a record's page for people.
    page: ClassVar[str]

    class Media:
        css = {"all": (STYLE,)}
        js = (SCRIPT,)

    def write(self, row: Any, fields: dict[str, Any], user: Any) -> None:
        """Saves the row with these fields, by the service that the API uses. Raises ValidationError."""
        raise NotImplementedError

    def delete_for_good(self, rows: Any) -> None:
        raise NotImplementedError

    def view_on_site(self, row: Any) -> str:
        return reverse(self.page, args=[row.slug])

    def search(self, rows: Any, query: str, user: Any) -> Any:
        return rows.having_words(query)

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> Any:
        query = search_term[:LONGEST_SEARCH].replace("\0", " ")
        return self.search(queryset, query, request.user), False

    def lookup_allowed(self, lookup: str, value: Any, request: Any = None) -> bool:
        """The filters are all there is to filter by: others could ask for what is not shown, letter by letter."""
        filters: Any = self.get_list_filter(request)
        return lookup in {spec.parameter_name for spec in filters}

    def formfield_for_foreignkey(self, db_field: Any, request: Any, **kwargs: Any) -> Any:
        if db_field.name in self.get_autocomplete_fields(request):
            kwargs.setdefault("widget", RowInput(db_field, self.admin_site))
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def formfield_for_manytomany(self, db_field: Any, request: Any, **kwargs: Any) -> Any:
        if db_field.name in self.get_autocomplete_fields(request):
            kwargs = {"widget": RowsInput(db_field, self.admin_site), "form_class": RowsField, **kwargs}
        return super().formfield_for_manytomany(db_field, request, **kwargs)

    def response_action(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if not all(map(is_id, request.POST.getlist(ACTION_CHECKBOX_NAME))):
            raise SuspiciousOperation("What is selected is no record.")
        return super().response_action(request, *args, **kwargs)

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

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if request.method != "POST":
            return super().changeform_view(request, *args, **kwargs)
        # From the first read on: nobody else writes between what is checked and what is saved.
        with writing():
            return super().changeform_view(request, *args, **kwargs)

    def delete_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if request.method != "POST":
            return super().delete_view(request, *args, **kwargs)
        with writing():
            return super().delete_view(request, *args, **kwargs)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        self.write(obj, form.given, request.user)
        wanted = slugify(form.given.get("slug") or "")
        if wanted not in ("", obj.slug):
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
        self.delete_for_good(self.model._default_manager.filter(pk=obj.pk))

    def delete_queryset(self, request: HttpRequest, queryset: Any) -> None:
        self.delete_for_good(self.model._default_manager.filter(pk__in=[row.pk for row in queryset]))

    def is_choosing(self, request: HttpRequest) -> bool:
        """Whether a form asks for records to choose from."""
        return _route(request) == "autocomplete"

    def is_listing(self, request: HttpRequest) -> bool:
        return _route(request) == f"{self.opts.app_label}_{self.opts.model_name}_changelist"


def _route(request: HttpRequest) -> str | None:
    return request.resolver_match.url_name if request.resolver_match else None


# What every form ends with.
PUBLICATION = (
    gettext_lazy("Publication"),
    {"fields": ("status", "published_at", "author", "author_name", "created", "modified")},
)


# --- Events, venues, organizers ------------------------------------------------------------------


class ContentAdmin(ServiceAdmin):
    """Records with an author, a status and a trash. Who may do what is `content.rules`, record by record."""

    form = ContentForm
    list_filter: ClassVar[Any] = (StatusFilter, AuthorFilter)
    list_select_related = ("author",)
    ordering = ("-pk",)
    actions = ("publish", "back_to_draft", "move_to_trash", "restore")
    change_form_template = "admin/content_change_form.html"
    prepopulated_fields = {"slug": ("title",)}
    # What is shown, of what is filled in, to whoever may only look.
    to_look_at: ClassVar[dict[str, str]] = {"status": "status_now", "published_at": "published"}
    # How choices are ordered.
    choice_ordering: tuple[str, ...] = ("title", "pk")

    # --- Rights

    def get_queryset(self, request: HttpRequest) -> Any:
        rows: Any = super().get_queryset(request)
        if self.is_choosing(request):
            return rows.visible_to(request.user).order_by(*self.choice_ordering)
        return rows.readable_by(request.user)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_view_permission(request, obj) and (obj is None or rules.can_read(request.user, obj))

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_change_permission(request, obj) and (obj is None or rules.can_edit(request.user, obj))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """For good, which is only for what lies in the trash."""
        if not super().has_delete_permission(request, obj):
            return False
        return obj is None or (obj.status == Status.TRASH and rules.can_delete(request.user, obj))

    def may_name_authors(self, request: HttpRequest) -> bool:
        """Whether the user may give records to others: who acts for others, and knows the accounts."""
        return rules.can_edit_others(request.user, self.model) and request.user.has_perm("accounts.view_user")

    # --- Form

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return ("author_name", "created", "modified")

    def get_autocomplete_fields(self, request: HttpRequest) -> Any:
        return (*super().get_autocomplete_fields(request), "author")

    def get_changeform_initial_data(self, request: HttpRequest) -> Any:
        return {"author": request.user.pk, **super().get_changeform_initial_data(request)}

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        fieldsets = super().get_fieldsets(request, obj)
        if obj is not None and not self.has_change_permission(request, obj):
            return _with_fields(fieldsets, lambda names: self.fields_to_look_at(request, obj, names))
        left_out = self.fields_left_out(request, obj)
        return _with_fields(fieldsets, lambda names: [name for name in names if name not in left_out])

    def fields_left_out(self, request: HttpRequest, obj: Any) -> set[str]:
        """A new record has no dates yet. Whoever may not name an author is the author, and stays it."""
        if obj is None:
            return {"author_name", "created", "modified"} | (set() if self.may_name_authors(request) else {"author"})
        return {"author_name"} if self.may_name_authors(request) else {"author"}

    def fields_to_look_at(self, request: HttpRequest, obj: Any, names: Any) -> list[str]:
        """The fields for whoever may only look."""
        return [self.to_look_at.get(str(name), str(name)) for name in flatten(names) if name != "author"]

    def get_view_on_site_url(self, obj: Any = None) -> str | None:
        # The trash has no addresses.
        if obj is None or obj.status == Status.TRASH:
            return None
        return super().get_view_on_site_url(obj)

    def render_change_form(
        self,
        request: HttpRequest,
        context: Any,
        add: bool = False,
        change: bool = False,
        form_url: str = "",
        obj: Any = None,
    ) -> Any:
        is_trash = obj is not None and obj.status == Status.TRASH
        context["can_trash"] = obj is not None and not is_trash and rules.can_delete(request.user, obj)
        context["can_restore"] = is_trash and rules.can_edit(request.user, obj)
        return super().render_change_form(request, context, add, change, form_url, obj)

    # --- Columns

    @admin.display(description=gettext_lazy("status"), ordering="status")
    def status_now(self, row: Any) -> str:
        if row.status != Status.FUTURE:
            return str(Status(row.status).label)
        if row.is_published:
            return str(Status.PUBLISH.label)
        return _("scheduled for %(date)s") % {"date": _in_site_time(row.published_at)}

    # Not the account itself, which would be a link to a page that few may see.
    @admin.display(description=gettext_lazy("author"), ordering="author__username")
    def author_name(self, row: Any) -> str:
        return str(row.author)

    @admin.display(description=gettext_lazy("publication date"))
    def published(self, row: Any) -> str:
        return _in_site_time(row.published_at)

    @admin.display(description=gettext_lazy("created"))
    def created(self, row: Any) -> str:
        return _in_site_time(row.created_at)

    @admin.display(description=gettext_lazy("modified"), ordering="modified_at")
    def modified(self, row: Any) -> str:
        return _in_site_time(row.modified_at)

    # --- Actions

    def get_actions(self, request: HttpRequest) -> Any:
        """Of the trash only its own; deleting for good there only."""
        is_trash = request.GET.get(StatusFilter.parameter_name) == Status.TRASH
        names = ("restore", "delete_selected") if is_trash else ("publish", "back_to_draft", "move_to_trash")
        known: Any = super().get_actions(request)
        actions = {name: known[name] for name in names if name in known}
        if "delete_selected" in actions:
            actions["delete_selected"] = (_delete_from_trash, "delete_selected", _("Delete for good"))
        if "publish" in actions and not rules.can_publish(request.user, self.model):
            actions["publish"] = (*actions["publish"][:2], _("Submit for review"))
        return actions

    @admin.action(description=gettext_lazy("Publish"), permissions=["change"])
    def publish(self, request: HttpRequest, queryset: Any) -> None:
        self.act_on_each(request, queryset, self._publish)

    @admin.action(description=gettext_lazy("Back to draft"), permissions=["change"])
    def back_to_draft(self, request: HttpRequest, queryset: Any) -> None:
        self.act_on_each(request, queryset, self._back_to_draft)

    @admin.action(description=gettext_lazy("Move to the trash"), permissions=["delete"])
    def move_to_trash(self, request: HttpRequest, queryset: Any) -> None:
        self.act_on_each(request, queryset, self._trash)

    @admin.action(description=gettext_lazy("Restore as a draft"), permissions=["change"])
    def restore(self, request: HttpRequest, queryset: Any) -> None:
        self.act_on_each(request, queryset, self._restore)

    def act_on_each(self, request: HttpRequest, rows: QuerySet, act: Act) -> None:
        """Acts on every row by itself, as it is at that moment, and says what was done and what was not, and why."""
        done: dict[str, list[str]] = {}
        refused: dict[str, list[str]] = {}
        for pk in list(rows.values_list("pk", flat=True)):
            with writing():
                row = rows.model._default_manager.readable_by(request.user).filter(pk=pk).first()
                if row is None:
                    continue
                title = str(row)
                try:
                    outcome = act(request.user, row)
                except Refusal as refusal:
                    refused.setdefault(str(refusal), []).append(title)
                except ValidationError as error:
                    refused.setdefault(" ".join(error.messages), []).append(title)
                else:
                    self.log_change(request, row, outcome)
                    done.setdefault(outcome, []).append(title)
        for outcome, titles in done.items():
            messages.success(request, f"{outcome}: {_named(titles)}.")
        for reason, titles in refused.items():
            messages.warning(
                request, _("Left alone (%(reason)s): %(titles)s.") % {"reason": reason, "titles": _named(titles)}
            )

    def _publish(self, user: Any, row: Any) -> str:
        _check_editable(user, row)
        if row.status in PUBLIC_STATUSES:
            raise Refusal(_("published or scheduled already"))
        if row.status == Status.PENDING and not rules.can_publish(user, type(row)):
            raise Refusal(_("waiting for review already"))
        self.write(row, {"status": Status.PUBLISH}, user)
        return {
            Status.PUBLISH: _("Published"),
            Status.FUTURE: _("Scheduled for the publication date"),
            Status.PENDING: _("Submitted for review"),
        }[Status(row.status)]

    def _back_to_draft(self, user: Any, row: Any) -> str:
        _check_editable(user, row)
        if row.status == Status.DRAFT:
            raise Refusal(_("a draft already"))
        self.write(row, {"status": Status.DRAFT}, user)
        return _("Back to draft")

    def _trash(self, user: Any, row: Any) -> str:
        if not rules.can_delete(user, row):
            raise Refusal(_("not yours to delete"))
        if row.status == Status.TRASH:
            raise Refusal(_("in the trash already"))
        self.trash(row)
        return _("Moved to the trash")

    def _restore(self, user: Any, row: Any) -> str:
        _check_editable(user, row)
        if row.status != Status.TRASH:
            raise Refusal(_("not in the trash"))
        self.write(row, {"status": Status.DRAFT}, user)
        return _("Restored as a draft")

    def trash(self, row: Any) -> None:
        raise NotImplementedError

    # --- The same for one record, from its form

    def get_urls(self) -> Any:
        name = f"{self.opts.app_label}_{self.opts.model_name}"
        return [
            path("<path:object_id>/trash/", self.admin_site.admin_view(self.trash_view), name=f"{name}_trash"),
            path("<path:object_id>/restore/", self.admin_site.admin_view(self.restore_view), name=f"{name}_restore"),
            *super().get_urls(),
        ]

    def trash_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._act_on_one(request, object_id, self._trash, "changelist")

    def restore_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._act_on_one(request, object_id, self._restore, "change", object_id)

    def _act_on_one(self, request: HttpRequest, object_id: str, act: Act, then: str, *args: str) -> HttpResponse:
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        row = self.get_object(request, unquote(object_id))
        if row is None:
            return self._get_obj_does_not_exist_redirect(request, self.opts, object_id)  # type: ignore[attr-defined]
        self.act_on_each(request, self.model._default_manager.filter(pk=row.pk), act)
        address = reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_{then}", args=args)
        filters: Any = {"preserved_filters": self.get_preserved_filters(request), "opts": self.opts}
        return HttpResponseRedirect(add_preserved_filters(filters, address))


def _with_fields(fieldsets: Any, choose: Callable[[Any], Any]) -> list[Any]:
    return [(name, {**options, "fields": choose(options["fields"])}) for name, options in fieldsets]


def _check_editable(user: Any, row: Any) -> None:
    if not rules.can_edit(user, row):
        raise Refusal(_("not yours to change"))


def _delete_from_trash(model_admin: Any, request: HttpRequest, queryset: Any) -> Any:
    """Asks, and then deletes what the user may delete; says what is left."""
    rows = list(queryset)
    allowed = [row.pk for row in rows if model_admin.has_delete_permission(request, row)]
    refused = [str(row) for row in rows if row.pk not in allowed]
    if refused and (request.POST.get("post") or not allowed):
        _say_left(request, _("not yours to delete"), refused)
    return delete_selected(model_admin, request, queryset.filter(pk__in=allowed)) if allowed else None


def _say_left(request: HttpRequest, reason: str, titles: list[str]) -> None:
    text = _("Left alone (%(reason)s): %(titles)s.")
    messages.warning(request, text % {"reason": reason, "titles": _named(titles)})


def _named(titles: list[str]) -> str:
    shown = ", ".join(titles[:TITLES_NAMED])
    more = len(titles) - TITLES_NAMED
    return _("%(titles)s and %(count)d more") % {"titles": shown, "count": more} if more > 0 else shown


def _in_site_time(moment: Any) -> str:
    return date_format(timezone.localtime(moment, site_zone().tz), "j M Y, H:i")


# --- Venues and organizers -----------------------------------------------------------------------


class NamedAdmin(ContentAdmin):
    """Venues and organizers: what events link to by its name."""

    form = NamedForm
    list_filter = (StatusFilter, EventsFilter, AuthorFilter)
    to_look_at = {**ContentAdmin.to_look_at, "title": "name"}
    choice_ordering = ("name_key", "pk")

    def write(self, row: Any, fields: dict[str, Any], user: Any) -> None:
        save_content(row, fields, user)

    def trash(self, row: Any) -> None:
        trash_named(row)

    def delete_for_good(self, rows: Any) -> None:
        delete_named(rows.filter(status=Status.TRASH))

    def search(self, rows: Any, query: str, user: Any) -> Any:
        return rows.having_words_in_one_field(query)

    def get_queryset(self, request: HttpRequest) -> Any:
        rows = super().get_queryset(request)
        return rows.counting_events(request.user) if self.is_listing(request) else rows

    @admin.display(description=gettext_lazy("name"), ordering="name_key")
    def name(self, row: Any) -> str:
        return str(row.title)

    @admin.display(description=gettext_lazy("events"), ordering="event_count")
    def linked_events(self, row: Any) -> Any:
        return link_to_events(str(self.opts.model_name), row.pk, row.event_count)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if change and "title" not in form.changed_data:
            return
        others: Any = self.model._default_manager
        if others.visible_to(request.user).filter(name_key=obj.name_key).exclude(pk=obj.pk).exists():
            text = _("There is another %(kind)s of this name. Programs that write a name get the older one.")
            messages.warning(request, text % {"kind": self.opts.verbose_name})


def link_to_events(parameter: str, pk: int, count: int) -> Any:
    """How many events there are, and the way to them."""
    if not count:
        return count
    return format_html('<a href="{}?{}={}">{}</a>', reverse("admin:events_event_changelist"), parameter, pk, count)


# --- Choosing linked records ---------------------------------------------------------------------


def ordered_choice(model_admin: Any, request: HttpRequest, relation: str, **kwargs: Any) -> OrderedRowsField:
    """A field for the linked records of `relation` that the user may see, in the order in which they are chosen."""
    field = model_admin.opts.get_field(relation)
    model, site = field.remote_field.model, model_admin.admin_site
    remote = site.get_model_admin(model)
    widget = RelatedFieldWidgetWrapper(
        OrderedRowsInput(field, site, attrs={"data-ordered": "true"}),
        field.remote_field,
        site,
        can_add_related=remote.has_add_permission(request),
    )
    rows = model._default_manager.visible_to(request.user)
    return OrderedRowsField(rows, required=False, widget=widget, label=capfirst(field.verbose_name), **kwargs)
