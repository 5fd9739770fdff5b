"""The action that merges records: it asks which one to keep, and describes the outcome for the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Protocol

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from calendar_site.back_office.base.action_page import action_page
from calendar_site.back_office.urls import UNDO_TAG, undo_url
from calendar_site.content.merge import can_merge, count_links
from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.types import AnyUser

if TYPE_CHECKING:
    from calendar_site.back_office.base.service_admin import ServiceModelAdmin

# A selection of more records is probably a mistake.
MAX_RECORDS = 50


class MergeService(Protocol):
    """A service that merges `others` into `kept`. Raises PermissionDenied and ValidationError."""

    def __call__(self, kept: Any, /, *, others: list[Any], user: AnyUser) -> Any: ...


def merge_action(service: MergeService, *, outcome: Any) -> Callable[..., HttpResponse | None]:
    """Return the action for one kind of record.

    `outcome` tells users what will happen to the other records. The message offers to undo the merge.
    """

    @admin.action(description=gettext_lazy("Merge"), permissions=["merge"])
    def merge(model_admin: ServiceModelAdmin, request: HttpRequest, queryset: QuerySet) -> HttpResponse | None:
        rows = list(queryset[: MAX_RECORDS + 1])
        if not 2 <= len(rows) <= MAX_RECORDS:
            text = _("Select 2 to %(most)d duplicate records to merge.")
            messages.warning(request, text % {"most": MAX_RECORDS})
            return None
        refused = [str(row) for row in rows if not can_merge(request.user, row)]
        if refused:
            text = _("Nothing was merged. You do not have permission to change: %(titles)s.")
            messages.warning(request, text % {"titles": ", ".join(refused)})
            return None
        kept = next((row for row in rows if str(row.pk) == request.POST.get("kept")), None)
        if kept is None:
            counts = count_links(rows, request.user)
            shown = [(row, counts[row.pk], _details(row, model_admin.compared_fields)) for row in rows]
            context = {"rows": shown, "outcome": outcome}
            return action_page(model_admin, request, "admin/merge.html", title=_("Merge"), context=context)
        _merge(service, request, kept, [row for row in rows if row is not kept])
        return None

    return merge


def _details(row: Any, names: Iterable[str]) -> list[tuple[str, str]]:
    """Return the labels and values of these fields, so that people see which records are the same."""
    return [(capfirst(str(row._meta.get_field(name).verbose_name)), str(getattr(row, name)) or "–") for name in names]


def _merge(service: MergeService, request: HttpRequest, kept: Any, others: list[Any]) -> None:
    names = ", ".join(map(str, others))
    try:
        with write_lock():
            service(kept, others=others, user=request.user)
    except PermissionDenied:
        messages.warning(request, _("Nothing was merged. Someone changed one of the records in the meantime."))
    except ValidationError as error:
        messages.warning(request, _("Nothing was merged. %(faults)s") % {"faults": " ".join(error.messages)})
    else:
        text = _("Merged into “%(kept)s”: %(names)s.") % {"kept": kept, "names": names}
        messages.success(request, text, extra_tags=UNDO_TAG + undo_url(type(kept)))
