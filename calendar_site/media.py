"""Serving the stored images, where no store or proxy of its own does that."""

from __future__ import annotations

from django.core.files.storage import default_storage
from django.http import FileResponse, Http404, HttpRequest
from django.views.decorators.http import require_safe

from calendar_site.content.pictures import FORMATS

# As `content.images` names files; nothing else in the folder is given out.
NAME = r"images/[0-9a-f]{2}/[0-9a-f]{32}-[a-z0-9_-]+\.(?:jpg|png|gif|webp|avif)"
# Python's own table does not know all of them.
MEDIA_TYPES = {extension: f"image/{form.lower()}" for form, extension in FORMATS.items()}


@require_safe
def image_file(request: HttpRequest, name: str) -> FileResponse:
    """The file of an image or of one of its sizes. A name never stands for another content: it may be kept for ever."""
    try:
        file = default_storage.open(name)
    except FileNotFoundError as error:
        raise Http404 from error
    response = FileResponse(file, content_type=MEDIA_TYPES[name.rpartition(".")[2]])
    response["Cache-Control"] = "public, max-age=31536000, immutable"
    # Whatever a browser takes the file for, it runs nothing.
    response["Content-Security-Policy"] = "default-src 'none'; sandbox"
    response["X-Content-Type-Options"] = "nosniff"
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response
