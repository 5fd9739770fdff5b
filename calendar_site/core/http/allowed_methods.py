"""Decorators that limit a view to the HTTP methods it supports."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect

View = Callable[..., HttpResponse]


def read_only(view: View) -> View:
    """Limit a view to GET and HEAD."""
    return _for_methods(("GET", "HEAD"), view)


def with_form(view: View) -> View:
    """Limit a view to GET, HEAD and POST of its own form, which contains a CSRF token."""
    return _for_methods(("GET", "HEAD", "POST"), csrf_protect(view))


def _for_methods(methods: tuple[str, ...], view: View) -> View:
    """Reject other methods with a line of text, before the CSRF check would report a missing token instead."""

    @csrf_exempt
    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method not in methods:
            refusal = _("This page does not accept this HTTP method.")
            return HttpResponseNotAllowed(methods, f"{refusal}\n", content_type="text/plain; charset=utf-8")
        return view(request, *args, **kwargs)

    return checked
