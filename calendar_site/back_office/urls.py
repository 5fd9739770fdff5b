"""URLs of admin pages: building them, and reading them from requests."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.contrib.admin.utils import unquote
from django.db.models import Model
from django.http import HttpRequest, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext

from calendar_site.core.http.request_context import current_request_id

# Django's own message, which its catalogs translate. Not a literal argument of `gettext`, so that our catalogs do not
# contain it.
MISSING_RECORD = "%(name)s with ID “%(key)s” doesn’t exist. Perhaps it was deleted?"
MAX_ID_LENGTH = 18
# The tag of messages about changes that can be undone, before the URL that undoes them.
UNDO_TAG = "undo-"


def admin_url(model: Model | type[Model], page: str, *args: Any) -> str:
    """Return the URL of a page about records of this kind, or about one of them; `model` may be a record."""
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=args)


def undo_url(model: type[Model]) -> str:
    """Return the URL that undoes the changes of this request to records of the model: see `content/undo.py`."""
    return f"{admin_url(model, 'undo')}?request={current_request_id()}"


def is_page(request: HttpRequest, model: Model | type[Model], page: str) -> bool:
    """Return whether the request is for this page about records of this kind."""
    return _url_name(request) == f"{model._meta.app_label}_{model._meta.model_name}_{page}"


def is_changelist(request: HttpRequest, model: type[Model]) -> bool:
    return is_page(request, model, "changelist")


def is_autocomplete(request: HttpRequest) -> bool:
    """Return whether a form asks for records to choose from."""
    return _url_name(request) == "autocomplete"


def redirect_missing(model_admin: ModelAdmin, request: HttpRequest, object_id: str) -> HttpResponseRedirect:
    """Redirect to the start page with a message that this record does not exist, as Django's own views do."""
    names = {"name": model_admin.opts.verbose_name, "key": unquote(object_id)}
    messages.warning(request, gettext(MISSING_RECORD) % names)
    return HttpResponseRedirect(reverse("admin:index"))


def is_valid_id(value: Any) -> bool:
    """Return whether a value of a request can be the id of a record: databases reject larger numbers."""
    text = str(value)
    return text.isascii() and text.isdigit() and len(text) <= MAX_ID_LENGTH


def _url_name(request: HttpRequest) -> str | None:
    return request.resolver_match.url_name if request.resolver_match else None
