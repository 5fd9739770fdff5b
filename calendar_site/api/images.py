"""Images in the data of a write, as a file of a form or as a URL: prepared after validation, before the write."""

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


def prepare_images(
    changes: Mapping[str, Any], names: Mapping[str, str], *, prepared: dict[ImageUpload, PreparedImage]
) -> dict[str, Any]:
    """Return `changes` with a prepared image in the place of each upload, also in the data of linked records.

    Fetches each URL once, unless the image is among `prepared`, to which it is added. `names` are the contract's, by
    those of the model. Raises InvalidParams with every upload that cannot be fetched or is no image.
    """
    with_images: dict[str, Any] = {}
    errors: dict[str, str] = {}
    for name, value in changes.items():
        try:
            if isinstance(value, ImageUpload):
                with_images[name] = _prepare(value, prepared)
            elif isinstance(value, list):
                with_images[name] = [
                    prepare_images(item, {}, prepared=prepared) if isinstance(item, dict) else item for item in value
                ]
            else:
                with_images[name] = value
        except InvalidParams as error:
            errors[names.get(name, name)] = join_params(error)
        except (FetchError, ValueError) as error:
            errors[names.get(name, name)] = str(error)
    if errors:
        raise InvalidParams(errors)
    return with_images


def _prepare(upload: ImageUpload, prepared: dict[ImageUpload, PreparedImage]) -> PreparedImage:
    if upload not in prepared:
        file = upload.file
        prepared[upload] = prepare_image(file.read(), file.name or "") if file else fetch_image(upload.url)
    return prepared[upload]
