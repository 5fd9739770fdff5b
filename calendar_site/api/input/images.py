"""Preparing the images in the data of a write, sent as form files or URLs, after validation and before the write."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _

from calendar_site.api.errors import InvalidParams
from calendar_site.audit.record_services import RelatedErrors
from calendar_site.core.http.http_client import FetchError
from calendar_site.media.library import PreparedImage, fetch_image, image_deadline, prepare_image, store_files
from calendar_site.media.models import Image

if TYPE_CHECKING:
    from calendar_site.api.input.serializers import ContractSerializer


class ImageUpload(NamedTuple):
    """An image for the library that is not prepared yet: a file or a URL."""

    file: UploadedFile | None = None
    url: str = ""


def may_upload(arguments: Any) -> bool:
    """Return whether the arguments of a write, or the data of linked records in them, may contain a new image."""
    if isinstance(arguments, list):
        return any(map(may_upload, arguments))
    if not isinstance(arguments, dict):
        return False
    image = arguments.get("image")
    return not (image is None or isinstance(image, int)) or any(map(may_upload, arguments.values()))


def prepare_images(serializer: ContractSerializer, *, prepared: dict[ImageUpload, PreparedImage]) -> dict[str, Any]:
    """Return the validated data with each upload replaced by a prepared image, also in the data of linked records.

    The files of the images are stored. Run the write inside `deleting_unused_files()`.

    Fetches each URL once; uploads in `prepared` are not fetched again, and new ones are added to it. Raises
    InvalidParams with all uploads that cannot be fetched or are not images. If there are too many (D33), with those
    beyond the limit, and fetches none. All uploads share one deadline. Raises ResourceBusy.
    """
    uploads: list[ImageUpload] = []

    def count(upload: ImageUpload) -> None:
        if upload not in uploads:
            uploads.append(upload)
        if uploads.index(upload) >= Image.MAX_PER_REQUEST:
            raise ValueError(_("A request can contain at most %(limit)s images.") % {"limit": Image.MAX_PER_REQUEST})

    def prepare(upload: ImageUpload) -> PreparedImage:
        if upload not in prepared:
            file = upload.file
            prepared[upload] = store_files(
                prepare_image(file.read(), file.name or "", deadline=deadline)
                if file
                else fetch_image(upload.url, deadline=deadline)
            )
        return prepared[upload]

    _replace_uploads(serializer, count)
    deadline = image_deadline()
    return _replace_uploads(serializer, prepare)


def _replace_uploads(serializer: ContractSerializer, replace: Callable[[ImageUpload], Any]) -> dict[str, Any]:
    """Return the validated data with each upload replaced. Raises InvalidParams with all errors of `replace`."""
    replaced: dict[str, Any] = dict(serializer.validated_data)
    errors: dict[str, Any] = {}
    names = serializer.names_by_source
    for source, value in replaced.items():
        name = names.get(source, source)
        if isinstance(value, ImageUpload):
            try:
                replaced[source] = replace(value)
            except (FetchError, ValueError) as error:
                errors[name] = [str(error)]
        elif isinstance(value, list):
            replaced[source], related = _replace_in_list(value, replace)
            if related:
                field: Any = serializer.fields[name]
                errors[name] = field.related_errors(RelatedErrors(source, related), serializer.initial_data.get(name))
    if errors:
        raise InvalidParams.from_errors(errors)
    return replaced


def _replace_in_list(
    records: list[Any], replace: Callable[[ImageUpload], Any]
) -> tuple[list[Any], dict[int, ValidationError]]:
    """Return the linked records with each upload replaced, and the errors by position."""
    replaced = list(records)
    errors: dict[int, ValidationError] = {}
    for position, record in enumerate(records):
        if isinstance(record, dict) and isinstance(record.get("image"), ImageUpload):
            try:
                replaced[position] = {**record, "image": replace(record["image"])}
            except (FetchError, ValueError) as error:
                errors[position] = ValidationError({"image": str(error)})
    return replaced, errors
