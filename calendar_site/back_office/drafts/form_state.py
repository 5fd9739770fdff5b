"""The draft of an opened form: what its template needs, restoring it, and deleting it when the form is saved."""

from __future__ import annotations

from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.contrib.admin.options import IS_POPUP_VAR
from django.db.models import Model
from django.http import HttpRequest, QueryDict
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext as _

from calendar_site.back_office.drafts.tokens import DRAFT_INPUT, REPLACED_INPUT, clean_token, new_token
from calendar_site.back_office.urls import is_valid_id
from calendar_site.core import clock
from calendar_site.core.dates.conversion import site_zone
from calendar_site.core.dates.formatting import format_in_site_time, format_time
from calendar_site.form_drafts.models import FormDraft
from calendar_site.form_drafts.services import FormKey, delete_drafts, find_draft, find_drafts

# The cookie with the tokens of saved forms, and how many and how long: copies in a browser are kept for a day.
SAVED_COOKIE = "saved_forms"
MAX_TOLD = 20
COPY_SECONDS = 24 * 60 * 60


class OpenedForm(NamedTuple):
    """The data that the script of an opened form sends along with its inputs."""

    token: str
    # The token of the draft that the form was restored from; empty if it was not.
    replaced: str
    model_label: str
    record_id: int | None
    revision_id: int | None
    # Whether the inputs already differ from the saved record when the page is opened.
    is_unsaved: bool


class OfferedDraft(NamedTuple):
    """A draft in the notice above the form."""

    token: str
    title: str
    time: str
    # In milliseconds since 1970, as scripts have it.
    saved_at: int
    restore_url: str
    # The names of the other users who have saved the record since, separated by commas.
    changed_by: str


def form_key(model: type[Model], row: Model | None) -> FormKey:
    return FormKey(model._meta.label_lower, None if row is None else row.pk)


def can_fill_in(model_admin: ModelAdmin, request: HttpRequest, row: Model | None) -> bool:
    """Return whether the user may save the form of the record, or that of a new one if it is None."""
    if row is None:
        return model_admin.has_add_permission(request)
    return model_admin.has_change_permission(request, row)


def load_draft(model_admin: ModelAdmin, request: HttpRequest, object_id: str | None) -> FormDraft | None:
    """Return the draft that this request restores, None if it restores none. Adds a message if the draft is gone."""
    if DRAFT_INPUT not in request.GET or not (object_id is None or is_valid_id(object_id)):
        return None
    key = FormKey(model_admin.opts.label_lower, None if object_id is None else int(object_id))
    token = clean_token(request.GET[DRAFT_INPUT])
    draft = find_draft(request.user, key, token) if token else None
    if draft is None:
        messages.warning(request, _("These changes are no longer stored."))
    return draft


def draft_data(draft: FormDraft) -> QueryDict:
    """Return the inputs of a draft as the data of a form."""
    data = QueryDict(mutable=True)
    for name, value in draft.pairs:
        data.appendlist(name, value)
    return data


def delete_own_drafts(request: HttpRequest) -> None:
    """Delete the drafts of the form that the request submits."""
    tokens = [clean_token(request.POST.get(name)) for name in (DRAFT_INPUT, REPLACED_INPUT)]
    delete_drafts(request.user, tokens)
    request.saved_forms = [token for token in tokens if token]  # type: ignore[attr-defined]


def tell_saved_forms(request: HttpRequest, response: HttpResponseBase) -> None:
    """Tell the browser which forms are saved, so that it deletes its copies of them.

    In a cookie that scripts read: the page after saving has no form.
    """
    saved: list[str] = getattr(request, "saved_forms", [])
    if saved:
        earlier = request.COOKIES.get(SAVED_COOKIE, "").split(".")
        tokens = [*saved, *filter(None, map(clean_token, earlier))][:MAX_TOLD]
        response.set_cookie(
            SAVED_COOKIE,
            ".".join(tokens),
            max_age=COPY_SECONDS,
            path=reverse("admin:index"),
            secure=settings.SESSION_COOKIE_SECURE,
            samesite="Lax",
        )


def draft_context(model_admin: Any, request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Return the opened form and the drafts to offer; nothing for pop-ups, and for users who may only view the record.

    Two queries at most, and one for each draft that is older than the record.
    """
    # The upload page of the image library is rendered as a form, but is none of a record.
    if "original" not in context or IS_POPUP_VAR in request.GET or IS_POPUP_VAR in request.POST:
        return {}
    row = context["original"]
    if not can_fill_in(model_admin, request, row):
        return {}
    restored: FormDraft | None = getattr(request, "form_draft", None)
    key = form_key(model_admin.model, row)
    opened = OpenedForm(
        token=clean_token(request.POST.get(DRAFT_INPUT)) or new_token(),
        replaced=restored.token if restored else clean_token(request.POST.get(REPLACED_INPUT)),
        **key._asdict(),
        revision_id=_newest_revision(row),
        is_unsaved=context["adminform"].form.is_bound,
    )
    links = {
        "draft_url": reverse("admin:form_draft"),
        "discard_draft_url": reverse("admin:discard_form_draft"),
    }
    offered: list[OfferedDraft] = []
    if restored is None and request.method == "GET":
        offered = [_offer(draft, request, row, opened.revision_id) for draft in find_drafts(request.user, key)]
    return {
        **links,
        "opened_form": opened,
        "offered_drafts": offered,
        "has_fields_without_draft": bool(model_admin.excluded_from_drafts),
        "left_out_of_drafts": " ".join(model_admin.excluded_from_drafts),
        "restored_draft": restored and _offer(restored, request, row, opened.revision_id),
    }


def _offer(draft: FormDraft, request: HttpRequest, row: Any, newest: int | None) -> OfferedDraft:
    query = {**request.GET.dict(), DRAFT_INPUT: draft.token}
    changed_by = ""
    if row is not None and draft.revision_id is not None and newest != draft.revision_id:
        later = row.history.filter(history_id__gt=draft.revision_id).order_by("history_id")
        later = later.exclude(history_user_id=request.user.pk)
        changed_by = ", ".join(dict.fromkeys(filter(None, later.values_list("history_username", flat=True))))
    saved_at = int(draft.saved_at.timestamp() * 1000)
    return OfferedDraft(draft.token, draft.title, format_saved_at(draft), saved_at, f"?{urlencode(query)}", changed_by)


def format_saved_at(draft: FormDraft) -> str:
    """Return when the draft was stored: the time, and if that was not today, the date as well."""
    zone = site_zone().tz
    local = draft.saved_at.astimezone(zone)
    is_today = local.date() == clock.now().astimezone(zone).date()
    return format_time(local) if is_today else format_in_site_time(draft.saved_at)


def _newest_revision(row: Any) -> int | None:
    if row is None or not hasattr(row, "history"):
        return None
    newest: int | None = row.history.order_by("-history_id").values_list("history_id", flat=True).first()
    return newest
