"""What is done to records from a list or a form: publishing, drafts, the trash."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.actions import delete_selected
from django.contrib.admin.templatetags.admin_urls import add_preserved_filters
from django.contrib.admin.utils import unquote
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from calendar_site.content import rules
from calendar_site.content.admin.base import ServiceAdmin
from calendar_site.content.admin.filters import StatusFilter
from calendar_site.content.admin.routes import address
from calendar_site.content.choices import PUBLIC_STATUSES, Status
from calendar_site.content.review import approve
from calendar_site.content.transactions import writing

TITLES_NAMED = 5
# What is done in the trash, and nowhere else.
TRASH_ACTIONS = ("restore", "delete_selected")

# Does something to a row, and answers what is said of the rows that it was done to, with a place for their `titles`.
Act = Callable[[Any, Any], str]


class Refusal(Exception):
    """What is said of the rows that an action leaves alone, with a place for their `titles`."""


class StatusActions(ServiceAdmin):
    """Actions that move records from one status to another, row by row, as far as the user may."""

    actions: tuple[str, ...] = ("publish", "submit", "back_to_draft", "move_to_trash", "restore")

    def get_actions(self, request: HttpRequest) -> Any:
        """Of the trash only its own; deleting for good there only."""
        is_trash = request.GET.get(StatusFilter.parameter_name) == Status.TRASH
        known: Any = super().get_actions(request)
        actions = {name: action for name, action in known.items() if (name in TRASH_ACTIONS) == is_trash}
        if "delete_selected" in actions:
            actions["delete_selected"] = (_delete_from_trash, "delete_selected", _("Delete for good"))
        if not rules.can_publish(request.user, self.model):
            actions.pop("publish", None)
        return actions

    @admin.action(description=gettext_lazy("Publish"), permissions=["change"])
    def publish(self, request: HttpRequest, queryset: Any) -> None:
        self.act_on_each(request, queryset, self._publish)

    @admin.action(description=gettext_lazy("Submit for review"), permissions=["change"])
    def submit(self, request: HttpRequest, queryset: Any) -> None:
        self.act_on_each(request, queryset, self._submit)

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
                    refused.setdefault(_left_for(error), []).append(title)
                else:
                    done.setdefault(outcome, []).append(title)
        for outcome, titles in done.items():
            messages.success(request, outcome % {"titles": _named(titles)})
        for text, titles in refused.items():
            say_left(request, text, titles)

    def _publish(self, user: Any, row: Any) -> str:
        check_editable(user, row)
        if row.status in PUBLIC_STATUSES:
            raise Refusal(_("Left alone (published or scheduled already): %(titles)s."))
        if row.status == Status.PENDING and rules.can_review(user, row):
            row = approve(row, user, self.write)
        else:
            self.write(row, {"status": Status.PUBLISH}, user)
        if row.status == Status.PUBLISH:
            return _("Published: %(titles)s.")
        return _("Scheduled for the publication date: %(titles)s.")

    def _submit(self, user: Any, row: Any) -> str:
        check_editable(user, row)
        if row.status == Status.PENDING:
            raise Refusal(_("Left alone (waiting for review already): %(titles)s."))
        self.write(row, {"status": Status.PENDING}, user)
        return _("Submitted for review: %(titles)s.")

    def _back_to_draft(self, user: Any, row: Any) -> str:
        check_editable(user, row)
        if row.status == Status.DRAFT:
            raise Refusal(_("Left alone (a draft already): %(titles)s."))
        self.write(row, {"status": Status.DRAFT}, user)
        return _("Back to draft: %(titles)s.")

    def _trash(self, user: Any, row: Any) -> str:
        if not rules.can_delete(user, row):
            raise Refusal(not_yours_to_delete())
        if row.status == Status.TRASH:
            raise Refusal(_("Left alone (in the trash already): %(titles)s."))
        self.trash(row, user)
        return _("Moved to the trash: %(titles)s.")

    def _restore(self, user: Any, row: Any) -> str:
        check_editable(user, row)
        if row.status != Status.TRASH:
            raise Refusal(_("Left alone (not in the trash): %(titles)s."))
        self.write(row, {"status": Status.DRAFT}, user)
        return _("Restored as a draft: %(titles)s.")

    def trash(self, row: Any, user: Any) -> None:
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
            return self._get_obj_does_not_exist_redirect(request, self.opts, object_id)
        self.act_on_each(request, self.model._default_manager.filter(pk=row.pk), act)
        filters: Any = {"preserved_filters": self.get_preserved_filters(request), "opts": self.opts}
        return HttpResponseRedirect(add_preserved_filters(filters, address(self.model, then, *args)))


def check_editable(user: Any, row: Any) -> None:
    if not rules.can_edit(user, row):
        raise Refusal(_("Left alone (not yours to change): %(titles)s."))


def _delete_from_trash(model_admin: Any, request: HttpRequest, queryset: Any) -> Any:
    """Asks, and then deletes what the user may delete; says what is left."""
    rows = list(queryset)
    allowed = [row.pk for row in rows if model_admin.has_delete_permission(request, row)]
    refused = [row for row in rows if row.pk not in allowed]
    if request.POST.get("post") or not allowed:
        say_left(request, not_yours_to_delete(), refused)
    return delete_selected(model_admin, request, queryset.filter(pk__in=allowed)) if allowed else None


def say_left(request: HttpRequest, refusal: str, rows: list[Any]) -> None:
    """Says a `refusal` of rows, or of titles of them; nothing where there are none."""
    if rows:
        messages.warning(request, refusal % {"titles": _named([str(row) for row in rows])})


def not_yours_to_delete() -> str:
    return _("Left alone (not yours to delete): %(titles)s.")


def filled_in(text: str, **given: Any) -> str:
    """`text` with all that is `given`, and still with a place for `titles`."""
    return text % {"titles": "%(titles)s", **{name: str(value).replace("%", "%%") for name, value in given.items()}}


def _left_for(error: ValidationError) -> str:
    return filled_in(_("Left alone (%(reason)s): %(titles)s."), reason=" ".join(error.messages))


def _named(titles: list[str]) -> str:
    shown = ", ".join(titles[:TITLES_NAMED])
    more = len(titles) - TITLES_NAMED
    if more <= 0:
        return shown
    text = ngettext("%(titles)s and %(count)d more", "%(titles)s and %(count)d more", more)
    return text % {"titles": shown, "count": more}
