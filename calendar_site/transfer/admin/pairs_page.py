"""The page of events that two sources may have in common: people merge them, or say that they are different."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from calendar_site.back_office.urls import admin_url, is_valid_id
from calendar_site.core.commands import error_messages
from calendar_site.core.permissions import has_model_permission
from calendar_site.core.types import AnyUser
from calendar_site.transfer.imports.pairs import keep_both, merge_pair, undo_merge
from calendar_site.transfer.imports.records import RecordKind
from calendar_site.transfer.models import EventPair, PairState, Source, SourceRecord
from events.admin.columns import summarize_event
from events.admin.prefetches import visible_links
from events.models import Event, EventVenue

MAX_PAIRS = 50


def pairs_view(request: HttpRequest, *, model_admin: Any) -> HttpResponse:
    """Show the pairs to decide, and those that were merged last; a POST does what its button says."""
    if not has_model_permission(request.user, "view", Source):
        raise PermissionDenied
    if request.method == "POST":
        if not has_model_permission(request.user, "change", Source):
            raise PermissionDenied
        _act(request)
        return HttpResponseRedirect(pairs_url())
    undecided = EventPair.objects.filter(state=PairState.OPEN)
    merged = EventPair.objects.filter(state=PairState.MERGED).order_by("-decided_at")
    context = {
        **model_admin.admin_site.each_context(request),
        "opts": model_admin.opts,
        "title": _("Possible duplicates"),
        "pairs": _shown(undecided, request.user),
        "merged": _shown(merged, request.user),
        "may_change": has_model_permission(request.user, "change", Source),
    }
    return TemplateResponse(request, "admin/transfer/pairs.html", context)


def pairs_url() -> str:
    return admin_url(Source, "pairs")


def _act(request: HttpRequest) -> None:
    user: Any = request.user
    actions: dict[str, tuple[PairState, Callable[[EventPair], None], str]] = {
        "merge": (PairState.OPEN, lambda pair: merge_pair(pair, user), _("The events are merged.")),
        "different": (PairState.OPEN, keep_both, _("They stay two events.")),
        "undo": (PairState.MERGED, lambda pair: undo_merge(pair, user), _("They are two events again.")),
    }
    state, decide, said = actions.get(request.POST.get("action", ""), (None, keep_both, ""))
    number = request.POST.get("pair", "")
    pair = EventPair.objects.filter(pk=int(number), state=state).first() if state and is_valid_id(number) else None
    if pair is None:
        messages.warning(request, _("This is not possible any more."))
        return
    try:
        decide(pair)
    except ValidationError as error:
        messages.error(request, " ".join(error_messages(error)))
    except PermissionDenied:
        messages.error(request, _("You may not change both events."))
    else:
        messages.success(request, said)


def _shown(pairs: Any, user: AnyUser) -> list[dict[str, Any]]:
    """Return the pairs whose events the user may see, the newest first. Four queries."""
    chosen = list(pairs[:MAX_PAIRS])
    ids = {pk for pair in chosen for pk in (pair.kept_id, pair.other_id)}
    rows = Event.objects.readable_by(user).with_field_visibility(user).filter(pk__in=ids)
    events = rows.prefetch_related(visible_links(EventVenue, "venue", user)).in_bulk()
    sources: dict[int, list[str]] = defaultdict(list)
    links = SourceRecord.objects.filter(kind=RecordKind.EVENT, record_id__in=ids)
    for pk, name in links.order_by("pk").values_list("record_id", "source__name"):
        sources[pk].append(name)
    return [
        {"pk": pair.pk, "events": [_line(events[pk], sources[pk]) for pk in (pair.kept_id, pair.other_id)]}
        for pair in chosen
        if pair.kept_id in events and pair.other_id in events
    ]


def _line(event: Event, sources: list[str]) -> dict[str, Any]:
    return {
        "title": event.title,
        "url": admin_url(Event, "change", event.pk),
        "summary": summarize_event(event),
        "sources": ", ".join(dict.fromkeys(sources)) or _("Entered here"),
    }
