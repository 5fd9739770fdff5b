"""Images that come with a write, as a file of a form or as a URL: prepared after validation, before the write."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.core.files.uploadedfile import UploadedFile

from calendar_site.api.errors import InvalidParams, join_params
from calendar_site.core.http_client import FetchError
from calendar_site.media.library import PreparedImage, fetch_image, prepare_image


class ImageUpload(NamedTuple):
    """An image for the library that is not prepared yet: a file, or else a URL."""

    file: UploadedFile | None = None
    url: str = ""


def has_uploads(value: Any) -> bool:
    """Return whether validated data contain images to prepare."""
    if isinstance(value, dict):
        return any(map(has_uploads, value.values()))
    if isinstance(value, list):
        return any(map(has_uploads, value))
    return isinstance(value, ImageUpload)


def prepare_images(
    changes: Mapping[str, Any], names: Mapping[str, str], *, cache: dict[ImageUpload, PreparedImage] | None = None
) -> dict[str, Any]:
    """Return `changes` with a prepared image in the place of each upload, also in the data of linked records.

    Fetches each URL once, so call it without the write lock. `names` are the contract's, by those of the model. Raises
    InvalidParams with every upload that cannot be fetched or is no image.
    """
    cache = {} if cache is None else cache
    prepared: dict[str, Any] = {}
    errors: dict[str, str] = {}
    for name, value in changes.items():
        try:
            if isinstance(value, ImageUpload):
                prepared[name] = _prepare(value, cache)
            elif isinstance(value, list):
                prepared[name] = [
                    prepare_images(item, {}, cache=cache) if isinstance(item, dict) else item for item in value
                ]
            else:
                prepared[name] = value
        except InvalidParams as error:
            errors[names.get(name, name)] = join_params(error)
        except (FetchError, ValueError) as error:
            errors[names.get(name, name)] = str(error)
    if errors:
        raise InvalidParams(errors)
    return prepared


def _prepare(upload: ImageUpload, cache: dict[ImageUpload, PreparedImage]) -> PreparedImage:
    if upload not in cache:
        file = upload.file
        cache[upload] = prepare_image(file.read(), file.name or "") if file else fetch_image(upload.url)
    return cache[upload]
