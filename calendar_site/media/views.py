"""Serving stored images, unless a proxy or an object store does."""

from __future__ import annotations

from django.core.files.storage import default_storage
from django.http import FileResponse, Http404, HttpRequest
from django.views.decorators.http import require_safe

from calendar_site.core.http import security_headers
from calendar_site.media.processing import FORMATS

# File names as `media.library` creates them; no other file in the folder is served.
FILE_NAME_PATTERN = r"images/[0-9a-f]{2}/[0-9a-f]{32}-[a-z0-9_-]+\.(?:jpg|png|gif|webp|avif)"
# Python's mimetypes does not know all of them.
MEDIA_TYPES = {extension: f"image/{form.lower()}" for form, extension in FORMATS.items()}


@require_safe
def serve_image(request: HttpRequest, name: str) -> FileResponse:
    """Serve the file of an image or a rendition, cacheable forever because its content never changes."""
    try:
        file = default_storage.open(name)
    except FileNotFoundError as error:
        raise Http404 from error
    response = FileResponse(file, content_type=MEDIA_TYPES[name.rpartition(".")[2]])
    response["Cache-Control"] = "public, max-age=31536000, immutable"
    response[security_headers.HEADER] = security_headers.IMAGE_POLICY
    response["X-Content-Type-Options"] = "nosniff"
    # Pages of other sites may show images, and scripts there may read them (`<img crossorigin>`, `fetch()`, canvas).
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    response["Access-Control-Allow-Origin"] = "*"
    return response
