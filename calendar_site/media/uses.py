"""The uses of images in records and in their HTML."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

from django.db.models import Q

from calendar_site.audit.models import TrackedModel
from calendar_site.core import permissions
from calendar_site.core.types import AnyUser
from calendar_site.media.models import Image
from calendar_site.media.querysets import columns_by_model, html_fields, models_with_html, with_html_containing

# Per kind of record.
MAX_USES_LISTED = 50
# Records with the image in their HTML, per kind; there are rarely more than a few.
MAX_USES_IN_HTML = 200
# The beginning of the names of all files of an image, but for crops that were made after its focal point has moved.
FILE_PREFIX = re.compile(rf"{Image.FOLDER}/[0-9a-f]{{2}}/[0-9a-f]{{32}}")


class ImageUses(NamedTuple):
    """The records that use an image: some of them, the number of further ones, and the number of hidden ones.

    Users who may not delete the image do not learn about hidden ones.
    """

    records: list[TrackedModel]
    more: int
    hidden: int

    @property
    def total(self) -> int:
        return len(self.records) + self.more + self.hidden


def image_uses(image: Image, user: AnyUser) -> ImageUses:
    """Return the records that use the image, also in their HTML, and that the user may see.

    Four queries for each model. One of them reads the HTML of all rows, so this is not for lists of images.
    """
    records: list[TrackedModel] = []
    visible_count = total = 0
    prefixes = _file_prefixes(image)
    for model, columns in columns_by_model(Image).items():
        all_rows = model._default_manager.all()
        with_html = with_html_containing(all_rows, prefixes).order_by("-pk").values_list("pk", flat=True)
        used = reduce(or_, (Q(**{column: image}) for column in columns))
        rows: Any = all_rows.filter(used | Q(pk__in=list(with_html[:MAX_USES_IN_HTML])))
        visible = rows.readable_by(user).with_fields_visible_to(user)
        records += visible.order_by("-pk")[:MAX_USES_LISTED]
        visible_count, total = visible_count + visible.count(), total + rows.count()
    hidden = total - visible_count if permissions.can_delete(user, image) else 0
    return ImageUses(records, visible_count - len(records), hidden)


def images_in_html(images: Iterable[Image]) -> set[int]:
    """Return the ids of the images that the HTML of a record contains.

    One query for each model, which reads the HTML of all rows once, however many images there are.
    """
    ids = {prefix: image.pk for image in images for prefix in _file_prefixes(image)}
    found: set[int] = set()
    if not ids:
        return found
    for model in models_with_html(Image):
        rows: Any = model._default_manager.all()
        texts = with_html_containing(rows, [f"{Image.FOLDER}/"]).order_by().values_list(*html_fields(model))
        for row in texts.iterator():
            found |= {ids[prefix] for text in row for prefix in FILE_PREFIX.findall(text) if prefix in ids}
    return found


def _file_prefixes(image: Image) -> set[str]:
    """Return the common prefix of the names of files that were stored together, for each such group of files."""
    found = (FILE_PREFIX.match(name) for name in image.file_names)
    return {match[0] for match in found if match}
