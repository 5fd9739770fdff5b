"""Prefetch the records that events link to, if the user may see them."""

from __future__ import annotations

from typing import Any

from django.db.models import Prefetch

from calendar_site.core.permissions import visible_q
from calendar_site.core.types import AnyUser
from taxonomy.models import Category


def visible_links(link: Any, column: str, user: AnyUser) -> Prefetch:
    """Prefetch links to records that the user may see, as `visible_venues` or `visible_organizers` of the event."""
    model = link._meta.get_field(column).related_model
    links = link.objects.filter(visible_q(user, model, f"{column}__")).select_related(column)
    return Prefetch(f"event{column}_set", links, f"visible_{column}s")


def prefetch_category_names() -> Prefetch:
    """Prefetch the categories of an event by name; the first one gives it its color."""
    return Prefetch("categories", Category.objects.only("name").with_shown_color().order_by("name_key", "pk"))
