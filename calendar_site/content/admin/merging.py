"""Merging records that are the same, from a list of them: asks which one stays, and says what will change."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from calendar_site.content.admin.base import ServiceAdmin
from calendar_site.content.merging import may_merge, may_merge_any
from calendar_site.content.transactions import writing

# More are no repetition but a mistake.
MOST = 50


class MergeAction(ServiceAdmin):
    """An admin whose records can be merged."""

    # The column of the list that counts events.
    count_column: ClassVar[str]
    # What becomes of the records that do not stay.
    merged_away: ClassVar[Any]

    def merge_rows(self, kept: Any, others: list[Any], user: Any) -> None:
        """Raises PermissionDenied and ValidationError."""
        raise NotImplementedError

    def has_merge_permission(self, request: HttpRequest) -> bool:
        return may_merge_any(request.user, self.model)

    @admin.action(description=gettext_lazy("Merge into one"), permissions=["merge"])
    def merge(self, request: HttpRequest, queryset: Any) -> HttpResponse | None:
        rows = list(queryset[: MOST + 1])
        if not 2 <= len(rows) <= MOST:
            text = _("Choose at least two records that are the same, and at most %(most)d.")
            messages.warning(request, text % {"most": MOST})
            return None
        refused = [str(row) for row in rows if not may_merge(request.user, row)]
        if refused:
            text = _("Nothing is merged: these are not yours to change: %(titles)s.")
            messages.warning(request, text % {"titles": ", ".join(refused)})
            return None
        kept = next((row for row in rows if str(row.pk) == request.POST.get("kept")), None)
        if kept is None:
            return self._ask(request, rows)
        self._merge(request, kept, [row for row in rows if row is not kept])
        return None

    def _ask(self, request: HttpRequest, rows: list[Any]) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "title": _("Merge into one"),
            "opts": self.opts,
            "media": self.media,
            "rows": [(row, getattr(row, self.count_column)) for row in rows],
            "merged_away": self.merged_away,
            "checkbox": ACTION_CHECKBOX_NAME,
        }
        return TemplateResponse(request, "admin/merge.html", context)

    def _merge(self, request: HttpRequest, kept: Any, others: list[Any]) -> None:
        names = ", ".join(map(str, others))
        try:
            with writing():
                self.merge_rows(kept, others, request.user)
        except PermissionDenied:
            messages.warning(request, _("Nothing is merged: somebody has changed one of the records in the meantime."))
        except ValidationError as error:
            messages.warning(request, _("Nothing is merged: %(faults)s") % {"faults": " ".join(error.messages)})
        else:
            messages.success(
                request, _("“%(kept)s” has taken the place of: %(names)s.") % {"kept": kept, "names": names}
            )
