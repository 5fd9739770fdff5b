"""The images of categories, which stand for events without one."""

from __future__ import annotations

from collections.abc import Iterable

from django.http import HttpRequest

from calendar_site.media.loading import ImageRow, load_images
from taxonomy.loading import CategoryRow
from taxonomy.models import Category


def default_images(request: HttpRequest) -> dict[int, ImageRow]:
    """Return the images of the categories that have one, by their ids. Two queries for each request."""
    known: dict[int, ImageRow] | None = getattr(request, "default_images", None)
    if known is None:
        categories = list(Category.objects.exclude(image=None).order_by().only("image"))
        images = load_images(categories)
        known = {category.pk: images[category.image_id] for category in categories if category.image_id in images}
        request.default_images = known  # type: ignore[attr-defined]
    return known


def default_image(categories: Iterable[CategoryRow], request: HttpRequest) -> ImageRow | None:
    """Return the image of the first of these categories that has one, or whose parent has one."""
    images = default_images(request)
    for category in categories:
        for pk in (category.id, category.parent_id):
            if pk in images:
                return images[pk]
    return None
