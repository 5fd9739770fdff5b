"""The pages of a record's history: its states, two of them side by side, and bringing one back."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.contrib import messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path
from django.utils.translation import gettext as _

from calendar_site.content import rules
from calendar_site.content.admin.fields import is_id
from calendar_site.content.admin.history import HistoryAdmin
from calendar_site.content.admin.routes import address
from calendar_site.content.bringing_back import Earlier, earlier
from calendar_site.content.changes import HAPPENED, differences, happened, labels_of
from calendar_site.content.commands import sentences
from calendar_site.content.days import in_site_time
from calendar_site.content.history import Door, Kind
from calendar_site.content.last_changes import SHOWN
from calendar_site.content.recording import as_it_is, meaning, record_again
from calendar_site.content.titles import title_of
from calendar_site.content.transactions import writing

PER_PAGE = 50


class Told(NamedTuple):
    """A state in a list: what was done, when, by whom, through which door, to which fields, and why."""

    state: Any
    kind: str
    when: str
    who: str
    door: str
    fields: list[str]
    note: str


class Subject(NamedTuple):
    """The record that a page is about: `row` is None where it was deleted, and `states` are what there is of it."""

    row: Any
    states: Any
    title: str


class StatesAdmin(HistoryAdmin):
    """Records whose history can be looked at by whoever may change them."""

    # Whether earlier states can be brought back.
    brings_back = False

    def get_urls(self) -> Any:
        name, view = f"{self.opts.app_label}_{self.opts.model_name}", self.admin_site.admin_view
        return [
            path("<path:object_id>/history/compare/", view(self.compare_view), name=f"{name}_compare"),
            path("<path:object_id>/history/<int:state>/", view(self.bring_back_view), name=f"{name}_bring_back"),
            *super().get_urls(),
        ]

    def shows_history(self, request: HttpRequest, row: Any) -> bool:
        return row is not None and self.has_change_permission(request, row)

    def changeable(self, request: HttpRequest) -> Any:
        """The records that the user may change, as `has_change_permission` says of each; None for all of them."""
        return None

    def may_change_gone(self, request: HttpRequest, state: Any) -> bool:
        """Whether the user could change a record that was deleted, which this is the last state of."""
        return rules.can_edit(request.user, state, self.model)

    def besides_of(self, row: Any) -> dict[str, Any]:
        """What the record has beside its columns, as its states have it."""
        return {}

    # --- What is brought back, and by which service

    def earlier(self, state: Any, row: Any, user: Any) -> Earlier:
        return earlier(state, row, user)

    def set_fields(self, row: Any, fields: dict[str, Any], user: Any) -> None:
        """Sets the fields as the service will, without saving. Raises ValidationError and PermissionDenied."""
        raise NotImplementedError

    def bring_back(self, row: Any, fields: dict[str, Any], user: Any) -> None:
        """Writes the fields by the service that the form uses."""
        raise NotImplementedError

    def may_bring_back(self, request: HttpRequest, subject: Subject) -> bool:
        return self.brings_back and (subject.row is not None or self.has_add_permission(request))

    # --- Pages

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        subject = self._subject(request, object_id)
        if subject is None:
            return self._get_obj_does_not_exist_redirect(request, self.opts, object_id)
        page = Paginator(subject.states.only(*SHOWN), PER_PAGE).get_page(request.GET.get("p"))
        context = {"page": page, "states": [told(state) for state in page]}
        return self._page(request, "list", subject, _("History: %(title)s"), context)

    def compare_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The state `state` beside the one `with`, or beside the one before it."""
        subject = self._subject(request, object_id)
        if subject is None:
            return self._get_obj_does_not_exist_redirect(request, self.opts, object_id)
        newer = self._state(subject, request.GET.get("state"))
        if request.GET.get("with"):
            chosen = (self._state(subject, request.GET["with"]), newer)
            older, newer = sorted(chosen, key=lambda state: state.history_id)
        else:
            older = subject.states.filter(history_id__lt=newer.history_id).first()
        is_next = (
            older is None
            or not subject.states.filter(history_id__gt=older.history_id, history_id__lt=newer.history_id).exists()
        )
        context = {
            "older": older and told(older),
            "newer": told(newer),
            "differences": differences(older, newer, request.user),
            "happened": happened(newer, request.user) if is_next else [],
            "may_bring_back": self.may_bring_back(request, subject),
        }
        return self._page(request, "compare", subject, _("What was changed: %(title)s"), context)

    def bring_back_view(self, request: HttpRequest, object_id: str, state: int) -> HttpResponse:
        """Shows what will change, and changes it when it is asked to."""
        if request.method == "POST":
            with writing():
                return self._bring_back_view(request, object_id, state)
        return self._bring_back_view(request, object_id, state)

    def _bring_back_view(self, request: HttpRequest, object_id: str, state_id: int) -> HttpResponse:
        subject = self._subject(request, object_id)
        if subject is None:
            return self._get_obj_does_not_exist_redirect(request, self.opts, object_id)
        if not self.may_bring_back(request, subject):
            raise PermissionDenied
        state = self._state(subject, state_id)
        newest = str(subject.states.values_list("history_id", flat=True).first())
        if request.method == "POST" and request.POST.get("newest") == newest:
            return self._bring_back(request, subject, state)
        if request.method == "POST":
            messages.warning(request, _("Somebody has changed this in the meantime. Look again at what will change."))
        context = {"state": told(state), "newest": newest, **self._outlook(request, subject, state)}
        return self._page(request, "bring_back", subject, _("Bring back: %(title)s"), context)

    def _outlook(self, request: HttpRequest, subject: Subject, state: Any) -> dict[str, Any]:
        """What will change, what will not come back, and what stands against it."""
        row = subject.row or self.model()
        now = as_it_is(row, self.besides_of(row)) if subject.row else None
        fields, besides, left_out = self.earlier(state, row, request.user)
        faults: list[str] = []
        try:
            self.set_fields(row, fields, request.user)
            row.full_clean()
        except ValidationError as error:
            faults = sentences(error)
        changes = differences(now, as_it_is(row, besides), request.user)
        return {"differences": changes, "left_out": left_out, "faults": faults}

    def _bring_back(self, request: HttpRequest, subject: Subject, state: Any) -> HttpResponse:
        row = subject.row or self.model()
        fields = self.earlier(state, row, request.user).fields
        try:
            with writing(), meaning(row, Kind.BROUGHT_BACK):
                self.bring_back(row, fields, request.user)
                if subject.row is None:
                    # Who has the same page open is told of it, rather than bringing it back once more.
                    record_again(subject.states.first(), request.user, HAPPENED)
        except ValidationError as error:
            messages.error(request, " ".join(sentences(error)))
            return HttpResponseRedirect(self._address("history", subject, state))
        text = _("“%(title)s” is as it was on %(when)s.") if subject.row else _("“%(title)s” is there again.")
        messages.success(request, text % {"title": row, "when": in_site_time(state.history_date)})
        return HttpResponseRedirect(address(self.model, "change", row.pk))

    # --- Rows and states

    def _subject(self, request: HttpRequest, object_id: str) -> Subject | None:
        """What the page is about; None where there is nothing. Raises PermissionDenied for who may not change it."""
        pk = unquote(object_id)
        row = self.get_object(request, pk)
        if row is not None:
            if not self.has_change_permission(request, row):
                raise PermissionDenied
            return Subject(row, self.model.history.filter(id=row.pk).order_by("-history_id"), str(row))
        if not is_id(pk) or self.model._default_manager.filter(pk=pk).exists():
            return None
        states = self.model.history.filter(id=pk).order_by("-history_id")
        last = states.first()
        if last is None or not self.may_change_gone(request, last):
            return None
        return Subject(None, states, _("%(title)s (deleted)") % {"title": title_of(last)})

    def _state(self, subject: Subject, state_id: Any) -> Any:
        state = subject.states.filter(history_id=state_id).first() if is_id(str(state_id or "")) else None
        if state is None:
            raise Http404
        return state

    def _address(self, page: str, subject: Subject, state: Any) -> str:
        return address(self.model, page, subject.row.pk if subject.row else state.id)

    def _page(
        self, request: HttpRequest, name: str, subject: Subject, title: str, context: dict[str, Any]
    ) -> HttpResponse:
        pk = subject.row.pk if subject.row else subject.states.values_list("id", flat=True).first()
        addresses = {page: address(self.model, page, pk) for page in ("history", "compare")}
        whole = {
            **self.admin_site.each_context(request),
            "title": title % {"title": subject.title},
            "opts": self.opts,
            "media": self.media,
            "original": subject.row,
            "addresses": addresses,
            "form_address": address(self.model, "change", pk) if subject.row else "",
            "list_address": address(self.model, "changelist"),
            **context,
        }
        return TemplateResponse(request, f"admin/history/{name}.html", whole)


def told(state: Any) -> Told:
    return Told(
        state=state,
        kind=str(dict(Kind.choices).get(state.history_kind, state.history_kind)),
        when=in_site_time(state.history_date),
        who=state.history_who,
        door=str(dict(Door.choices).get(state.history_door, state.history_door)),
        fields=labels_of(state),
        note=state.history_change_reason,
    )
