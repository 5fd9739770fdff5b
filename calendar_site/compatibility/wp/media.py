"""Images in `wp/v2`: the image library as attachments."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from pathlib import PurePosixPath
from typing import Any

from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile, UploadedFile
from django.db.models import ProtectedError
from django.utils.http import parse_header_parameters
from django.utils.translation import gettext as _
from rest_framework import parsers
from rest_framework.request import Request
from rest_framework.response import Response

from calendar_site.api.description.arguments import Argument, Arguments, describe_filters
from calendar_site.api.description.components import TEXT
from calendar_site.api.description.operations import ID_IN_PATH
from calendar_site.api.errors import ContractError, InvalidParams
from calendar_site.api.input.parsers import MultiPartParser
from calendar_site.api.input.values import parse_text
from calendar_site.compatibility.addresses import OriginalURLs
from calendar_site.compatibility.bare_lists import bare_list, read_page, valid_filters
from calendar_site.compatibility.errors import denied, no_such_page, unknown_record
from calendar_site.compatibility.posts import to_wp_date
from calendar_site.compatibility.wp.filtersets import MediaFilterSet, slug_of_image
from calendar_site.compatibility.wp.records import find_by_id
from calendar_site.compatibility.wp.terms import check_forced
from calendar_site.compatibility.wp.views import WPView
from calendar_site.core import permissions
from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.dates.conversion import to_site_wire, to_utc_wire
from calendar_site.core.text.plain_text import unescape_references
from calendar_site.media.image_process import InvalidImage
from calendar_site.media.library import (
    ImageChanges,
    delete_image,
    deleting_unused_files,
    image_deadline,
    prepare_image,
    save_image,
    store_files,
    store_image,
)
from calendar_site.media.models import Image

# The fields of images by the arguments of WordPress.
FIELDS = {"title": "name", "alt_text": "alt", "caption": "credit"}
ARGUMENTS = {field: argument for argument, field in FIELDS.items()}
# Renditions that clients of WordPress know.
SIZES = ("thumbnail", "medium", "medium_large", "large")


class RawFileParser(parsers.BaseParser):
    """A parser of bodies of any type that are a file; its name is in the header `Content-Disposition`."""

    media_type = "*/*"

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> dict[str, Any]:
        # Not `request.body`, whose limit is that of bodies without files. Middleware has refused larger files.
        content = stream.read()
        return {"file": SimpleUploadedFile("raw", content)} if content else {}


class MediaView(WPView):
    @property
    def url(self) -> str:
        return f"{self.urls.wp}/media"

    def respond_with(self, image: Image, *, status: int = 200, headers: dict[str, str] | None = None) -> Response:
        """Return the response to a write, which has the texts that can be edited."""
        record = represent_media(image, self.urls, with_raw=True)
        return Response(self.selection.apply(record), status=status, headers=headers)

    def read_changes(self) -> ImageChanges:
        """Return the texts in the request, by the fields of images. Raises InvalidParams."""
        changes: dict[str, Any] = {}
        for argument, field in FIELDS.items():
            if argument in self.arguments:
                value = self.arguments[argument]
                try:
                    text = parse_text(value.get("raw") if isinstance(value, dict) else value)
                except ValueError as error:
                    raise InvalidParams({argument: str(error)}) from error
                changes[field] = unescape_references(text)
        if changes.get("alt"):
            changes["decorative"] = False
        return changes  # type: ignore[return-value] # the keys are those of ImageChanges


class MediaList(MediaView):
    # The last one takes all other bodies.
    parser_classes = [MultiPartParser, RawFileParser]

    def get(self, request: Request, **path: str) -> Response:
        self.check_context(permissions.has_model_permission(request.user, "change", Image))
        rows = Image.objects.shown_to(request.user).select_related("author")
        filterset = valid_filters(MediaFilterSet(self.arguments, rows, request=request))
        self.ignore_arguments_except(filterset.filters)
        page, images = read_page(filterset)
        if page.is_past_end:
            raise no_such_page("rest_post_invalid_page_number", 400)
        records = (represent_media(image, self.urls, with_raw=self.is_for_editing) for image in images)
        return bare_list(records, page, self.url, filterset, self.selection)

    def post(self, request: Request, **path: str) -> Response:
        if not permissions.can_create(request.user, Image):
            raise denied(request, "rest_cannot_create")
        file, name = self._read_file()
        content = file.read()
        self._check_digest(content)
        changes = self.read_changes()
        try:
            prepared = prepare_image(content, name, deadline=image_deadline())
        except InvalidImage as error:
            raise ContractError(str(error), code="rest_upload_sideload_error") from error
        stored = store_files(prepared._replace(name=changes.get("name") or prepared.name))
        with deleting_unused_files([stored]), translated_errors():
            image = self._store(stored, changes)
        self.ignore_arguments_except(FIELDS, ("file",))
        return self.respond_with(image, status=201, headers={"Location": f"{self.url}/{image.pk}"})

    def _store(self, stored: Any, changes: ImageChanges) -> Image:
        """Store the image with its texts. The texts of an image that the library has are changed by its editors."""
        user = self.request.user
        with write_lock():
            image = store_image(stored, user=user, alt=changes.get("alt", ""), credit=changes.get("credit", ""))
            differs = any(getattr(image, name) != value for name, value in changes.items())
            if differs and permissions.can_edit(user, image):
                save_image(image, changes=changes, user=user)
            return image

    def _read_file(self) -> tuple[UploadedFile, str]:
        """Return the file of the request and its name. Raises the original's errors."""
        file = self.arguments.get("file")
        if self.request.content_type.startswith("multipart/"):
            if not isinstance(file, UploadedFile):
                raise ContractError(_("The request contains no file."), code="rest_upload_no_data")
            return file, file.name or ""
        header = self.request.headers.get("Content-Disposition")
        if not isinstance(file, UploadedFile):
            raise ContractError(_("The request contains no file."), code="rest_upload_no_data")
        if not header:
            message = _("Send the name of the file in the header Content-Disposition.")
            raise ContractError(message, code="rest_upload_no_content_disposition")
        name = parse_header_parameters(header)[1].get("filename", "").strip()
        if not name:
            message = _(
                "The header Content-Disposition must contain the name of the file, such as filename=poster.png."
            )
            raise ContractError(message, code="rest_upload_invalid_disposition")
        return file, PurePosixPath(name).name

    def _check_digest(self, content: bytes) -> None:
        """Raise an error if the file is not the one that the client has sent."""
        expected = self.request.headers.get("Content-MD5", "").strip()
        digest = hashlib.md5(content, usedforsecurity=False)
        if (
            expected
            and expected.lower() != digest.hexdigest()
            and expected != base64.b64encode(digest.digest()).decode()
        ):
            message = _("The file is not the one that the header Content-MD5 describes.")
            raise ContractError(message, code="rest_upload_hash_mismatch", status=412)

    def get_arguments(self, method: str) -> Arguments:
        return describe_filters(MediaFilterSet) if method == "GET" else describe_texts()


