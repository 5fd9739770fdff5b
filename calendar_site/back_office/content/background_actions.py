"""Bulk actions on many records: the request changes the first ones, and a background task the others.

The task repeats the request of the user for the others, with the permissions that the user has then, and as the same
request in the history, so that *Undo* finds the records of both.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from http import HTTPMethod
from typing import TYPE_CHECKING, Any, TypedDict

from django.apps import apps
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.auth import get_user_model
from django.contrib.messages import constants
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.template.response import TemplateResponse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django_tasks import task

from calendar_site.audit.models import Channel
from calendar_site.audit.recorder import recorded_via
from calendar_site.back_office.base.pages import AdminPage
from calendar_site.back_office.urls import admin_url
from calendar_site.core import clock
from calendar_site.core.dates.conversion import site_zone
from calendar_site.core.http.request_context import (
    REQUEST_ID,
    RequestContext,
    current_request_id,
    in_context,
    set_request_user,
)
from calendar_site.tasks.models import BackgroundTask

if TYPE_CHECKING:
    from calendar_site.back_office.base.service_admin import ServiceModelAdmin

# A request changes so many records within 2 s of CPU time.
MAX_AT_ONCE = 100
# The tag of messages before the URL of the page about the other records.
PROGRESS_TAG = "progress-"


class Repetition(TypedDict):
    """A request of a user that is repeated for other records, as JSON."""

    model: str
    # The name of an action of the list, "" for the page that undoes one.
    action: str
    query: str
    form: str
    ids: list[int]
    user_id: int | None
    request_id: str
    sent_at: str
    language_code: str


class BackgroundRequest(HttpRequest):
    """A request that a task repeats for the records `ids`. It keeps the messages for the user."""

    def __init__(self, repetition: Repetition, user: Any) -> None:
        super().__init__()
        self.method = HTTPMethod.POST.value
        self.user = user
        self.GET = QueryDict(repetition["query"])
        self.POST = QueryDict(repetition["form"])
        self.ids = repetition["ids"]
        self.sent_at = datetime.fromisoformat(repetition["sent_at"])
        self._messages = CollectedMessages()


class CollectedMessages:
    """The part of a storage of messages to which Django's functions add."""

    def __init__(self) -> None:
        self.collected: list[tuple[str, str]] = []

    def add(self, level: int, message: object, extra_tags: str = "") -> None:
        self.collected.append((constants.DEFAULT_TAGS[level], str(message)))


def sent_at(request: HttpRequest) -> datetime:
    """Return when the user has sent the request."""
    return request.sent_at if isinstance(request, BackgroundRequest) else clock.now()


def leave_to_background(request: HttpRequest, model: type[Model], ids: Sequence[int]) -> None:
    """Queue the action of the request for these records, and tell the user."""
    form = request.POST.copy()
    for name in (ACTION_CHECKBOX_NAME, "csrfmiddlewaretoken"):
        form.pop(name, None)
    repetition = Repetition(
        model=model._meta.label_lower,
        action=form.get("action", ""),
        query=request.GET.urlencode(),
        form=form.urlencode(),
        ids=list(ids),
        user_id=request.user.pk,
        request_id=current_request_id(),
        sent_at=clock.now().isoformat(),
        language_code=translation.get_language(),
    )
    run_in_background.enqueue(repetition)
    text = ngettext(
        "%(count)d more record follows in the background.", "%(count)d more records follow in the background.", len(ids)
    )
    url = f"{admin_url(model, 'background')}?request={repetition['request_id']}"
    messages.info(request, text % {"count": len(ids)}, extra_tags=PROGRESS_TAG + url)


@task()
def run_in_background(repetition: Repetition) -> list[tuple[str, str]]:
    """Repeat the request for those of its records that it has not changed. Return the messages with their levels.

    A task that was interrupted runs again, and then finds the records that it has changed in the history.
    """
    user = get_user_model().objects.filter(pk__in=[repetition["user_id"]], is_active=True).first()
    model_admin: Any = admin.site.get_model_admin(apps.get_model(repetition["model"]))
    if user is None:
        return []
    changed = model_admin.model.history.filter(history_request_id=repetition["request_id"])
    done = set(changed.filter(id__in=repetition["ids"]).values_list("id", flat=True))
    request = BackgroundRequest({**repetition, "ids": [pk for pk in repetition["ids"] if pk not in done]}, user)
    with (
        in_context(RequestContext(repetition["request_id"])),
        recorded_via(Channel.ADMIN),
        translation.override(repetition["language_code"]),
        timezone.override(site_zone().tz),
    ):
        set_request_user(user)
        _repeat(model_admin, request, repetition["action"])
    return request._messages.collected


def _repeat(model_admin: ServiceModelAdmin, request: BackgroundRequest, action: str) -> None:
    if not action:
        undo = next(page for page in model_admin.pages if page.name == "undo")
        undo.view(request, model_admin=model_admin)
        return
    # Only the actions for which the user still has the permission.
    allowed = model_admin.get_actions(request)
    if action not in allowed:
        messages.warning(request, _("The other records were not changed. You do not have the permission any more."))
        return
    function, _name, _description = allowed[action]
    rows = model_admin.get_queryset(request).filter(pk__in=request.ids)
    function(model_admin, request, rows)


def stop_background(request_id: str, user_id: int | None) -> bool:
    """Cancel what waits of an action of the user. Return whether a part of it is running, and cannot be cancelled."""
    tasks = _tasks_of(request_id, user_id)
    waiting = tasks.filter(status=BackgroundTask.Status.READY)
    if waiting.exists():
        waiting.delete()
    # Asked last: a task that a worker has taken meanwhile was not cancelled.
    return tasks.filter(status=BackgroundTask.Status.RUNNING).exists()


def _tasks_of(request_id: str, user_id: int | None) -> Any:
    return BackgroundTask.objects.filter(
        task_path=run_in_background.module_path,
        enqueued_at__gt=clock.now() - timedelta(days=7),
        args_kwargs__args__0__request_id=request_id,
        args_kwargs__args__0__user_id=user_id,
    )


def progress_view(request: HttpRequest, *, model_admin: ServiceModelAdmin) -> HttpResponse:
    """Show the state of what a request of the user has left to the background, and its messages at its end."""
    request_id = request.GET.get("request", "")
    found = _tasks_of(request_id, request.user.pk).first() if REQUEST_ID.fullmatch(request_id) else None
    if found is None:
        raise Http404
    context = {
        **model_admin.admin_site.each_context(request),
        "title": _("Action in the background"),
        "opts": model_admin.opts,
        "count": len(found.args_kwargs["args"][0]["ids"]),
        "state": BackgroundTask.Status(found.status).label,
        "is_over": found.status in (BackgroundTask.Status.SUCCESSFUL, BackgroundTask.Status.FAILED),
        "outcomes": [text for _level, text in found.return_value or []],
        "list_url": admin_url(model_admin.model, "changelist"),
    }
    return TemplateResponse(request, "admin/background_action.html", context)


PROGRESS_PAGE = AdminPage("background/", "background", progress_view)
