"""The page of a run: its progress, its report, and what can be done next."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from calendar_site.back_office.urls import admin_url
from calendar_site.core.permissions import has_model_permission
from calendar_site.core.text.plain_text import join_label
from calendar_site.transfer.imports.id_table import WITH_IDS, as_csv, id_rows
from calendar_site.transfer.imports.kinds import KINDS
from calendar_site.transfer.imports.records import RecordKind
from calendar_site.transfer.imports.runs import count_outcomes
from calendar_site.transfer.models import (
    Absence,
    EventPair,
    ImportEntry,
    ImportRun,
    Outcome,
    PairState,
    RunState,
    Source,
    SourceKind,
)
from calendar_site.transfer.sources import give_back, queue_decision, queue_run, queue_undo

OPEN_STATES = (RunState.WAITING, RunState.RUNNING, RunState.UNDOING)
# What people have to look at comes first.
GROUPS = (
    Outcome.REJECTED, Outcome.KEPT, Outcome.CANCELLED, Outcome.TRASHED, Outcome.SKIPPED, Outcome.NOTE,
    Outcome.CREATED, Outcome.UPDATED, Outcome.JOINED,
)  # fmt: skip
MAX_LINES = 100


class RunAction(NamedTuple):
    """A button of the page."""

    name: str
    label: str
    variant: str = "default"


def run_view(request: HttpRequest, pk: int, *, model_admin: Any) -> HttpResponse:
    """Show a run; a POST does what its button says."""
    if not has_model_permission(request.user, "view", Source):
        raise PermissionDenied
    run = ImportRun.objects.select_related("source", "user").filter(pk=pk).first()
    if run is None:
        raise Http404
    if request.method == "POST":
        if not has_model_permission(request.user, "change", Source):
            raise PermissionDenied
        return HttpResponseRedirect(_act(request, run))
    context = {
        **model_admin.admin_site.each_context(request),
        "opts": model_admin.opts,
        "title": str(run.source),
        "run": run,
        "heading": _heading(run),
        "progress": _progress(run),
        "is_open": run.state in OPEN_STATES,
        "counts": [join_label(str(Outcome(name).label), str(count)) for name, count in count_outcomes(run).items()],
        "groups": [group for outcome in GROUPS if (group := _group(run, outcome))],
        "actions": _actions(run),
        "may_change": has_model_permission(request.user, "change", Source),
        "source_url": admin_url(Source, "change", run.source_id),
        "columns_url": _columns_url(run),
        "ids_url": admin_url(Source, "ids", run.source_id) if run.source.kind in WITH_IDS else "",
        "pairs_url": admin_url(Source, "pairs") if _has_pairs(run) else "",
    }
    return TemplateResponse(request, "admin/transfer/run.html", context)


def ids_view(request: HttpRequest, pk: int, *, model_admin: Any) -> HttpResponse:
    """Return the table of ids of a source as a CSV file."""
    if not has_model_permission(request.user, "view", Source):
        raise PermissionDenied
    source = Source.objects.filter(pk=pk, kind__in=WITH_IDS).first()
    if source is None:
        raise Http404
    response = HttpResponse(as_csv(id_rows(source)), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="calendar-ids.csv"'
    return response


def run_url(run: ImportRun) -> str:
    return admin_url(Source, "run", run.pk)


def _columns_url(run: ImportRun) -> str:
    return admin_url(Source, "columns", run.source_id) if run.source.kind == SourceKind.TABLE else ""


def _has_pairs(run: ImportRun) -> bool:
    """Return whether somebody has to decide about events that this run has created. One query."""
    created = ImportEntry.objects.filter(run=run, outcome=Outcome.CREATED, kind=RecordKind.EVENT)
    return EventPair.objects.filter(state=PairState.OPEN, other_id__in=created.values("record_id")).exists()


def _act(request: HttpRequest, run: ImportRun) -> str:
    """Do what the button of the form says, and return the URL to go to."""
    user: Any = request.user
    action = request.POST.get("action")
    if run.state in OPEN_STATES or action not in {known.name for known in _actions(run)} | {"give_back"}:
        messages.warning(request, _("This is not possible any more."))
    elif action in ("import", "preview"):
        return run_url(queue_run(run.source, user=user, is_preview=action == "preview"))
    elif action == "undo":
        queue_undo(run, user=user)
    elif action in ("accept", "keep"):
        queue_decision(run, accept=action == "accept")
    else:
        _give_back(request, run)
    return run_url(run)


def _give_back(request: HttpRequest, run: ImportRun) -> None:
    kept = ImportEntry.objects.filter(run=run, outcome=Outcome.KEPT)
    entry = kept.filter(pk=_number(request.POST.get("entry"))).first()
    if entry is not None:
        give_back(run, entry.kind, entry.key, entry.fields)
        text = _("The next import writes these fields again: %(fields)s.") % {"fields": entry.reason}
        messages.success(request, text)


def _number(text: str | None) -> int:
    return int(text) if text and text.isdecimal() and len(text) < 19 else 0


def _heading(run: ImportRun) -> str:
    kind = _("Preview") if run.is_preview else _("Import")
    return f"{kind}: {run.get_state_display()}"


def _progress(run: ImportRun) -> str:
    if run.total:
        return _("%(count)s of %(total)s records read") % {"count": run.read_count, "total": run.total}
    return ngettext("%(count)s record read", "%(count)s records read", run.read_count) % {"count": run.read_count}


def _actions(run: ImportRun) -> list[RunAction]:
    if run.state == RunState.HELD:
        accept = {
            Absence.CANCEL.value: _("Cancel the vanished events"),
            Absence.TRASH.value: _("Move the vanished events to the trash"),
        }
        label = accept.get(run.source.absence, _("Finish"))
        return [RunAction("accept", label, "danger"), RunAction("keep", _("Keep them this time"))]
    actions = [RunAction("import", _("Import now"), "primary"), RunAction("preview", _("Preview"))]
    if not run.is_preview and run.state in (RunState.FINISHED, RunState.FAILED):
        actions.append(RunAction("undo", _("Undo this import"), "danger"))
    return actions


def _group(run: ImportRun, outcome: Outcome) -> dict[str, Any] | None:
    """Return the lines of one outcome, None without any. One query, and one more for a long list."""
    entries = ImportEntry.objects.filter(run=run, outcome=outcome).order_by("pk")
    rows = list(entries[: MAX_LINES + 1])
    if not rows:
        return None
    more = entries.count() - MAX_LINES if len(rows) > MAX_LINES else 0
    return {
        "name": outcome.value,
        "title": str(outcome.label).capitalize(),
        "lines": [_line(run, entry) for entry in rows[:MAX_LINES]],
        "more": ngettext("and %(number)s more", "and %(number)s more", more) % {"number": more} if more else "",
    }


def _line(run: ImportRun, entry: ImportEntry) -> dict[str, Any]:
    model = KINDS[entry.kind].model
    details = [str(model._meta.verbose_name)]
    if entry.line:
        details.append(_("line %(line)s") % {"line": entry.line})
    if entry.count > 1:
        details.append(ngettext("%(count)s time", "%(count)s times", entry.count) % {"count": entry.count})
    has_page = entry.record_id and not run.is_preview and run.state != RunState.UNDONE
    return {
        "pk": entry.pk,
        "title": entry.title or entry.key or _("(no title)"),
        "detail": f"{', '.join(details)}{f': {entry.reason}' if entry.reason else ''}",
        "raw": entry.raw,
        "url": admin_url(model, "change", entry.record_id) if has_page else "",
        "gives_back": entry.outcome == Outcome.KEPT,
    }