class MediaItem(MediaView):
    def get(self, request: Request, id: str, **path: str) -> Response:  # the name in the pattern
        image = find_by_id(Image.objects.shown_to(request.user), id)
        if image is None:
            raise unknown_record("rest_post_invalid_id")
        self.check_context(permissions.can_edit(request.user, image))
        self.ignore_arguments_except()
        record = represent_media(image, self.urls, with_raw=self.is_for_editing)
        return Response(self.selection.apply(record))

    def post(self, request: Request, id: str, **path: str) -> Response:  # the name in the pattern
        image = self._find("change", "rest_cannot_edit", id)
        if not permissions.can_edit(request.user, image):
            raise denied(request, "rest_cannot_edit")
        with translated_errors():
            saved = save_image(image, changes=self.read_changes(), user=request.user)
        self.ignore_arguments_except(FIELDS)
        return self.respond_with(saved)

    put = patch = post

    def delete(self, request: Request, id: str, **path: str) -> Response:  # the name in the pattern
        image = self._find("delete", "rest_cannot_delete", id)
        if not permissions.can_delete(request.user, image):
            raise denied(request, "rest_cannot_delete")
        check_forced(self.arguments)
        previous = represent_media(image, self.urls, with_raw=True)
        try:
            delete_image(image, user=request.user)
        except ProtectedError as error:
            message = _("The image is in use. Remove it from the records that show it first.")
            raise ContractError(message, code="rest_cannot_delete", status=409) from error
        self.ignore_arguments_except(("force",))
        return Response(self.selection.apply({"deleted": True, "previous": previous}))

    def _find(self, action: str, code: str, pk: str) -> Image:
        if not permissions.has_model_permission(self.request.user, action, Image):
            raise denied(self.request, code)
        image: Image | None = find_by_id(Image.objects.all(), pk)
        if image is None:
            raise unknown_record("rest_post_invalid_id")
        return image

    def get_path_arguments(self) -> Arguments:
        return {"id": ID_IN_PATH}

    def get_arguments(self, method: str) -> Arguments:
        return describe_texts() if method in ("POST", "PUT", "PATCH") else {}


