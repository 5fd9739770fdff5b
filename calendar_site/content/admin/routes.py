"""Where the pages of the admin are."""

from __future__ import annotations

from typing import Any

from django.urls import reverse


def address(model: Any, page: str, *args: Any) -> str:
    """Where a page about records of this kind, or about one of them, is; `model` may be a record."""
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=args)
