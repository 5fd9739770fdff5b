"""Forms of new records that something else than the user has filled in. Nothing is saved by it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import Model
from django.http import HttpRequest

from calendar_site.back_office.urls import admin_url

SESSION_KEY = "filled_in_form"
# The argument of a page whose form is filled in.
ARGUMENT = "filled_in"


def filled_in_url(request: HttpRequest, model: type[Model], values: Mapping[str, Any]) -> str:
    """Store the initial values of the form of a new record in the session, and return the URL that shows it."""
    request.session[SESSION_KEY] = {"model": model._meta.label_lower, "values": dict(values)}
    return f"{admin_url(model, 'add')}?{ARGUMENT}=1"


def filled_in_values(request: HttpRequest, model: type[Model]) -> dict[str, Any]:
    """Return the initial values that the session has for this form, if the request is for them."""
    if ARGUMENT not in request.GET:
        return {}
    stored = request.session.get(SESSION_KEY, {})
    values: dict[str, Any] = stored.get("values", {}) if stored.get("model") == model._meta.label_lower else {}
    return values