@contextmanager
def translated_errors() -> Iterator[None]:
    """Raise the errors of images with the names of the original's arguments."""
    try:
        yield
    except ValidationError as error:
        messages = error.update_error_dict({})
        raise InvalidParams(
            {ARGUMENTS.get(name, name): " ".join(ValidationError(found).messages) for name, found in messages.items()}
        ) from error


def describe_texts() -> Arguments:
    return {
        "title": Argument(TEXT, _("The name of the image.")),
        "alt_text": Argument(TEXT, _("The description of the image for people who cannot see it.")),
        "caption": Argument(TEXT, _("Creator and license of the image.")),
    }


def represent_media(image: Image, urls: OriginalURLs, *, with_raw: bool) -> dict[str, Any]:
    """Return an image as an attachment, with the `raw` texts for those who edit it."""
    source = urls.media_url(str(image.file))
    return {
        "id": image.pk,
        "date": to_wp_date(to_site_wire(image.created_at)),
        "date_gmt": to_wp_date(to_utc_wire(image.created_at)),
        "guid": {"rendered": source},
        "modified": to_wp_date(to_site_wire(image.modified_at)),
        "modified_gmt": to_wp_date(to_utc_wire(image.modified_at)),
        "slug": slug_of_image(image.pk, image.name),
        "status": "inherit",
        "type": "attachment",
        "link": f"{urls.site}/?attachment_id={image.pk}",
        "title": rendered(image.name, with_raw=with_raw),
        "author": image.author_id,
        "featured_media": 0,
        "template": "",
        "meta": [],
        "description": rendered("", with_raw=with_raw),
        "caption": rendered(image.credit, with_raw=with_raw),
        "alt_text": image.alt,
        "media_type": "image",
        "mime_type": image.media_type,
        "media_details": {
            "width": image.width,
            "height": image.height,
            "file": str(image.file),
            "filesize": image.filesize,
            "sizes": _sizes(image, urls),
        },
        "post": None,
        "source_url": source,
        "_links": {
            "self": [{"href": f"{urls.wp}/media/{image.pk}"}],
            "collection": [{"href": f"{urls.wp}/media"}],
            "about": [{"href": f"{urls.wp}/types/attachment"}],
            "author": [{"embeddable": True, "href": f"{urls.wp}/users/{image.author_id}"}],
        },
    }


def _sizes(image: Image, urls: OriginalURLs) -> dict[str, Any]:
    """Return the renditions, and the image itself as `full`; none for an image that is small."""
    sizes = {
        name: {
            "file": PurePosixPath(rendition["file"]).name,
            "width": rendition["width"],
            "height": rendition["height"],
            "filesize": rendition["filesize"],
            "mime_type": rendition["media_type"],
            "source_url": urls.media_url(rendition["file"]),
        }
        for name, rendition in image.renditions.items()
        if name in SIZES
    }
    if not sizes:
        return {}
    return sizes | {
        "full": {
            "file": PurePosixPath(str(image.file)).name,
            "width": image.width,
            "height": image.height,
            "mime_type": image.media_type,
            "source_url": urls.media_url(str(image.file)),
        }
    }


def rendered(text: str, *, with_raw: bool) -> dict[str, str]:
    """Return a plain text as HTML, and as it is for those who edit it."""
    raw = {"raw": text} if with_raw else {}
    return {**raw, "rendered": escape(text, quote=False)}
