"""The endpoints of drafts: one for the script that stores them, and one for the button that discards them."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from django.apps import apps
from django.contrib.admin import AdminSite, ModelAdmin
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect, JsonResponse
from django.middleware.csrf import get_token
from django.urls import reverse
from django.utils.translation import gettext as _

from calendar_site.back_office.drafts.form_state import can_fill_in, form_key, format_saved_at
from calendar_site.back_office.drafts.tokens import DRAFT_INPUT, REPLACED_INPUT, clean_token
from calendar_site.back_office.urls import admin_url, is_valid_id
from calendar_site.core.redis_client import RedisUnavailable
from calendar_site.form_drafts.services import delete_drafts, store_draft
from calendar_site.limits.rates import Rate, count_use, read_usage
from calendar_site.limits.stores import request_store

MAX_BYTES = 1_000_000
MAX_PAIRS = 3_000
# The script stores a form every few seconds; a user may fill in several.
RATE = Rate(120, 60)
TITLES = ("title", "name", "label")


class InvalidDraft(ValueError):
    """A request to store a draft that the script does not send. No user sees its message."""


class DraftRequest(NamedTuple):
    """The data of a request to store a draft."""

    user_id: int
    model_label: str
    record_id: int | None
    revision_id: int | None
    token: str
    replaced: str
    pairs: list[tuple[str, str]]


def form_draft(site: AdminSite, request: HttpRequest) -> HttpResponse:
    """Store a draft, and return when it was stored. On GET, return the user and the CSRF token of the session.

    The script of a form reads these after its user has signed in again in another window.
    """
    if request.method == "GET":
        return JsonResponse({"user": request.user.pk, "csrf_token": get_token(request)})
    if request.method != "POST":
        return HttpResponseNotAllowed(["GET", "POST"])
    if len(request.body) > MAX_BYTES:
        return _refuse(413, _("The form is too large to be stored."))
    try:
        wanted = _parse(request.body)
    except InvalidDraft as error:
        return _refuse(400, str(error))
    if wanted.user_id != request.user.pk:
        return _refuse(409, _("Another user has signed in."))
    model_admin = _find_admin(site, wanted.model_label)
    row = _find_row(model_admin, request, wanted.record_id)
    if _is_rate_exceeded(request):
        return _refuse(429, "Too many requests. Try again in a minute.")
    excluded = {name for field in model_admin.excluded_from_drafts for name in (field, f"initial-{field}")}
    pairs = [(name, value) for name, value in wanted.pairs if name not in excluded and not name.startswith("_")]
    values = dict(pairs)
    draft = store_draft(
        request.user,
        wanted.token,
        form=form_key(model_admin.model, row),
        revision_id=wanted.revision_id,
        title=next((" ".join(values[name].split()) for name in TITLES if values.get(name)), ""),
        pairs=pairs,
        replaced=wanted.replaced,
    )
    return JsonResponse({"time": format_saved_at(draft)})


def discard_form_draft(site: AdminSite, request: HttpRequest) -> HttpResponse:
    """Delete the user's own drafts with the tokens `_form_draft`, and return to the form."""
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    delete_drafts(request.user, map(clean_token, request.POST.getlist(DRAFT_INPUT)))
    model = _find_model(request.POST.get("model", ""))
    if model is None or not site.is_registered(model):
        return HttpResponseRedirect(reverse("admin:index"))
    record = request.POST.get("record", "")
    is_saved = is_valid_id(record)
    return HttpResponseRedirect(admin_url(model, "change", record) if is_saved else admin_url(model, "add"))


def _parse(body: bytes) -> DraftRequest:
    """Return the data of the request. Raises InvalidDraft."""
    try:
        data = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise InvalidDraft("The request must be JSON.") from error
    if not isinstance(data, dict):
        raise InvalidDraft("The request must be a JSON object.")
    token = clean_token(data.get(DRAFT_INPUT))
    if not token:
        raise InvalidDraft(f"{DRAFT_INPUT}: Not a valid token.")
    pairs = data.get("fields")
    if not isinstance(pairs, list) or len(pairs) > MAX_PAIRS or not all(map(_is_pair, pairs)):
        raise InvalidDraft("fields: Must be a list of pairs of texts.")
    return DraftRequest(
        user_id=_parse_id("user", data.get("user")) or 0,
        model_label=str(data.get("model", "")),
        record_id=_parse_id("record", data.get("record")),
        revision_id=_parse_id("revision", data.get("revision")),
        token=token,
        replaced=clean_token(data.get(REPLACED_INPUT)),
        pairs=[(name, value) for name, value in pairs],
    )


def _parse_id(name: str, value: Any) -> int | None:
    if value is None or value == "":
        return None
    if isinstance(value, bool | list | dict) or not is_valid_id(value):
        raise InvalidDraft(f"{name}: Not a valid id.")
    return int(value)


def _is_pair(pair: Any) -> bool:
    return isinstance(pair, list) and len(pair) == 2 and all(map(_is_text, pair))


def _is_text(value: Any) -> bool:
    """Return whether the value is a text that a page can contain and a database can store."""
    return isinstance(value, str) and "\0" not in value and not any("\ud800" <= char <= "\udfff" for char in value)


def _find_model(label: str) -> type[Model] | None:
    try:
        return apps.get_model(label)
    except (LookupError, ValueError):
        return None


def _find_admin(site: AdminSite, label: str) -> Any:
    """Return the admin of the model if its forms have drafts. Raises Http404."""
    model = _find_model(label)
    model_admin: Any = site.get_model_admin(model) if model and site.is_registered(model) else None
    if not getattr(model_admin, "has_drafts", False):
        raise Http404
    return model_admin


def _find_row(model_admin: ModelAdmin, request: HttpRequest, record_id: int | None) -> Model | None:
    """Return the record of the form, None for a new one. Raises Http404, and PermissionDenied if it is read-only."""
    row = None if record_id is None else model_admin.get_object(request, str(record_id))
    if row is None and record_id is not None:
        raise Http404
    if not can_fill_in(model_admin, request, row):
        raise PermissionDenied
    return row


def _is_rate_exceeded(request: HttpRequest) -> bool:
    store, key = request_store(), f"form-drafts:{request.user.pk}"
    try:
        return read_usage(store, key, RATE).is_exceeded or count_use(store, key, RATE).is_exceeded
    except RedisUnavailable:
        return False


def _refuse(status: int, error: str) -> JsonResponse:
    return JsonResponse({"error": error}, status=status)
