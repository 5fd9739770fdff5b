"""Getting the file of a source: from its URL, from an upload, or from a path of the command line."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from django.utils.translation import gettext as _

from calendar_site.core.http.http_client import FetchedFile, FetchError, StatusError, fetch
from calendar_site.transfer.imports.errors import NotModified, SourceError
from calendar_site.transfer.models import Source, UploadedFile, content_of

MAX_BYTES = 10 * 1024 * 1024
SECONDS = 30.0
ATTEMPTS = 4
# The longest wait for a server that asks for one.
MAX_WAIT = 60
# A page that people share, with the number of the table.
GOOGLE_SHEET = re.compile(
    r"(https://docs\.google\.com/spreadsheets/d/[\w-]{20,100})/(?:edit|view)(?:[?#].*?gid=(\d{1,12}))?.*"
)
RETRIED = {429, 500, 502, 503, 504}


class SourceFile(NamedTuple):
    """A whole source as a file."""

    path: Path
    name: str
    # "" if it does not come from the web.
    url: str = ""
    media_type: str = ""

    def read(self) -> bytes:
        return self.path.read_bytes()


def fetch_file(source: Source, folder: Path, local: Path | None = None, *, conditional: bool = False) -> SourceFile:
    """Copy the file of the source to the folder; see `fetch_url()`. Raises SourceError and NotModified."""
    path = folder / "source"
    if local is not None:
        try:
            shutil.copyfile(local, path)
        except OSError as error:
            raise SourceError(_("The file cannot be read: %(error)s") % {"error": error.strerror}) from error
        return SourceFile(path, local.name)
    if source.url:
        fetched = fetch_url(source, csv_address(source.url), conditional=conditional)
        path.write_bytes(fetched.content)
        return SourceFile(path, source.name, fetched.url, fetched.media_type)
    file = UploadedFile.objects.filter(source=source).first()
    if file is None:
        raise SourceError(_("The file is not kept any more. Upload it again."))
    path.write_bytes(content_of(file))
    return SourceFile(path, file.name)


def csv_address(url: str) -> str:
    """Return the CSV address of a Google Sheet, and any other URL unchanged."""
    match = GOOGLE_SHEET.fullmatch(url)
    return f"{match[1]}/export?format=csv&gid={match[2] or 0}" if match else url


def fetch_url(
    source: Source, url: str, *, conditional: bool = False, headers: Mapping[str, str] | None = None
) -> FetchedFile:
    """Fetch a URL with the header of the source, and again if the server is busy. Raises SourceError and NotModified.

    With `conditional`, asks only for what has changed since the last success, and remembers what it got.
    """
    sent = {**source.headers, **(headers or {})}
    if conditional and source.last_success_at:
        sent |= {"If-None-Match": source.etag} if source.etag else {}
        sent |= {"If-Modified-Since": source.last_modified} if source.last_modified else {}
    for attempt in range(1, ATTEMPTS + 1):
        try:
            fetched = fetch(url, max_bytes=MAX_BYTES, seconds=SECONDS, headers=sent)
        except StatusError as error:
            if error.status == 304:
                raise NotModified from error
            if error.status not in RETRIED or attempt == ATTEMPTS:
                raise SourceError(f"{url}: {error}{_advice(error.status)}") from error
            time.sleep(_wait_of(error, attempt))
        except FetchError as error:
            raise SourceError(f"{url}: {error}") from error
        else:
            if conditional:
                source.etag = fetched.headers.get("etag", "")[:200]
                source.last_modified = fetched.headers.get("last-modified", "")[:100]
            return fetched
    raise AssertionError("The last attempt returns or raises.")


def _wait_of(error: StatusError, attempt: int) -> float:
    wanted = error.headers.get("retry-after", "")
    return min(int(wanted[:6]), MAX_WAIT) if wanted.isdecimal() else 2.0 ** (attempt - 1)


def _advice(status: int) -> str:
    if status in (401, 403, 406):
        return " " + _("The server refuses programs or needs credentials: set an HTTP header of the source.")
    return ""
