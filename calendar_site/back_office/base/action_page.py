"""The page with which an action of a list asks for values or for a confirmation."""

from __future__ import annotations

from typing import Any

from django.contrib.admin import ModelAdmin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.forms import Media
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse


def action_page(
    model_admin: ModelAdmin,
    request: HttpRequest,
    template: str,
    *,
    title: str,
    context: dict[str, Any],
    form_media: Media | None = None,
) -> HttpResponse:
    """Return the page. Its template extends `admin/plain_form.html`, and its form is sent to the same action.

    *Cancel* leads back to the list with its filters.
    """
    request.heading = title  # type: ignore[attr-defined]
    shared = {
        **model_admin.admin_site.each_context(request),
        "title": title,
        "opts": model_admin.opts,
        "media": model_admin.media + (form_media or Media()),
        "checkbox": ACTION_CHECKBOX_NAME,
        "cancel_url": request.get_full_path(),
    }
    return TemplateResponse(request, template, {**shared, **context})
