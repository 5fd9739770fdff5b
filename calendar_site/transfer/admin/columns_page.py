"""The page on which people say which column of a table has which field."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from unfold.widgets import UnfoldAdminSelectWidget

from calendar_site.back_office.urls import admin_url
from calendar_site.core.permissions import has_model_permission
from calendar_site.transfer.admin.run_page import run_url
from calendar_site.transfer.imports.errors import SourceError
from calendar_site.transfer.models import Source, SourceKind
from calendar_site.transfer.readers.fetching import fetch_file
from calendar_site.transfer.readers.table_columns import NO_COLUMN, find_columns, headings_of, required_fields
from calendar_site.transfer.readers.table_rows import TableRow, read_rows
from calendar_site.transfer.sources import choose_columns, queue_run

SAMPLES = 3
MAX_SAMPLE = 60


class ColumnsForm(forms.Form):
    """The column of each field."""

    def __init__(self, source: Source, rows: list[TableRow], data: Any = None) -> None:
        super().__init__(data)
        heading, *samples = rows
        known = headings_of(heading.cells)
        found = find_columns(heading.cells, known, source.options.get("columns", {}))
        choices = [(NO_COLUMN, _("(no column)")), *_choices(heading.cells, samples)]
        self._required = required_fields(known)
        for name, names in known.items():
            self.fields[name] = forms.ChoiceField(
                label=names[0].capitalize(),
                choices=choices,
                widget=UnfoldAdminSelectWidget,
                initial=heading.cells[found[name]] if name in found else NO_COLUMN,
            )

    def clean(self) -> dict[str, Any]:
        for name in self._required:
            if self.cleaned_data.get(name) == NO_COLUMN:
                self.add_error(name, _("Every event needs it."))
        return self.cleaned_data


def _choices(headings: list[str], samples: Iterable[TableRow]) -> list[tuple[str, str]]:
    """Return the columns with what they contain in the first rows."""
    choices = []
    for position, heading in enumerate(headings):
        cells = [row.cells[position] for row in samples if position < len(row.cells) and row.cells[position]]
        shown = " · ".join(cell[:MAX_SAMPLE] for cell in cells)
        if heading.strip():
            choices.append((heading, f"{heading} ({shown})" if shown else heading))
    return choices


def columns_view(request: HttpRequest, pk: int, *, model_admin: Any) -> HttpResponse:
    """Show the columns of the table with its first rows; a POST stores what was chosen, and starts a preview."""
    if not has_model_permission(request.user, "change", Source):
        raise PermissionDenied
    source = Source.objects.filter(pk=pk, kind=SourceKind.TABLE).select_related("owner").first()
    if source is None:
        raise Http404
    try:
        rows = _first_rows(source)
    except SourceError as error:
        messages.error(request, str(error))
        return HttpResponseRedirect(admin_url(Source, "change", pk))
    form = ColumnsForm(source, rows, request.POST if request.method == "POST" else None)
    if form.is_valid():
        user: Any = request.user
        choose_columns(source, form.cleaned_data)
        return HttpResponseRedirect(run_url(queue_run(source, user=user, is_preview=True)))
    context = {
        **model_admin.admin_site.each_context(request),
        "opts": model_admin.opts,
        "title": _("Columns of %(source)s") % {"source": source},
        "form": form,
    }
    return TemplateResponse(request, "admin/transfer/columns.html", context)


def _first_rows(source: Source) -> list[TableRow]:
    """Return the headings and the first rows. Raises SourceError."""
    with tempfile.TemporaryDirectory() as folder:
        return read_rows(fetch_file(source, Path(folder)).path)[: 1 + SAMPLES]
