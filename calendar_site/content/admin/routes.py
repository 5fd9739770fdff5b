"""Where the pages of the admin are."""

from __future__ import annotations

from typing import Any

from django.urls import reverse


def route(model: Any, page: str) -> str:
    """The name of a page about records of this kind, or about one of them."""
    return f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}"


def address(model: Any, page: str, *args: Any) -> str:
    return reverse(route(model, page), args=args)
